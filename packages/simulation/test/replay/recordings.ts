import {
  encodeCompactScan,
  encodeImu,
  encodeMsgpackScan,
  recordingHeader,
  recordOf,
  type ScanModule,
} from '@azimuth/telegrams';

const rad = Math.PI / 180;

/** A small scanner: 8 beams from -3° to 4°, one a degree, in segments of 3, 3 and 2. */
export const small = { first: -3, beams: 8, beamsPerSegment: 3, segments: 3, frequency: 10 };

/** Begin of the first turn, µs of the recorded scanner, and time of its reception. */
export const began = 5_000_000;
export const received = 1_700_000_000_000_000;

/** Distance of a beam in a scan, in mm. */
export function distanceOf(turn: number, beam: number): number {
  return 1000 * (turn + 1) + beam;
}

/** One segment of a scan, with one echo of distanceOf for each beam. */
export function segment(turn: number, index: number, change: Partial<ScanModule> = {}): ScanModule {
  const from = index * small.beamsPerSegment;
  const columns = Math.min(small.beamsPerSegment, small.beams - from);
  const time = began + (turn * 1_000_000) / small.frequency + 1000 * from;
  return {
    segmentIndex: index,
    frameNumber: 160 + turn,
    sender: 42,
    rows: 1,
    columns,
    echoes: 1,
    firstBeamTime: [time],
    lastBeamTime: [time + 1000 * (columns - 1)],
    elevation: [0],
    firstAzimuth: [(small.first + from) * rad],
    lastAzimuth: [(small.first + from + columns - 1) * rad],
    scale: 1,
    availability: 1,
    distance: Float32Array.from({ length: columns }, (_, beam) => distanceOf(turn, from + beam)),
    rssi: new Uint16Array(columns).fill(100 + index),
    properties: new Uint8Array(columns),
    ...change,
  };
}

export interface Piece {
  readonly time: number;
  readonly telegram: Uint8Array;
}

export function compact(module: ScanModule, time = receivedOf(module)): Piece {
  return { time, telegram: encodeCompactScan({ sequence: 1, transmitTime: 0, modules: [module] }) };
}

export function msgpack(module: ScanModule): Piece {
  const telegram = encodeMsgpackScan({ sequence: 1, transmitTime: 0, modules: [module] });
  return { time: receivedOf(module), telegram };
}

export function imu(time: number, x: number): Piece {
  const telegram = encodeImu({
    acceleration: [x, 0, 9.5],
    angularVelocity: [0, 0.5, 0],
    orientation: [1, 0, 0, 0],
    time: 1,
  });
  return { time, telegram };
}

/** All segments of a scan, or the given ones. */
export function turn(number: number, indices: readonly number[] = [0, 1, 2], make = compact): Piece[] {
  return indices.map((index) => make(segment(number, index)));
}

export function recordingOf(...pieces: readonly Piece[]): Uint8Array {
  const parts = [recordingHeader({ made: '2026-01-15T12:00:00Z' })];
  for (const { time, telegram } of pieces) parts.push(recordOf(time, telegram));
  return Buffer.concat(parts);
}

function receivedOf({ lastBeamTime }: ScanModule): number {
  return received - began + (lastBeamTime[0] ?? 0);
}
