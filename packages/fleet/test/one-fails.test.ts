import { connect, type Socket } from 'node:net';
import { Scanner } from '@azimuth/client';
import { readyScene, type Scene } from '@azimuth/simulation/world';
import { scannerFacts, someFleet, urlOf } from '@azimuth/test-support/some-fleet';
import { until } from '@azimuth/test-support/waiting';
import { expect, onTestFinished, test } from 'vitest';

const scene = readyScene('empty-room');

/** A scene that makes a core throw as soon as it reads this part. */
function failingAt(part: keyof Scene): Scene {
  return {
    ...scene,
    get [part](): never {
      throw new Error(`the core has failed at ${part}`);
    },
  };
}

test.each(['scanner', 'noise'] as const)(
  'a core that throws at %s leaves its scanner without data, and touches no other',
  async (part) => {
    const broken = failingAt(part);
    const some = await someFleet(scannerFacts(2, (number) => (number === 1 ? { scene: broken } : {})));
    const [one, other] = ['1', '2'].map(
      (serial) => new Scanner({ url: urlOf(some, serial), password: 'servicelevel' }),
    );
    if (one === undefined || other === undefined) throw new Error('there are two');
    const nowhere = { Protocol: 1 as const, IPAddress: [127, 0, 0, 1], Port: 9 };
    for (const scanner of [one, other]) {
      await scanner.write('ScanDataEthSettings', nowhere);
      await scanner.write('ScanDataEnable', true);
    }
    await until(async () => (await one.read('DeviceStatus')) === 7);
    const sent = () => some.fleet.scanners.get('2')?.service?.telegramsSent ?? 0;
    const before = sent();
    await until(() => sent() > before + 3);
    expect(some.fleet.scanners.get('1')?.service?.telegramsSent).toBe(0);
    expect(await other.read('DeviceStatus')).toBe(3);
    await one.write('LocationName', 'still served');
    expect(await one.read('LocationName')).toBe('still served');
    expect(some.fleet.states).toEqual({ off: 0, idle: 0, running: 2, failed: 0 });
  },
);

test('connections of all scanners together have a limit, also those that come before a start', async () => {
  const anyPorts = { host: '127.0.0.1', http: 0, https: 0, legacyA: 0, legacyB: 0 };
  const some = await someFleet(
    scannerFacts(3, () => ({ ports: anyPorts })),
    { maxConnectionsTogether: 8 },
  );
  const portOf = (serial: string) => Number(some.fleet.scanners.get(serial)?.ports.http);
  const open: Socket[] = [];
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
  });
  const opened = (serial: string) => {
    const socket = connect(portOf(serial), '127.0.0.1').on('error', () => {});
    open.push(socket);
    return socket;
  };
  for (let count = 0; count < 20; count++) opened('1');
  await until(() => open.filter(({ destroyed }) => destroyed).length === 12);
  await until(() => some.fleet.states.running === 1);
  // The port of the fleet is not one of them.
  expect(await new Scanner({ url: urlOf(some, '2') }).read('SerialNumber')).toBe('2');
  const refused = opened('3');
  await until(() => refused.destroyed);
  for (const socket of open) socket.destroy();
  await until(async () => {
    const url = `http://127.0.0.1:${portOf('3')}`;
    return (await new Scanner({ url }).read('SerialNumber').catch(() => '')) === '3';
  });
});
