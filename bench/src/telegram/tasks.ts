import type { ScanModule, ScanTelegram } from '@azimuth/telegrams';
import { azimuthCodesOf, encodeCompactScan, encodeMsgpackScan } from '@azimuth/telegrams/encode';
import type { Task } from '../microbenchmark.js';
import { asObject, type Encode, libraryName } from './msgpack-library.js';

export const compact = 'azimuth, Compact';
export const msgpack = 'azimuth, MSGPACK';
export const library = `${libraryName}, bytes as they stand`;

export function conditionOf(echoes: number): string {
  return echoes === 1 ? '1 echo' : `${echoes} echoes`;
}

/** Encodes a segment in both formats, and with the library if it is installed. Each telegram has a new sequence number. */
export function telegramTasks(echoes: number, encode: Encode | undefined): Task[] {
  const telegram = telegramOf(segmentWith(echoes));
  const target = new Uint8Array(16_384);
  const condition = conditionOf(echoes);
  const next = () => {
    telegram.sequence += 1;
    return telegram;
  };
  const tasks = [
    { subject: compact, condition, call: () => encodeCompactScan(next(), target).length },
    { subject: msgpack, condition, call: () => encodeMsgpackScan(next(), target).length },
  ];
  if (encode !== undefined) {
    tasks.push({ subject: library, condition, call: () => encode(asObject(next())).length });
  }
  return tasks;
}

/** A quarter of a whole scan at 0.25°. */
export const beams = 276;

const scanner = 23_450_001;

/** A segment with room for `echoes`: every beam has the first echo, every third the second, every ninth the third. */
export function segmentWith(echoes: number): ScanModule {
  const places = beams * echoes;
  const isThere = (place: number) => Math.floor(place / echoes) % 3 ** (place % echoes) === 0;
  const step = 0.25 * (Math.PI / 180);
  const azimuth = Float32Array.from({ length: beams }, (_, beam) => -0.6 + beam * step);
  return {
    segmentIndex: 2,
    frameNumber: 160,
    sender: scanner,
    rows: 1,
    columns: beams,
    echoes,
    firstBeamTime: [92_040_853_541],
    lastBeamTime: [92_040_857_370],
    elevation: [0],
    firstAzimuth: [-0.6],
    lastAzimuth: [-0.6 + (beams - 1) * step],
    scale: 1,
    availability: 1,
    distance: Float32Array.from({ length: places }, (_, place) =>
      isThere(place) ? 800.4 + 31.7 * place : 0,
    ),
    rssi: Uint16Array.from({ length: places }, (_, place) => (isThere(place) ? 20_000 + 40 * place : 0)),
    properties: Uint8Array.from({ length: beams }, (_, beam) => (beam % 50 === 0 ? 1 : 0)),
    azimuth,
    azimuthCodes: azimuthCodesOf(azimuth),
  };
}

export function telegramOf(module: ScanModule): ScanTelegram & { sequence: number } {
  return { sequence: 1, transmitTime: 92_040_857_400, modules: [module] };
}
