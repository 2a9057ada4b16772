import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { VirtualClock } from '@azimuth/device';
import { dateAndSystemTime, PtpState } from '@azimuth/model';
import { expectData, expectDone } from '@azimuth/test-support/envelope';
import { object, parse } from '@azimuth/test-support/json';
import { freePtpPorts } from '@azimuth/test-support/ptp-master';
import { atService } from '@azimuth/test-support/test-device';
import { until } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';
import { messagesPerSender } from '../../src/time/limits.js';
import { PtpPorts } from '../../src/time/ptp-ports.js';
import { masterAhead, scannerAndMaster, synchronised } from './ptp-pair.js';

test('a master in the group on loopback is followed; /x/time and the metrics show it', async () => {
  const pair = await scannerAndMaster();
  await pair.role(3);
  await synchronised(pair);
  const { scanner, master } = pair;
  expect(
    Math.abs(scanner.service.device.features.synchronisation.time.utc - scanner.clock.utc() - masterAhead),
  ).toBeLessThan(1000);
  expect(master.requests.every(({ toGroup }) => toGroup)).toBe(true);
  const client = scanner.client();
  const reply = await client.send({ method: 'GET', path: '/x/time' });
  expect(object(object(parse(reply.text)).data).time).toMatchObject({
    Role: 3,
    Synchronised: true,
    Fault: '',
    Ptp: {
      State: PtpState.SLAVE,
      Grandmaster: master.clock,
      Master: `${master.clock}-1`,
      MasterAddress: [127, 0, 0, 2],
      UtcOffset: 37,
    },
  });
  const metrics = (await client.send({ method: 'GET', path: '/metrics' })).text;
  expect(metrics).toContain('\nazimuth_time_synchronised 1\n');
  expect(metrics).toContain(`\nazimuth_ptp_state ${PtpState.SLAVE}\n`);
  expect(metrics).toMatch(/^azimuth_ptp_path_delay_seconds [\d.]+$/m);
  expectDone(await client.write('TSCRole', 0));
  expect((await client.send({ method: 'GET', path: '/metrics' })).text).toContain(
    `\nazimuth_ptp_state ${PtpState.DISABLED}\n`,
  );
});

test('a master that sends to the scanner alone is followed, and asked alone', async () => {
  const pair = await scannerAndMaster({ to: '127.0.0.1' });
  await pair.role(3);
  await synchronised(pair);
  expect(pair.master.requests.every(({ toGroup }) => !toGroup)).toBe(true);
});

test('at all addresses, messages to one of them are heard', async () => {
  const pair = await scannerAndMaster({ to: '127.0.0.1', network: { address: '0.0.0.0' } });
  await pair.role(3);
  await until(() => pair.ptpState() === PtpState.LISTENING);
  await pair.master.announce();
  await pair.master.announce();
  await expect.poll(() => pair.ptpState()).toBe(PtpState.UNCALIBRATED);
});

test('a port that another program has is reported once, and opened later', async () => {
  const { scanner, ports, synchronisation, role, ptpState } = await scannerAndMaster({ to: '127.0.0.1' });
  const other = createSocket('udp4');
  other.bind({ port: ports.event, address: '127.0.0.1', exclusive: true });
  await once(other, 'listening');
  await role(3);
  await until(() => ptpState() === PtpState.FAULTY);
  expect(synchronisation.state.Fault).toContain('EADDRINUSE');
  expect(synchronisation.state.Fault).toContain('--ptp-event-port');
  for (let attempt = 0; attempt < 3; attempt++) {
    scanner.clock.advance(5000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(ptpState()).toBe(PtpState.FAULTY);
  other.close();
  await once(other, 'close');
  await until(() => {
    scanner.clock.advance(5000);
    return ptpState() === PtpState.LISTENING;
  });
  const told = scanner.log.lines.filter(({ message }) =>
    message.startsWith('The PTP ports cannot be opened'),
  );
  expect(told).toHaveLength(1);
});

test('an address that is not IPv4 is reported', async () => {
  const { scanner, synchronisation, ptpState } = await scannerAndMaster({
    network: { address: '::ffff:127.0.0.1' },
  });
  scanner.service.device.write(dateAndSystemTime.members.TSCRole, 3, atService);
  await until(() => ptpState() === PtpState.FAULTY);
  expect(synchronisation.state.Fault).toContain('PTP needs an IPv4 address');
});

test('the ports are free before TSCRole is 3, while the scanner reboots, and afterwards', async () => {
  const { scanner, ports, role, ptpState } = await scannerAndMaster();
  const isFree = () =>
    new Promise<boolean>((resolve) => {
      const socket = createSocket('udp4');
      socket.once('error', () => resolve(false));
      socket.bind({ port: ports.general, address: '127.0.0.1', exclusive: true }, () => {
        socket.close(() => resolve(true));
      });
    });
  expect(await isFree()).toBe(true);
  await role(3);
  await until(() => ptpState() === PtpState.LISTENING);
  expect(await isFree()).toBe(false);
  expectData(await scanner.client().call('WriteEeprom'), { Success: true });
  await role(0);
  expect(await isFree()).toBe(true);
});

test('a flood from one address does not reach the slave', async () => {
  const { scanner, master, role, ptpState } = await scannerAndMaster({ to: '127.0.0.1' });
  await role(3);
  await until(() => ptpState() === PtpState.LISTENING);
  // Virtual time stands still: all of it comes within a second.
  for (let count = 0; count < messagesPerSender; count++)
    await master.sendBytes(new Uint8Array(44), 'general');
  await master.announce();
  await master.announce();
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(ptpState()).toBe(PtpState.LISTENING);
  scanner.clock.advance(1000);
  await master.announce();
  await master.announce();
  await until(() => ptpState() === PtpState.UNCALIBRATED);
});

test('the ports stay closed if the scanner changes its address when the slave has ended', async () => {
  const clock = new VirtualClock();
  const numbers = await freePtpPorts();
  const failures: unknown[] = [];
  let changed = () => {};
  const address = {
    openable: '127.0.0.1',
    fallback: '127.0.0.1',
    onChange: (listener: () => void) => {
      changed = listener;
    },
  };
  const ports = new PtpPorts({ clock, address, ports: numbers, failed: (error) => failures.push(error) });
  let opened = 0;
  const listener = {
    opened: () => {
      opened += 1;
    },
    failed: () => {},
    received: () => {},
  };
  const first = ports.open(listener);
  await until(() => opened === 1);
  changed();
  await until(() => opened === 2);
  first.close();
  changed();
  // The next scanner would not get the ports if the first one had opened them again.
  const second = ports.open(listener);
  await until(() => opened === 3);
  changed();
  await until(() => opened === 4);
  ports.close();
  changed();
  const other = createSocket('udp4');
  other.bind({ port: numbers.general, address: '127.0.0.1', exclusive: true });
  await once(other, 'listening');
  other.close();
  second.close();
  expect(failures).toEqual([]);
});

test('ports that are closed while they are being opened stay closed', async () => {
  const address = { openable: '127.0.0.1', fallback: '127.0.0.1', onChange: () => undefined };
  const failed = () => undefined;
  const ports = new PtpPorts({ clock: new VirtualClock(), address, ports: await freePtpPorts(), failed });
  const opened: string[] = [];
  const listener = (name: string) => ({
    opened: () => void opened.push(name),
    failed: () => undefined,
    received: () => undefined,
  });
  ports.open(listener('first')).close();
  const second = ports.open(listener('second'));
  await until(() => opened.includes('second'));
  expect(opened).toEqual(['second']);
  second.close();
});
