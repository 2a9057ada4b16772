import { freePort } from '@azimuth/test-support/free-port';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { StreamAudit } from '@azimuth/test-support/streams/audit';
import { profileOf, segmentSizes } from '@azimuth/test-support/streams/profiles';
import {
  demandAtRest,
  demandCounted,
  demandEven,
  encoderOf,
  imuOf,
} from '@azimuth/test-support/streams/pulses';
import { TcpReceiver, UdpReceiver } from '@azimuth/test-support/streams/receiver';
import { room } from '@azimuth/test-support/streams/room';
import { Setup, sceneFile } from '@azimuth/test-support/streams/virtual-scanner';
import { expect, it } from 'vitest';

// In real time, on a host that may be busy: telegrams may be late, and turns may be left out behind late ones.
const expected = {
  sender: 23_450_001,
  sizes: segmentSizes(profileOf(2)),
  latest: 10_000_000,
  leavesOutAfter: 100_000,
};
const anyTime = Number.POSITIVE_INFINITY;

it('a scanner process streams the room for five seconds over UDP and over TCP', async () => {
  const scannerFolder = new ScannerFolder();
  const scanner = await scannerFolder.start([
    '--serial',
    '23450001',
    '--scene',
    sceneFile(room),
    '--seed',
    '1',
  ]);
  const setup = new Setup(scanner.client());
  const scan = await UdpReceiver.open();
  const imu = await UdpReceiver.open();
  const encoder = await UdpReceiver.open();
  await setup.write('EncSetting', 4);
  await setup.send('encoder', 'UDP', encoder.port);
  await setup.send('imu', 'UDP', imu.port);
  await setup.send('scan', 'UDP', scan.port);

  const half = await scan.next(375);
  const audit = new StreamAudit(expected);
  audit.add(half);
  audit.add(await scan.next(375));
  expect(audit.frames).toBeGreaterThanOrEqual(74);
  const [first] = half;
  const beam = first?.kind === 'scan' ? first.segments[0] : undefined;
  // At -138° the wall 2 m to the right is met after 2 m / sin 42° = 2989 mm.
  expect(beam?.distance[0]?.[0]).toBeGreaterThan(2950);
  expect(beam?.distance[0]?.[0]).toBeLessThan(3040);

  const motions = imuOf(await imu.next(400));
  demandEven(
    'IMU',
    motions.map(({ time }) => time),
    10_000,
    anyTime,
  );
  demandAtRest(motions);
  const readings = encoderOf(await encoder.next(100));
  demandCounted(readings, 23_450_001);
  const [from, to] = [readings.at(0), readings.at(-1)];
  // A tick a millisecond.
  const ticks = (to?.ticks ?? 0) - (from?.ticks ?? 0);
  expect(Math.abs(ticks - ((to?.time ?? 0) - (from?.time ?? 0)) / 1000)).toBeLessThanOrEqual(1);

  const port = await freePort();
  for (const name of ['scan', 'imu', 'encoder'] as const) await setup.send(name, 'TCP', port);
  const mixed = await TcpReceiver.open(port);
  const telegrams = await mixed.next(250);
  expect(new Set(telegrams.map(({ kind }) => kind))).toEqual(new Set(['scan', 'imu', 'encoder']));
  expect(mixed.dropped).toBe(0);
  demandCounted(encoderOf(telegrams), 23_450_001, encoderOf(telegrams)[0]?.sequence);
  const exit = await scanner.stop();
  expect(exit.code, exit.log).toBe(0);
  expect(exit.log).not.toMatch(/error/i);
});
