import { freePort } from '@azimuth/test-support/free-port';
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
import { serial, VirtualScanner } from '@azimuth/test-support/streams/virtual-scanner';
import { expect, it } from 'vitest';

const expected = { sender: serial, sizes: segmentSizes(profileOf(2)) };

it('counts without a gap for a minute, three streams at once', async () => {
  const scanner = await VirtualScanner.start();
  const scan = await UdpReceiver.open();
  const imu = await UdpReceiver.open();
  const encoder = await UdpReceiver.open();
  await scanner.send('scan', 'UDP', scan.port);
  await scanner.send('imu', 'UDP', imu.port);
  await scanner.send('encoder', 'UDP', encoder.port);
  await scanner.pass(60_000, 20);

  // 15 turns a second; of the last one, the quarter that is not seen may be under way.
  const audit = new StreamAudit({ ...expected, latest: 1 });
  audit.add(await scan.next(900 * 10));
  expect(audit.frames).toBe(900);
  expect(scan.unread).toBeLessThanOrEqual(1);

  const motions = imuOf(await imu.next(6000));
  expect(motions).toHaveLength(6000);
  demandEven(
    'IMU',
    motions.map(({ time }) => time),
    10_000,
    1,
  );
  demandAtRest(motions);
  expect(imu.unread).toBe(0);

  const readings = encoderOf(await encoder.next(1500));
  expect(readings).toHaveLength(1500);
  demandCounted(readings, serial);
  demandEven(
    'encoder',
    readings.map(({ time }) => time),
    40_000,
    1,
  );
  expect(encoder.unread).toBe(0);
  expect(scanner.log.errors).toEqual([]);
});

it('mixes scan, IMU and encoder data on one TCP port, telegram by telegram', async () => {
  const scanner = await VirtualScanner.start();
  const port = await freePort();
  for (const name of ['scan', 'imu', 'encoder'] as const) await scanner.send(name, 'TCP', port);
  const receiver = await TcpReceiver.open(port);
  await scanner.connected(1);
  await scanner.pass(5000);
  const telegrams = await receiver.next(749 + 500 + 125);

  const audit = new StreamAudit(expected);
  audit.add(telegrams.filter(({ kind }) => kind === 'scan'));
  expect(audit.frames).toBeGreaterThanOrEqual(74);
  const motions = imuOf(telegrams);
  expect(motions.length).toBeGreaterThanOrEqual(499);
  demandEven(
    'IMU',
    motions.map(({ time }) => time),
    10_000,
    1,
  );
  const readings = encoderOf(telegrams);
  expect(readings.length).toBeGreaterThanOrEqual(124);
  demandCounted(readings, serial);
  expect(receiver.dropped).toBe(0);
});
