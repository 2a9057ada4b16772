import { crc32 } from 'node:zlib';
import { basicSettings } from '@azimuth/model';
import { decodeTelegram } from '@azimuth/telegrams';
import { expect, test } from 'vitest';
import { UdpReceiver } from './receivers.js';
import { StreamingScanner, scan, settled, udp } from './scanner.js';

const degree = Math.PI / 180;

async function started(wishes = {}) {
  const scanner = await StreamingScanner.start(wishes);
  const receiver = await UdpReceiver.open();
  scanner.sendScans(receiver.port);
  async function come(count: number): Promise<void> {
    await scanner.runUntil(() => receiver.telegrams.length >= count);
    // Telegrams that were sent before arrive, too.
    await settled();
  }
  return { scanner, receiver, come };
}

const sequence = (telegram: Buffer) => Number(telegram.readBigUInt64LE(8));

test('every segment is sent as a Compact telegram of type 1', async () => {
  const { receiver, come } = await started();
  await come(3);
  const [first, second] = receiver.telegrams;
  if (first === undefined || second === undefined) throw new Error('two telegrams expected');
  // 15 Hz, a third of a degree: 90 beams of 15 bytes behind 72 of metadata.
  expect(first.length).toBe(32 + 72 + 1350 + 4);
  expect(first.readUInt32LE(0)).toBe(0x02020202);
  expect(first.readUInt32LE(4)).toBe(1);
  expect(first.readBigUInt64LE(8)).toBe(1n);
  expect(first.readUInt32LE(24)).toBe(4);
  expect(first.readUInt32LE(28)).toBe(1422);
  expect(first.readBigUInt64LE(32)).toBe(0n);
  expect(first.readUInt32LE(48)).toBe(12_345_678);
  expect([first.readUInt32LE(52), first.readUInt32LE(56), first.readUInt32LE(60)]).toEqual([1, 90, 3]);
  // 89 beams, 1 000 000 / (15 × 1080) µs apart.
  expect(Number(first.readBigUInt64LE(72) - first.readBigUInt64LE(64))).toBeCloseTo(5493.8, -0.5);
  expect(first.readFloatLE(80)).toBe(0);
  expect(first.readFloatLE(84)).toBeCloseTo(-138 * degree, 5);
  expect(first.readFloatLE(88)).toBeCloseTo((-108 - 1 / 3) * degree, 5);
  expect(first.readFloatLE(92)).toBe(1);
  expect(first.readUInt32LE(96)).toBe(0);
  expect([...first.subarray(100, 104)]).toEqual([1, 3, 3, 0]);
  // The first beam: one echo at 2 m, two empty places, properties, azimuth.
  expect([first.readUInt16LE(104), first.readUInt16LE(106)]).toEqual([2000, 1028]);
  expect([...first.subarray(108, 116)]).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  expect(first.readUInt16LE(117)).toBe(Math.round(-138 * degree * 5215) + 16384);
  expect(first.readUInt32LE(1454)).toBe(crc32(first.subarray(0, 1454)));
  expect(second.readFloatLE(84)).toBeCloseTo(-108 * degree, 5);
});

test('with long range, distances above 65.5 m are sent in steps of 2 mm', async () => {
  const { scanner, receiver, come } = await started();
  await come(1);
  scanner.core.distance = 100_000;
  scanner.set(basicSettings.members.EnableLongRangeMode, true);
  await settled();
  const before = receiver.telegrams.length;
  await come(before + 20);
  const last = receiver.telegrams.at(-1) ?? Buffer.of();
  // The scale of the module, and the first echo of the first beam.
  expect(last.readFloatLE(92)).toBe(2);
  expect(last.readUInt16LE(104)).toBe(50_000);

  scanner.set(basicSettings.members.EnableLongRangeMode, false);
  const long = receiver.telegrams.length;
  await come(long + 20);
  const short = receiver.telegrams.at(-1) ?? Buffer.of();
  expect(short.readFloatLE(92)).toBe(1);
});

test('the time of transmission in a telegram is that of its last beam', async () => {
  const { receiver, come } = await started();
  await come(12);
  for (const telegram of receiver.telegrams) {
    const late = Number(telegram.readBigUInt64LE(16) - telegram.readBigUInt64LE(72));
    expect(late).toBeGreaterThanOrEqual(-1);
    expect(late).toBeLessThanOrEqual(1);
  }
});

