import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, test } from 'vitest';
import {
  encoderTelegram,
  imuTelegram,
  msgpackTelegram,
  type ScanOptions,
  scanModule,
  scanTelegram,
  u8,
  u16,
} from './by-hand.js';
import { decodeEncoder, decodeImu, decodeScan } from './compact.js';
import { Cutter } from './cutter.js';
import { decodeMsgpackScan } from './msgpack-scan.js';
import { decodeTelegram } from './telegram.js';

describe('scan data, Compact', () => {
  it('is read field by field', () => {
    const [segment] = decodeScan(scanTelegram());
    expect(segment).toEqual({
      format: 'Compact',
      ...{ sequence: 7, transmitTime: 1200, index: 3, frame: 160, sender: 23_370_016 },
      ...{ beams: 2, echoes: 2, firstTime: 1000, lastTime: 1092, scale: 1, available: true },
      ...{ elevation: 0, firstAzimuth: -1, lastAzimuth: 1, bytes: 32 + 72 + 22 + 4 },
      distance: [
        [1000, 0],
        [2000, 3000],
      ],
      rssi: [
        [500, 0],
        [600, 700],
      ],
      properties: [[0x21], [0]],
      azimuthCode: [11_169, 21_599],
      azimuth: [-1, 1],
    });
  });

  it('has a scale from version 4 on, 1 before', () => {
    const [version3] = decodeScan(scanTelegram({ version: 3, scale: Buffer.alloc(0) }));
    expect(version3?.distance[1]).toEqual([2000, 3000]);
    const two = Buffer.from([0, 0, 0, 0x40]);
    const [version4] = decodeScan(scanTelegram({ scale: two }));
    expect(version4?.distance[1]).toEqual([4000, 6000]);
  });

  it('contains what its content bits state', () => {
    const [bare] = decodeScan(scanTelegram({ contents: [1, 0], echoes: 1, beams: [u16(1), u16(2)] }));
    expect(bare).toMatchObject({
      distance: [[1], [2]],
      rssi: undefined,
      properties: undefined,
      azimuth: undefined,
    });
  });

  it('may have several modules', () => {
    const second = scanModule();
    const segments = decodeScan(scanTelegram({ next: second.length, behind: second }));
    expect(segments).toHaveLength(2);
  });

  test.each<[string, ScanOptions]>([
    ['another start', { marker: 0x02020203 }],
    ['another type', { type: 4 }],
    ['version 2', { version: 2 }],
    ['version 5', { version: 5 }],
    ['no module', { payload: 0 }],
    ['a size that is too small', { payload: 93 }],
    ['a size that is too large', { payload: 95 }],
    ['two rows', { rows: 2 }],
    ['no beams', { columns: 0, beams: [] }],
    ['fewer beams than announced', { columns: 3 }],
    ['more beams than announced', { columns: 1 }],
    ['four echoes', { echoes: 4 }],
    ['a last beam before the first', { lastTime: 999 }],
    ['scale 0', { scale: Buffer.alloc(4) }],
    ['a scale that is no number', { scale: Buffer.from([0, 0, 0xc0, 0x7f]) }],
    ['a module that is not there', { next: 94 }],
    ['availability 2', { availability: 2 }],
    ['a reserved byte', { reserved: 1 }],
    ['unknown content', { contents: [7, 3] }],
    ['bytes behind', { behind: u8(0) }],
    ['an echo behind an empty place', { beams: [Buffer.alloc(11), beamOf(0, 0, 5, 5)] }],
    ['echoes out of order', { beams: [Buffer.alloc(11), beamOf(6, 5, 5, 5)] }],
    ['an intensity of nothing', { beams: [Buffer.alloc(11), beamOf(6, 5, 0, 5)] }],
    ['unknown properties', { beams: [Buffer.alloc(11), beamOf(6, 5, 7, 5, 2)] }],
    ['times beyond all numbers', { index: 2 ** 53 }],
  ])('is refused with %s', (_, options) => {
    expect(() => decodeScan(scanTelegram(options))).toThrow(
      /^[a-z].*(expected|got|ends at|announced|behind|intensity|mean|beyond|before|no number|at least)/i,
    );
  });

  it('is refused if any bit is changed', () => {
    const telegram = scanTelegram();
    for (let at = 0; at < telegram.length; at += 1) {
      const damaged = Buffer.from(telegram);
      damaged.writeUInt8(damaged.readUInt8(at) ^ 0x10, at);
      expect(() => decodeScan(damaged), `byte ${at}`).toThrow();
    }
  });

  it('is refused if it is cut off anywhere', () => {
    const telegram = scanTelegram();
    for (let size = 0; size < telegram.length; size += 1) {
      expect(() => decodeScan(telegram.subarray(0, size)), `${size} bytes`).toThrow();
    }
  });
});

