import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  decodeTelegram,
  encodeCompactScan,
  encodeEncoder,
  encodeImu,
  type ScanModule,
  type ScanTelegram,
} from '@azimuth/telegrams';
import { encoderBytes, imuBytes, scanBytes } from '@azimuth/test-support/golden/compact';
import { hexOf } from '@azimuth/test-support/golden/hex';
import { describe, expect, test } from 'vitest';

/** A folder with telegrams of devices, which may not be published. If it exists, the codecs are tested with them. */
const folder = fileURLToPath(new URL('../../../../shared/vectors', import.meta.url));

const atHand = existsSync(folder);

function recorded(name: string, instead: Uint8Array): Uint8Array {
  return atHand ? readFileSync(`${folder}/${name}`) : instead;
}

const degrees = 180 / Math.PI;

describe('telegrams as devices send them', () => {
  test.each([
    {
      frame: 0,
      sequence: 243829,
      sent: 92040855248,
      segment: 2,
      first: 92040853541,
      took: 5445,
      from: -78,
      codes: [9285, 11970],
      echoes: [46, 4, 0],
      most: 1291,
    },
    {
      frame: 1,
      sequence: 243830,
      sent: 92040858923,
      segment: 3,
      first: 92040859079,
      took: 5467,
      from: -48,
      codes: [12015, 14700],
      echoes: [56, 30, 0],
      most: 841,
    },
    {
      frame: 2,
      sequence: 243831,
      sent: 92040864216,
      segment: 4,
      first: 92040864638,
      took: 5449,
      from: -18,
      codes: [14746, 17431],
      echoes: [60, 6, 0],
      most: 575,
    },
  ])('a scan, segment $segment, is read and written as it was', (facts) => {
    const bytes = recorded(`picoScan150_profile1_scan-frame_${facts.frame}.bin`, scanBytes);
    const telegram = scanIn(bytes);
    expect(hexOf(encodeCompactScan(telegram))).toBe(hexOf(bytes));
    if (!atHand) return;
    const { sequence, transmitTime, version, modules } = telegram;
    expect({ sequence, transmitTime, version, modules: modules.length }).toEqual({
      sequence: facts.sequence,
      transmitTime: facts.sent,
      version: 4,
      modules: 1,
    });
    const [module] = modules;
    expect(module).toMatchObject({
      segmentIndex: facts.segment,
      frameNumber: 160,
      sender: 23370016,
      rows: 1,
      columns: 60,
      echoes: 3,
      firstBeamTime: [facts.first],
      lastBeamTime: [facts.first + facts.took],
      elevation: [0],
      scale: 1,
      availability: 1,
    });
    if (module === undefined) return;
    expect((module.firstAzimuth[0] ?? 0) * degrees).toBeCloseTo(facts.from, 4);
    expect((module.lastAzimuth[0] ?? 0) * degrees).toBeCloseTo(facts.from + 29.5, 4);
    const { azimuth = new Float32Array(60), distance } = module;
    expect([azimuth[0], azimuth[59]].map((rad = 0) => Math.round(rad * 5215) + 16384)).toEqual(facts.codes);
    expect([0, 1, 2].map((echo) => echoesOf(module, echo))).toEqual(facts.echoes);
    const nearest = distance.filter((_, place) => place % 3 === 0);
    expect(Math.max(...nearest)).toBe(facts.most);
  });

  test.each([
    { frame: 0, sequence: 364891, number: 252013, ticks: 15722860, time: 2844397374, sent: 15729299000 },
    { frame: 1, sequence: 364892, number: 252014, ticks: 15722900, time: 2844437374, sent: 15729339000 },
    { frame: 2, sequence: 364893, number: 252015, ticks: 15722940, time: 2844477374, sent: 15729379000 },
  ])('an encoder, frame $number, is read and written as it was', (facts) => {
    const bytes = recorded(`picoScan150_encoder-frame_${facts.frame}.bin`, encoderBytes);
    const read = decodeTelegram(bytes);
    if (read.kind !== 'encoder') throw new Error(`expected encoder, got ${read.kind}`);
    expect(hexOf(encodeEncoder(read.telegram))).toBe(hexOf(bytes));
    if (!atHand) return;
    expect(read.telegram).toEqual({
      sequence: facts.sequence,
      transmitTime: facts.sent,
      sender: 24130021,
      frameNumber: facts.number,
      ticks: facts.ticks,
      references: [0, 0],
      speed: 1000,
      time: facts.time,
      referenceTimes: [0, 0],
    });
  });

  test.each([
    { frame: 0, time: 3283806506, acceleration: [-1.29, 0.88, 9.51] },
    { frame: 1, time: 3283816588, acceleration: undefined },
    { frame: 2, time: 3283826670, acceleration: undefined },
  ])('a motion at $time µs is read and written as it was', ({ frame, time, acceleration }) => {
    const bytes = recorded(`multiScan136_imu-frame_${frame}.bin`, imuBytes);
    const read = decodeTelegram(bytes);
    if (read.kind !== 'imu') throw new Error(`expected motion, got ${read.kind}`);
    expect(hexOf(encodeImu(read.telegram))).toBe(hexOf(bytes));
    if (!atHand) return;
    expect(read.telegram.time).toBe(time);
    expect(Math.hypot(...read.telegram.orientation)).toBeCloseTo(1, 3);
    acceleration?.forEach((value, axis) => {
      expect(read.telegram.acceleration[axis]).toBeCloseTo(value, 2);
    });
  });
});

function scanIn(bytes: Uint8Array): ScanTelegram {
  const read = decodeTelegram(bytes);
  if (read.kind !== 'scan') throw new Error(`expected scan, got ${read.kind}`);
  return read.telegram;
}

function echoesOf({ distance, echoes }: ScanModule, echo: number): number {
  return distance.filter((mm, place) => place % echoes === echo && mm > 0).length;
}