test('the telegram counter counts telegrams, segments are 0 to 9, frames count revolutions', async () => {
  const { receiver, come } = await started();
  await come(31);
  const told = receiver.telegrams.slice(0, 31);
  expect(told.map(sequence)).toEqual(Array.from({ length: 31 }, (_, index) => index + 1));
  expect(told.map((telegram) => Number(telegram.readBigUInt64LE(32)))).toEqual(
    Array.from({ length: 31 }, (_, index) => index % 10),
  );
  const frames = told.map((telegram) => Number(telegram.readBigUInt64LE(40)));
  const [frame = 0] = frames;
  expect(frames).toEqual(Array.from({ length: 31 }, (_, index) => frame + Math.floor(index / 10)));
});

test('the format can be changed while sending, without a gap', async () => {
  const { scanner, receiver, come } = await started();
  await come(3);
  const before = receiver.telegrams.length;
  scanner.set(scan.ScanDataFormat, 1);
  await come(before + 2);
  const telegram = receiver.telegrams[before] ?? Buffer.of();
  expect(telegram.readUInt32LE(0)).toBe(0x02020202);
  const payload = telegram.subarray(8, -4);
  expect(telegram.readUInt32LE(4)).toBe(payload.length);
  expect(telegram.readUInt32LE(telegram.length - 4)).toBe(crc32(payload));
  // {0x10: 0x90, 0x11: {0xB0: the number of the telegram, …
  expect([...payload.subarray(0, 9)]).toEqual([0x82, 0x10, 0xcc, 0x90, 0x11, 0x88, 0xcc, 0xb0, before + 1]);
  scanner.set(scan.ScanDataFormat, 2);
  const both = receiver.telegrams.length;
  await come(both + 1);
  expect(sequence(receiver.telegrams[both] ?? Buffer.of())).toBe(both + 1);
});

test.each([
  { includeRssi: false, includeProperties: true, beam: 9, echo: 1, beamBits: 3 },
  { includeRssi: true, includeProperties: false, beam: 14, echo: 3, beamBits: 2 },
  { includeRssi: false, includeProperties: false, beam: 8, echo: 1, beamBits: 2 },
])('Compact contains what is switched on: $includeRssi, $includeProperties', async (wish) => {
  const { includeRssi, includeProperties, beam, echo, beamBits } = wish;
  const { scanner, receiver, come } = await started();
  await come(1);
  const before = receiver.telegrams.length;
  scanner.set(scan.compactTelegramType1Content, { includeRssi, includeProperties });
  await come(before + 1);
  const telegram = receiver.telegrams[before] ?? Buffer.of();
  expect(telegram.length).toBe(32 + 72 + 90 * beam + 4);
  expect([telegram.readUInt8(101), telegram.readUInt8(102)]).toEqual([echo, beamBits]);
  expect(sequence(telegram)).toBe(before + 1);
});

test('MSGPACK contains everything, whatever is switched on for Compact', async () => {
  const { scanner, receiver, come } = await started();
  scanner.set(scan.ScanDataFormat, 1);
  await come(1);
  const before = receiver.telegrams.length;
  scanner.set(scan.compactTelegramType1Content, { includeRssi: false, includeProperties: false });
  await come(before + 1);
  const telegram = receiver.telegrams[before] ?? Buffer.of();
  // 90 beams: three distances of 4 bytes, strengths of 2, properties of 1, and an angle of 4.
  expect(telegram.length).toBeGreaterThan(90 * (3 * 7 + 4));
});

test('a new destination gets the next telegram', async () => {
  const { scanner, receiver, come } = await started();
  await come(4);
  const other = await UdpReceiver.open();
  const before = receiver.telegrams.length;
  scanner.set(scan.ScanDataEthSettings, udp(other.port));
  await scanner.runUntil(() => other.telegrams.length >= 2);
  expect(sequence(other.telegrams[0] ?? Buffer.of())).toBe(before + 1);
  expect(receiver.telegrams).toHaveLength(before);
});

test('a stream that is off does not observe the scanner', async () => {
  const { scanner, receiver, come } = await started();
  await come(2);
  scanner.set(scan.ScanDataEnable, false);
  const sent = receiver.telegrams.length;
  await scanner.run(200);
  const { computed } = scanner.core;
  await scanner.run(1000);
  expect(scanner.core.computed).toBe(computed);
  expect(receiver.telegrams).toHaveLength(sent);
  scanner.set(scan.ScanDataEnable, true);
  await come(sent + 1);
  expect(sequence(receiver.telegrams[sent] ?? Buffer.of())).toBe(sent + 1);
});

test('a scanner without streams measures nothing, and loads nothing for them', async () => {
  const scanner = await StreamingScanner.start();
  await scanner.run(500);
  expect(scanner.core.orders).toEqual([]);
  const samples = await scanner.metrics();
  expect(samples.get('azimuth_telegrams_total{stream="scan"}')).toBe(0);
});