function beamOf(near: number, strength: number, far: number, farStrength: number, properties = 0): Buffer {
  return Buffer.concat([u16(near), u16(strength), u16(far), u16(farStrength), u8(properties), u16(0)]);
}

describe('IMU data', () => {
  it('is read field by field', () => {
    expect(decodeImu(imuTelegram())).toEqual({
      acceleration: [0.5, -0.25, 9.8125],
      angularVelocity: [0.125, 0, -0.5],
      orientation: [1, 0, 0, 0],
      time: 5000,
    });
  });

  it('is refused if a field is invalid', () => {
    const good = imuTelegram();
    expect(() => decodeImu(imuTelegram({ version: 2 }))).toThrow('version');
    expect(() => decodeImu(imuTelegram({ type: 3 }))).toThrow('type');
    expect(() => decodeImu(Buffer.concat([good, u8(0)]))).toThrow('size');
    const damaged = Buffer.from(good);
    damaged.writeUInt8(1, 40);
    expect(() => decodeImu(damaged)).toThrow('CRC');
  });
});

describe('encoder data', () => {
  it('is read field by field', () => {
    expect(decodeEncoder(encoderTelegram())).toEqual({
      ...{ sequence: 9, transmitTime: 7000, sender: 12_345_678, frame: 11, ticks: 4_000_000_000 },
      ...{ references: [40, 50], speed: -1000.5, time: 6999, referenceTimes: [100, 200] },
    });
  });

  it('is refused if a field is invalid', () => {
    const good = encoderTelegram();
    expect(() => decodeEncoder(encoderTelegram({ version: 2 }))).toThrow('version');
    expect(() => decodeEncoder(encoderTelegram({ payload: 53 }))).toThrow('payload length');
    expect(() => decodeEncoder(Buffer.concat([good, u8(0)]))).toThrow('size');
    const damaged = Buffer.from(good);
    damaged.writeUInt8(1, 60);
    expect(() => decodeEncoder(damaged)).toThrow('CRC');
  });
});

describe('scan data, MSGPACK', () => {
  it('is read field by field', () => {
    expect(decodeMsgpackScan(msgpackTelegram())).toMatchObject({
      format: 'MSGPACK',
      ...{ sequence: 7, transmitTime: 1200, index: 3, frame: 160, sender: 23_370_016 },
      ...{ beams: 2, echoes: 2, firstTime: 1000, lastTime: 1092, scale: 1, available: true },
      ...{ elevation: 0, firstAzimuth: -1, lastAzimuth: 1, azimuth: [-1, 1] },
      distance: [
        [1000, 0],
        [2000, 3000.25],
      ],
      rssi: [
        [500, 0],
        [600, 700],
      ],
      properties: [
        [1, 0],
        [0, 0],
      ],
    });
  });

  it('is refused if a field is invalid', () => {
    expect(() => decodeMsgpackScan(msgpackTelegram({ properties: [] }))).toThrow('one an echo');
    expect(() => decodeMsgpackScan(msgpackTelegram({ theta: u8(0) }))).toThrow('not a map');
    expect(() => decodeMsgpackScan(msgpackTelegram({ behind: u8(0) }))).toThrow('Extra 1 of');
    expect(() => decodeMsgpackScan(msgpackTelegram({ sequenceKey: 0xb2 }))).toThrow('begins with');
    const telegram = msgpackTelegram();
    for (let size = 0; size < telegram.length; size += 1) {
      expect(() => decodeMsgpackScan(telegram.subarray(0, size)), `${size} bytes`).toThrow();
    }
    for (let at = 0; at < telegram.length; at += 1) {
      const damaged = Buffer.from(telegram);
      damaged.writeUInt8(damaged.readUInt8(at) ^ 0x10, at);
      expect(() => decodeMsgpackScan(damaged), `byte ${at}`).toThrow();
    }
  });
});

