import { crc32 } from 'node:zlib';
import { freePort } from '@azimuth/test-support/free-port';
import { expect, test } from 'vitest';
import { TcpReceiver, UdpReceiver } from './receivers.js';
import { imu, StreamingScanner, scan, settled, tcp, udp } from './scanner.js';

const counts = (telegrams: readonly Buffer[], type: number) =>
  telegrams.filter((telegram) => telegram.readUInt32LE(4) === type).length;

test('the IMU sends 64 bytes of Compact type 2, a hundred times a second', async () => {
  const scanner = await StreamingScanner.start();
  scanner.core.turning = {
    acceleration: [0.5, -1.25, 9.75],
    angularVelocity: [0.125, 0.25, -0.5],
    orientation: [0.5, -0.5, 0.5, -0.5],
  };
  const receiver = await UdpReceiver.open();
  scanner.set(imu.ImuDataEthSettings, udp(receiver.port));
  scanner.set(imu.ImuDataEnable, true);
  await settled();
  await scanner.run(1000);
  await settled();
  expect(receiver.telegrams).toHaveLength(100);
  const [first = Buffer.of(), second = Buffer.of()] = receiver.telegrams;
  expect(first.length).toBe(64);
  expect([first.readUInt32LE(0), first.readUInt32LE(4), first.readUInt32LE(8)]).toEqual([0x02020202, 2, 1]);
  const floats = Array.from({ length: 10 }, (_, index) => first.readFloatLE(12 + 4 * index));
  expect(floats).toEqual([0.5, -1.25, 9.75, 0.125, 0.25, -0.5, 0.5, -0.5, 0.5, -0.5]);
  expect(Number(second.readBigUInt64LE(52) - first.readBigUInt64LE(52))).toBe(10_000);
  expect(first.readUInt32LE(60)).toBe(crc32(first.subarray(0, 60)));
  // Scans need not be measured for it.
  expect(scanner.core.orders).toEqual([]);
});

test('the encoder sends 88 bytes of Compact type 4, 25 times a second', async () => {
  const scanner = await StreamingScanner.start();
  const receiver = await UdpReceiver.open();
  scanner.set(scan.EncSetting, 4);
  scanner.set(scan.EncoderDataEthSettings, udp(receiver.port));
  scanner.set(scan.EncoderDataEnable, true);
  await settled();
  await scanner.run(2000);
  await settled();
  expect(receiver.telegrams).toHaveLength(50);
  const [first = Buffer.of(), second = Buffer.of()] = receiver.telegrams;
  expect(first.length).toBe(88);
  expect([first.readUInt32LE(0), first.readUInt32LE(4)]).toEqual([0x02020202, 4]);
  expect([first.readBigUInt64LE(8), second.readBigUInt64LE(8)]).toEqual([1n, 2n]);
  expect([first.readUInt32LE(24), first.readUInt32LE(28)]).toEqual([1, 52]);
  expect(first.readUInt32LE(32)).toBe(12_345_678);
  expect(second.readBigUInt64LE(36) - first.readBigUInt64LE(36)).toBe(1n);
  // 1000 mm/s at 1 mm a tick, every 40 ms.
  expect(second.readUInt32LE(44) - first.readUInt32LE(44)).toBe(40);
  expect([first.readUInt32LE(48), first.readUInt32LE(52)]).toEqual([0, 0]);
  expect(first.readFloatLE(56)).toBe(1000);
  expect(second.readBigUInt64LE(60) - first.readBigUInt64LE(60)).toBe(40_000n);
  expect(first.readBigUInt64LE(16)).toBe(first.readBigUInt64LE(60));
  expect([first.readBigUInt64LE(68), first.readBigUInt64LE(76)]).toEqual([0n, 0n]);
  expect(first.readUInt32LE(84)).toBe(crc32(first.subarray(0, 84)));
});

test('all three streams are sent at the same time, each to its destination', async () => {
  const scanner = await StreamingScanner.start();
  const [a, b, c] = [await UdpReceiver.open(), await UdpReceiver.open(), await UdpReceiver.open()];
  scanner.sendScans(a.port);
  scanner.set(imu.ImuDataEthSettings, udp(b.port));
  scanner.set(imu.ImuDataEnable, true);
  scanner.set(scan.EncoderDataEthSettings, udp(c.port));
  scanner.set(scan.EncoderDataEnable, true);
  await scanner.runUntil(() => [a, b, c].every(({ telegrams }) => telegrams.length > 10));
  expect([counts(a.telegrams, 1), counts(b.telegrams, 2), counts(c.telegrams, 4)]).toEqual(
    [a, b, c].map(({ telegrams }) => telegrams.length),
  );
  const samples = await scanner.metrics();
  for (const stream of ['scan', 'imu', 'encoder']) {
    expect(samples.get(`azimuth_telegrams_total{stream="${stream}"}`)).toBeGreaterThan(10);
  }
});

