import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { dateAndSystemTime, ethernet, PtpState } from '@azimuth/model';
import { expectData } from '@azimuth/test-support/envelope';
import { atService } from '@azimuth/test-support/test-device';
import { bootMilliseconds } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';
import { asked, masterAhead, scannerAndMaster, synchronised } from './ptp-pair.js';

type Pair = Awaited<ReturnType<typeof scannerAndMaster>>;

/** Addresses of this test alone: other programs have no ports open there. */
const range = [127, randomInt(1, 255), randomInt(256)] as const;
const dotted = (last: number) => [...range, last].join('.');

/** Gives the scanner another address, as a write and EthernetUpdate do. */
function move({ scanner }: Pair, last: number): void {
  const {
    parameters,
    features: { network },
  } = scanner.service.device;
  parameters.change((change) => change.set(ethernet.members.EtherIPAddress, [...range, last]));
  network.activate();
}

function isFree(port: number, address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.once('error', () => resolve(false));
    socket.bind({ port, address, exclusive: true }, () => socket.close(() => resolve(true)));
  });
}

/** ms that the device clock is ahead of the master. */
const error = ({ scanner }: Pair) =>
  scanner.service.device.features.synchronisation.time.utc - scanner.clock.utc() - masterAhead;

const logged = ({ scanner }: Pair, beginning: string) =>
  scanner.log.lines.filter(({ message }) => message.startsWith(beginning)).length;

test('a scanner that moves to another address takes its PTP ports along, and follows its master without a gap', async () => {
  const network = { follows: true, address: dotted(9) } as const;
  const pair = await scannerAndMaster({ network, controlPort: 0 });
  const { master, scanner, synchronisation, ports } = pair;
  move(pair, 2);
  scanner.service.device.write(dateAndSystemTime.members.TSCRole, 3, atService);
  await synchronised(pair);
  expect(await asked(pair)).toBe(dotted(2));
  for (const last of [3, 4, 2]) {
    const before = master.requests.length;
    move(pair, last);
    await until(async () => !(await isFree(ports.event, dotted(last))));
    await until(async () => {
      await master.announce();
      await master.sync();
      scanner.clock.advance(100);
      return master.requests.slice(before).some(({ from }) => from === dotted(last));
    });
    for (const left of [2, 3, 4].filter((one) => one !== last)) {
      expect(await isFree(ports.event, dotted(left))).toBe(true);
      expect(await isFree(ports.general, dotted(left))).toBe(true);
    }
    expect(synchronisation.state).toMatchObject({ Synchronised: true, Fault: '' });
    expect(Math.abs(error(pair))).toBeLessThan(1000);
  }
  expect(pair.ptpState()).toBe(PtpState.SLAVE);
  expect(logged(pair, 'The PTP master is lost')).toBe(0);
  expect(logged(pair, 'The scanner follows a PTP master')).toBe(1);
});

test('after a power cycle the scanner has the time of its computer, until it has found its master again', async () => {
  const pair = await scannerAndMaster();
  const { scanner, synchronisation, ports } = pair;
  const { device } = scanner.service;
  await pair.role(3);
  expectData(await scanner.client().call('WriteEeprom'), { Success: true });
  await synchronised(pair);
  for (let count = 0; count < 2; count += 1) {
    device.lifecycle.powerCycle();
    await until(() => isFree(ports.event, '127.0.0.1'));
    expect(pair.ptpState()).toBe(PtpState.DISABLED);
    scanner.clock.advance(bootMilliseconds);
    await until(() => pair.ptpState() === PtpState.LISTENING);
    expect(synchronisation.state).toMatchObject({ Role: 3, Synchronised: false, LastExchange: 0 });
    expect(error(pair)).toBeCloseTo(-masterAhead, -2);
    await synchronised(pair);
    expect(Math.abs(error(pair))).toBeLessThan(1000);
  }
  expect(logged(pair, 'The scanner follows a PTP master')).toBe(3);
});

test('a power cycle loses the role that was not saved: nothing is open then', async () => {
  const pair = await scannerAndMaster();
  const { scanner, ports } = pair;
  await pair.role(3);
  await synchronised(pair);
  scanner.service.device.lifecycle.powerCycle();
  scanner.clock.advance(bootMilliseconds);
  await until(() => scanner.service.device.lifecycle.phase === 'up');
  expect(pair.synchronisation.state).toMatchObject({ Role: 0, Synchronised: false });
  expect(await isFree(ports.event, '127.0.0.1')).toBe(true);
});