describe('a stream over TCP', () => {
  const telegrams = [scanTelegram(), imuTelegram(), msgpackTelegram(), encoderTelegram(), scanTelegram()];
  const allBytes = Buffer.concat(telegrams);
  const kinds = ['scan', 'imu', 'scan', 'encoder', 'scan'];

  it.each([1, 7, 64, 5000])('is cut into its telegrams, in chunks of %i bytes', (size) => {
    const cutter = new Cutter();
    const found = [];
    for (let at = 0; at < allBytes.length; at += size)
      found.push(...cutter.push(allBytes.subarray(at, at + size)));
    expect(found.map(({ kind }) => kind)).toEqual(kinds);
    expect(found.map(({ bytes }) => bytes)).toEqual(telegrams);
    expect(cutter).toMatchObject({ dropped: 0, waiting: 0 });
  });

  it('continues after bytes that are not a telegram', () => {
    const damaged = scanTelegram();
    damaged.writeUInt8(9, 60);
    const cutter = new Cutter();
    const found = cutter.push(Buffer.concat([Buffer.from('rubbish'), damaged, allBytes]));
    expect(found.map(({ kind }) => kind)).toEqual(kinds);
    expect(cutter.dropped).toBe(7 + damaged.length);
  });
});

// Recordings of devices, which are not ours to hand on, and so are in no clone.
const recordings = fileURLToPath(new URL('../../../../shared/vectors', import.meta.url));

function recordingsOfDevices(): void {
  const recorded = (name: string) => decodeTelegram(readFileSync(join(recordings, `${name}.bin`)));

  it.each([
    [0, 243_829, 92_040_855_248, 2, 92_040_853_541, 5445, [9285, 11_970], [46, 4, 0], 1291, -78, -48.5],
    [1, 243_830, 92_040_858_923, 3, 92_040_859_079, 5467, [12_015, 14_700], [56, 30, 0], 841, -48, -18.5],
    [2, 243_831, 92_040_864_216, 4, 92_040_864_638, 5449, [14_746, 17_431], [60, 6, 0], 575, -18, 11.5],
  ])('are read: scan data %i', (...row) => {
    const [number, sequence, transmitTime, index, firstTime, span, codes, echoes, furthest, from, to] = row;
    const telegram = recorded(`picoScan150_profile1_scan-frame_${number}`);
    const [segment] = telegram.kind === 'scan' ? telegram.segments : [];
    expect(segment).toMatchObject({
      ...{ sequence, transmitTime, index, firstTime, frame: 160, sender: 23_370_016 },
      ...{ lastTime: firstTime + span, beams: 60, echoes: 3, elevation: 0, scale: 1, bytes: 1008 },
    });
    if (segment === undefined) throw new Error('no segment');
    expect([segment.azimuthCode?.at(0), segment.azimuthCode?.at(-1)]).toEqual(codes);
    const counts = [0, 1, 2].map((echo) => segment.distance.filter((beam) => (beam[echo] ?? 0) > 0).length);
    expect(counts).toEqual(echoes);
    expect(Math.max(...segment.distance.map(([first = 0]) => first))).toBe(furthest);
    expect((segment.firstAzimuth * 180) / Math.PI).toBeCloseTo(from, 4);
    expect((segment.lastAzimuth * 180) / Math.PI).toBeCloseTo(to, 4);
  });

  it.each([0, 1, 2])('are read: encoder %i', (number) => {
    const telegram = recorded(`picoScan150_encoder-frame_${number}`);
    expect(telegram.kind === 'encoder' && telegram.encoder).toEqual({
      ...{ sequence: 364_891 + number, transmitTime: 15_729_299_000 + 40_000 * number, sender: 24_130_021 },
      ...{ frame: 252_013 + number, ticks: 15_722_860 + 40 * number, references: [0, 0], speed: 1000 },
      ...{ time: 2_844_397_374 + 40_000 * number, referenceTimes: [0, 0] },
    });
  });

  it.each([
    [0, 3_283_806_506],
    [1, 3_283_816_588],
    [2, 3_283_826_670],
  ])('are read: IMU %i', (number, time) => {
    const telegram = recorded(`multiScan136_imu-frame_${number}`);
    if (telegram.kind !== 'imu') throw new Error('no IMU data');
    expect(telegram.imu.time).toBe(time);
    expect(telegram.imu.acceleration[2]).toBeCloseTo(9.51, 1);
    expect(Math.hypot(...telegram.imu.orientation)).toBeCloseTo(1, 3);
  });
}

if (existsSync(recordings)) describe('recordings of devices', recordingsOfDevices);
