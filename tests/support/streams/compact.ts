import { BadTelegram, Cursor, demand, demandCrc, startMarker } from './bytes.js';
import type { Segment } from './telegram.js';

export interface ImuTelegram {
  readonly acceleration: readonly number[];
  readonly angularVelocity: readonly number[];
  /** w, x, y, z. */
  readonly orientation: readonly number[];
  readonly time: number;
}

export interface EncoderTelegram {
  readonly sequence: number;
  readonly transmitTime: number;
  readonly sender: number;
  readonly frame: number;
  readonly ticks: number;
  readonly references: readonly [number, number];
  readonly speed: number;
  readonly time: number;
  readonly referenceTimes: readonly [number, number];
}

const headerSize = 32;
const crcSize = 4;
const imuSize = 64;
const encoderPayload = 52;

interface Header {
  readonly sequence: number;
  readonly transmitTime: number;
  readonly version: number;
  readonly payload: number;
}

/** Distance and intensity of an echo; properties and azimuth of a beam. */
const bit = { distance: 1, intensity: 2, properties: 1, azimuth: 2 } as const;

/** The number that stands for an angle in rad, not yet rounded. */
export function azimuthCodeOf(rad: number): number {
  return rad * 5215 + 16_384;
}

function header(cursor: Cursor, type: number, versions: readonly number[]): Header {
  demand('start of frame', cursor.u32('start of frame'), startMarker);
  demand('telegram type', cursor.u32('telegram type'), type);
  const sequence = cursor.u64('telegram sequence number');
  const transmitTime = cursor.u64('transmit timestamp');
  const version = cursor.u32('telegram version');
  demand('telegram version', version, ...versions);
  return { sequence, transmitTime, version, payload: cursor.u32('payload length') };
}

/** @throws BadTelegram for anything that is not a whole scan telegram (type 1), and nothing but it */
export function decodeScan(telegram: Buffer): readonly Segment[] {
  const cursor = new Cursor(telegram);
  const head = header(cursor, 1, [3, 4]);
  if (head.payload === 0) throw new BadTelegram('payload length: 0, a telegram has at least one module');
  const segments: Segment[] = [];
  for (let size = head.payload, number = 1; size !== 0; number += 1) {
    const begin = cursor.offset;
    const { segment, next } = module(cursor, head, telegram.length);
    if (cursor.offset - begin !== size) {
      throw new BadTelegram(
        `module ${number}: ${size} bytes announced, its content takes ${cursor.offset - begin}`,
      );
    }
    const [first = segment] = segments;
    demand(`segment index of module ${number}`, segment.index, first.index);
    demand(`frame number of module ${number}`, segment.frame, first.frame);
    segments.push(segment);
    size = next;
  }
  demand('bytes behind the modules', cursor.left, crcSize);
  demandCrc(telegram, cursor.offset, telegram.subarray(0, cursor.offset));
  return segments;
}

function module(cursor: Cursor, head: Header, bytes: number): { segment: Segment; next: number } {
  const index = cursor.u64('segment index');
  const frame = cursor.u64('frame sequence number');
  const sender = cursor.u32('sender');
  const rows = cursor.u32('rows');
  demand('rows of a 2D scanner', rows, 1);
  const beams = cursor.u32('columns');
  const echoes = cursor.u32('echoes');
  if (beams < 1) throw new BadTelegram('columns: at least 1 expected, got 0');
  demand('echoes', echoes, 1, 2, 3);
  const firstTime = cursor.u64('time of first beam');
  const lastTime = cursor.u64('time of last beam');
  if (lastTime < firstTime)
    throw new BadTelegram(`time of last beam: ${lastTime} is before the first, ${firstTime}`);
  const elevation = cursor.f32('elevation');
  const firstAzimuth = cursor.f32('azimuth of first beam');
  const lastAzimuth = cursor.f32('azimuth of last beam');
  const scale = head.version === 4 ? cursor.f32('distance scale') : 1;
  if (scale <= 0) throw new BadTelegram(`distance scale: above 0 expected, got ${scale}`);
  const next = cursor.u32('size of next module');
  const availability = cursor.u8('availability');
  demand('availability', availability, 0, 1);
  const echoContent = cursor.u8('echo content');
  demand('echo content', echoContent, 0, 1, 2, 3);
  const beamContent = cursor.u8('beam content');
  demand('beam content', beamContent, 0, 1, 2, 3);
  demand('reserved byte', cursor.u8('reserved byte'), 0);

  const distance: number[][] = [];
  const rssi: number[][] = [];
  const properties: number[][] = [];
  const azimuthCode: number[] = [];
  for (let beam = 0; beam < beams; beam += 1) {
    const distances: number[] = [];
    const strengths: number[] = [];
    for (let echo = 0; echo < echoes; echo += 1) {
      if ((echoContent & bit.distance) !== 0) distances.push(cursor.u16('distance') * scale);
      if ((echoContent & bit.intensity) !== 0) strengths.push(cursor.u16('intensity'));
    }
    if ((beamContent & bit.properties) !== 0) properties.push([propertiesIn(cursor)]);
    if ((beamContent & bit.azimuth) !== 0) azimuthCode.push(cursor.u16('azimuth'));
    distance.push(distances);
    rssi.push(strengths);
    demandOrder(beam, distances, strengths);
  }
  const hasAzimuth = (beamContent & bit.azimuth) !== 0;
  const segment: Segment = {
    format: 'Compact',
    sequence: head.sequence,
    transmitTime: head.transmitTime,
    ...{ index, frame, sender, beams, echoes, firstTime, lastTime },
    ...{ elevation, firstAzimuth, lastAzimuth, scale, distance, bytes },
    available: availability === 1,
    rssi: (echoContent & bit.intensity) === 0 ? undefined : rssi,
    properties: (beamContent & bit.properties) === 0 ? undefined : properties,
    azimuthCode: hasAzimuth ? azimuthCode : undefined,
    azimuth: hasAzimuth ? azimuthCode.map((code) => (code - 16_384) / 5215) : undefined,
  };
  return { segment, next };
}