test.each([
  [3, 'LMDscandata', {}],
  [4, 'NativeROS2', { release: '2.1.0' }],
] as const)('format %i is not sent, and this is logged once', async (format, name, wishes) => {
  const { scanner, receiver, come } = await started(wishes);
  await come(1);
  scanner.set(scan.ScanDataFormat, format);
  const sent = receiver.telegrams.length;
  await scanner.run(100);
  scanner.set(scan.ScanDataEthSettings, udp(receiver.port));
  await scanner.run(500);
  expect(receiver.telegrams).toHaveLength(sent);
  const lines = scanner.lines('warn', 'Scan data: nothing is sent');
  expect(lines).toHaveLength(1);
  expect(lines[0]?.facts.reason).toContain(name);
  const sample = 'azimuth_stream_down{stream="scan",reason="format"}';
  expect((await scanner.metrics()).get(sample)).toBe(1);
  scanner.set(scan.ScanDataFormat, 2);
  await come(sent + 1);
  expect(sequence(receiver.telegrams[sent] ?? Buffer.of())).toBe(sent + 1);
  expect((await scanner.metrics()).has(sample)).toBe(false);
});

test('after a reboot the stored settings apply, and telegrams count from 1', async () => {
  const { scanner, receiver, come } = await started();
  await scanner.testScanner.service.device.features.saving.storeWorking();
  const other = await UdpReceiver.open();
  await come(5);
  scanner.set(scan.ScanDataEthSettings, udp(other.port));
  await scanner.runUntil(() => other.telegrams.length >= 2);
  const before = receiver.telegrams.length;
  await scanner.reboot();
  await come(before + 2);
  expect(sequence(receiver.telegrams[before] ?? Buffer.of())).toBe(1);
});

test('a scanner that is down sends nothing', async () => {
  const { scanner, receiver, come } = await started();
  await come(2);
  scanner.testScanner.service.device.lifecycle.reboot();
  await settled();
  const sent = receiver.telegrams.length;
  await scanner.run(1000);
  expect(receiver.telegrams).toHaveLength(sent);
});

test('a stream that was switched off without being stored is on again after a reboot', async () => {
  const { scanner, receiver, come } = await started();
  await scanner.testScanner.service.device.features.saving.storeWorking();
  await come(1);
  scanner.set(scan.ScanDataEnable, false);
  await settled();
  const sent = receiver.telegrams.length;
  await scanner.reboot();
  await come(sent + 1);
  expect(sequence(receiver.telegrams[sent] ?? Buffer.of())).toBe(1);
});

test('factory defaults switch it off', async () => {
  const { scanner, receiver, come } = await started();
  await come(1);
  await scanner.testScanner.client().call('LoadFactoryDefaults');
  await settled();
  const sent = receiver.telegrams.length;
  await scanner.run(500);
  expect(receiver.telegrams).toHaveLength(sent);
});

test.each(['1.4.0', '2.2.0'] as const)(
  'release %s, which has no choice, sends all content',
  async (release) => {
    const { receiver, come } = await started({ release });
    await come(1);
    expect([...(receiver.telegrams[0] ?? Buffer.of()).subarray(101, 103)]).toEqual([3, 3]);
  },
);

test('the variant basic sends scan data', async () => {
  const { receiver, come } = await started({ variant: 'basic' });
  await come(11);
  expect(receiver.telegrams.map(sequence).slice(0, 11)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
});

test('the variant picoScan120 sends the first echo alone, of beams every tenth of a degree', async () => {
  const { receiver, come } = await started({ variant: 'picoScan120' });
  await come(1);
  const decoded = decodeTelegram(receiver.telegrams[0] ?? Buffer.of());
  expect(decoded).toMatchObject({ kind: 'scan', telegram: { modules: [{ echoes: 1, columns: 300 }] } });
});

test('skipped revolutions are counted', async () => {
  const { scanner, come } = await started();
  await come(20);
  expect((await scanner.metrics()).get('azimuth_scans_skipped_total')).toBe(0);
  scanner.core.prepared = (turn) => Object.assign(turn, { number: turn.number + 1 });
  await come(40);
  expect((await scanner.metrics()).get('azimuth_scans_skipped_total')).toBe(1);
});

test('telegrams, bytes and scans are counted', async () => {
  const { scanner, receiver, come } = await started();
  await come(20);
  await settled();
  const count = receiver.telegrams.length;
  const samples = await scanner.metrics();
  expect(samples.get('azimuth_telegrams_total{stream="scan"}')).toBe(count);
  const bytes = receiver.telegrams.reduce((sum, { length }) => sum + length, 0);
  expect(samples.get('azimuth_telegram_bytes_total{stream="scan"}')).toBe(bytes);
  expect(samples.get('azimuth_scans_total')).toBe(scanner.core.computed);
  expect(samples.get('azimuth_telegrams_total{stream="imu"}')).toBe(0);
});
