import { status } from '@azimuth/model';
import { promisesSettled } from '@azimuth/test-support/waiting';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { PtpConnection, PtpDatagram, PtpListener, PtpNetwork } from '../../../src/index.js';
import { first, PtpDevice } from './ptp-device.js';

const { DeviceStatus } = status.members;

/** ms that software needs until it sees a message, and from its stamp until a message is on the wire. */
const softwareDelay = 0.4;

/** A network card: the program sees messages late, but with the time at which they were on the wire. */
function networkCard(network: PtpNetwork, stamp: (at: number) => unknown, sent = stamp): PtpNetwork {
  return {
    open: (listener) => {
      const connection = network.open({
        opened: () => listener.opened(),
        failed: (reason) => listener.failed(reason),
        received: (datagram) => {
          const stamped: PtpDatagram = { ...datagram };
          Reflect.set(stamped, 'received', stamp(datagram.received));
          listener.received(stamped);
        },
      });
      const stamped: PtpConnection = { sendEvent: () => undefined, close: () => connection.close() };
      Reflect.set(stamped, 'sendEvent', (bytes: Uint8Array, to: string | undefined) => {
        const at = connection.sendEvent(bytes, to);
        return typeof at === 'number' ? sent(at) : at;
      });
      return stamped;
    },
  };
}

describe('time stamps of the network hardware', () => {
  test('that come later, even after the response of the master, synchronise the clock', async () => {
    const late: (() => void)[] = [];
    const device = await PtpDevice.open((network) =>
      networkCard(
        network,
        (at) => at,
        (at) => new Promise((resolve) => late.push(() => resolve(at))),
      ),
    );
    device.add(first);
    await device.role(3);
    for (let second = 0; second < 30; second++) {
      device.pass(1);
      for (const resolve of late.splice(0)) resolve();
      await promisesSettled();
    }
    expect(device.state).toMatchObject({ Synchronised: true, Fault: '', Ptp: { State: 9 } });
    expect(Math.abs(device.error())).toBeLessThan(0.01);
  });

  test('take the delay of the software out, which its own stamps have', async () => {
    const delays = { delayToScanner: () => 0.1 + softwareDelay, back: () => 0.1 };
    const bySoftware = await PtpDevice.following({ ...first, ...delays });
    bySoftware.pass(60);
    const byHardware = await PtpDevice.open((network) =>
      networkCard(
        network,
        (at) => at - softwareDelay,
        (at) => at,
      ),
    );
    byHardware.add({ ...first, ...delays });
    await byHardware.role(3);
    byHardware.pass(60);
    expect(Math.abs(bySoftware.error())).toBeCloseTo(softwareDelay / 2, 2);
    expect(Math.abs(byHardware.error())).toBeLessThan(0.01);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, 'now', null])(
    'of %s are not used: DeviceStatus is 7, with one line, until they are usable',
    async (wrong) => {
      let isBroken = true;
      const device = await PtpDevice.open((network) => networkCard(network, (at) => (isBroken ? wrong : at)));
      device.add(first);
      await device.role(3);
      device.pass(10);
      expect(device.state).toMatchObject({ Synchronised: false });
      expect(device.test.device.read(DeviceStatus)).toBe(7);
      expect(device.logged.filter((line) => line === 'The PTP of the hardware does not work')).toHaveLength(
        1,
      );
      isBroken = false;
      device.pass(30);
      expect(device.state).toMatchObject({ Synchronised: true });
      expect(device.test.device.read(DeviceStatus)).toBe(3);
    },
  );

  test.each(['open', 'close'])('of ports whose %s rejects end no process', async (act) => {
    const unhandled: unknown[] = [];
    const listener = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', listener);
    onTestFinished(() => void process.off('unhandledRejection', listener));
    const rejects = () => Promise.reject(new Error('no such interface: eth9'));
    const device = await PtpDevice.open((network) => {
      const card = networkCard(network, (at) => at);
      const wrong: PtpNetwork = { ...card };
      if (act === 'open') Object.assign(wrong, { open: (to: PtpListener) => [card.open(to), rejects()][1] });
      else wrong.open = (to) => Object.assign(card.open(to), { close: rejects });
      return wrong;
    });
    device.add(first);
    await device.role(3);
    device.pass(10);
    await device.role(0);
    await promisesSettled();
    expect(device.test.device.read(DeviceStatus)).toBe(7);
    expect(unhandled).toEqual([]);
  });

  test('of ports that cannot be opened are told as a fault', async () => {
    const device = await PtpDevice.open(() => ({
      open: () => {
        throw new Error('no such interface: eth9');
      },
    }));
    device.test.device.features.synchronisation.connectPtp(device.network);
    await device.startAsSlave();
    expect(device.state).toMatchObject({
      Fault: 'the hardware does not open its PTP ports',
      Ptp: { State: 2 },
    });
    expect(device.test.device.read(DeviceStatus)).toBe(7);
  });
});