function propertiesIn(cursor: Cursor): number {
  const value = cursor.u8('properties');
  if ((value & 0b0001_1110) !== 0)
    throw new BadTelegram(`properties: bits 1 to 4 mean nothing, got ${value}`);
  return value;
}

/** Echoes come nearest first, and unused places behind them are 0 in both fields. */
export function demandOrder(beam: number, distances: readonly number[], strengths: readonly number[]): void {
  for (let echo = 0; echo < distances.length; echo += 1) {
    const here = distances[echo] ?? 0;
    const before = echo === 0 ? Number.EPSILON : (distances[echo - 1] ?? 0);
    if (here !== 0 && before === 0) throw new BadTelegram(`beam ${beam}: echo ${echo} behind an empty place`);
    if (here !== 0 && here < before)
      throw new BadTelegram(`beam ${beam}: echo ${echo} at ${here} before ${before}`);
    if (here === 0 && (strengths[echo] ?? 0) !== 0) {
      throw new BadTelegram(`beam ${beam}: an intensity without a distance in place ${echo}`);
    }
  }
}

/** @throws BadTelegram for anything that is not an IMU telegram (type 2), and nothing but it */
export function decodeImu(telegram: Buffer): ImuTelegram {
  demand('size of an IMU telegram', telegram.length, imuSize);
  const cursor = new Cursor(telegram);
  demand('start of frame', cursor.u32('start of frame'), startMarker);
  demand('telegram type', cursor.u32('telegram type'), 2);
  demand('telegram version', cursor.u32('telegram version'), 1);
  const acceleration = cursor.list(3, () => cursor.f32('acceleration'));
  const angularVelocity = cursor.list(3, () => cursor.f32('angular velocity'));
  const orientation = cursor.list(4, () => cursor.f32('orientation'));
  const time = cursor.u64('time');
  demandCrc(telegram, cursor.offset, telegram.subarray(0, cursor.offset));
  return { acceleration, angularVelocity, orientation, time };
}

/** @throws BadTelegram for anything that is not an encoder telegram (type 4), and nothing but it */
export function decodeEncoder(telegram: Buffer): EncoderTelegram {
  const cursor = new Cursor(telegram);
  const { sequence, transmitTime, payload } = header(cursor, 4, [1]);
  demand('payload length', payload, encoderPayload);
  demand('size of an encoder telegram', telegram.length, headerSize + encoderPayload + crcSize);
  const sender = cursor.u32('sender');
  const frame = cursor.u64('frame sequence number');
  const ticks = cursor.u32('tick counter');
  const references = [cursor.u32('reference 1'), cursor.u32('reference 2')] as const;
  const speed = cursor.f32('speed');
  const time = cursor.u64('time of the tick counter');
  const referenceTimes = [cursor.u64('time of reference 1'), cursor.u64('time of reference 2')] as const;
  demandCrc(telegram, cursor.offset, telegram.subarray(0, cursor.offset));
  return {
    ...{ sequence, transmitTime, sender, frame, ticks, speed, time },
    references: [...references],
    referenceTimes: [...referenceTimes],
  };
}