test('if scans use MSGPACK, the IMU stream continues', async () => {
  const scanner = await StreamingScanner.start();
  const [a, b] = [await UdpReceiver.open(), await UdpReceiver.open()];
  scanner.sendScans(a.port);
  scanner.set(imu.ImuDataEthSettings, udp(b.port));
  scanner.set(imu.ImuDataEnable, true);
  scanner.set(scan.ScanDataFormat, 1);
  await scanner.runUntil(() => a.telegrams.length > 3 && b.telegrams.length > 3);
  expect(counts(b.telegrams, 2)).toBe(b.telegrams.length);
});

test('two streams with one port share its clients, which get both', async () => {
  const scanner = await StreamingScanner.start();
  const port = await freePort();
  scanner.set(imu.ImuDataEthSettings, tcp(port));
  scanner.set(imu.ImuDataEnable, true);
  scanner.set(scan.EncoderDataEthSettings, tcp(port));
  scanner.set(scan.EncoderDataEnable, true);
  await settled();
  const [one, other] = [await TcpReceiver.open(port), await TcpReceiver.open(port)];
  const both = ({ telegrams }: TcpReceiver) => counts(telegrams, 2) > 5 && counts(telegrams, 4) > 5;
  await scanner.runUntil(() => both(one) && both(other));
  // One of them leaves: the port stays.
  scanner.set(imu.ImuDataEnable, false);
  await settled();
  const [imuBefore, encoderBefore] = [counts(one.telegrams, 2), counts(one.telegrams, 4)];
  await scanner.runUntil(() => counts(one.telegrams, 4) > encoderBefore + 5);
  expect(counts(one.telegrams, 2)).toBe(imuBefore);
  scanner.set(scan.EncoderDataEnable, false);
  await scanner.runUntil(() => one.isClosed && other.isClosed);
  await expect(TcpReceiver.open(port)).rejects.toThrow('ECONNREFUSED');
});

test('the variant basic has neither, and scan data works there', async () => {
  const scanner = await StreamingScanner.start({ variant: 'basic' });
  const receiver = await UdpReceiver.open();
  expect(() => scanner.set(imu.ImuDataEnable, true)).toThrow();
  expect(() => scanner.set(scan.EncoderDataEnable, true)).toThrow();
  scanner.sendScans(receiver.port);
  await scanner.runUntil(() => receiver.telegrams.length > 2);
  expect(scanner.testScanner.log.errors).toEqual([]);
});

test('a release below 2.2.0 has the IMU, and no encoder', async () => {
  const scanner = await StreamingScanner.start({ release: '2.1.0' });
  const receiver = await UdpReceiver.open();
  expect(() => scanner.set(scan.EncoderDataEnable, true)).toThrow();
  scanner.set(imu.ImuDataEthSettings, udp(receiver.port));
  scanner.set(imu.ImuDataEnable, true);
  await scanner.runUntil(() => receiver.telegrams.length > 2);
  expect(counts(receiver.telegrams, 2)).toBe(receiver.telegrams.length);
});

test('the encoder counts from 1 after a reboot', async () => {
  const scanner = await StreamingScanner.start();
  const receiver = await UdpReceiver.open();
  scanner.set(scan.EncoderDataEthSettings, udp(receiver.port));
  scanner.set(scan.EncoderDataEnable, true);
  await scanner.runUntil(() => receiver.telegrams.length > 2);
  await scanner.testScanner.service.device.features.saving.storeWorking();
  await settled();
  const before = receiver.telegrams.length;
  await scanner.reboot();
  await scanner.runUntil(() => receiver.telegrams.length > before);
  expect(receiver.telegrams[before]?.readBigUInt64LE(8)).toBe(1n);
});

test.each([
  ['999999999', 999_999_999],
  ['00042', 42],
])('the serial number %s is sent as %i', async (serial, sender) => {
  expect(await senderOf(serial)).toBe(sender);
});

test('a serial number that is no number is sent as a constant number', async () => {
  const told = [await senderOf('GATE3'), await senderOf('GATE3'), await senderOf('GATE4')];
  expect(told[1]).toBe(told[0]);
  expect(new Set(told).size).toBe(2);
  expect(told).not.toContain(0);
});

async function senderOf(serial: string): Promise<number | undefined> {
  const scanner = await StreamingScanner.start({ serial });
  const receiver = await UdpReceiver.open();
  scanner.set(scan.EncoderDataEthSettings, udp(receiver.port));
  scanner.set(scan.EncoderDataEnable, true);
  await scanner.runUntil(() => receiver.telegrams.length > 0);
  return receiver.telegrams[0]?.readUInt32LE(32);
}
