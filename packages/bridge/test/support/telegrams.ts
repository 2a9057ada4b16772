import { decodeTelegram, encodeCompactScan, encodeImu, type ScanTelegram } from '@azimuth/telegrams';
import type { RecordedTelegram } from '../../src/mcap/index.js';

/** 2023-11-14 22:13:20 UTC in µs. */
export const begin = 1_700_000_000_000_000;

const beams = 4;
const radPerBeam = 0.1;

/** A segment with four beams. The distance of a beam in mm is its number, counted from 1, times 1000. */
function segmentTelegram(frame: number, segment: number): ScanTelegram {
  const first = segment * beams;
  const time = begin + frame * 50_000 + segment * 20_000;
  return {
    sequence: frame * 2 + segment,
    transmitTime: time + 15_000,
    modules: [
      {
        ...{ segmentIndex: segment, frameNumber: frame, sender: 7, rows: 1, columns: beams, echoes: 2 },
        ...{ firstBeamTime: [time], lastBeamTime: [time + 15_000], elevation: [0] },
        firstAzimuth: [first * radPerBeam - 0.4],
        lastAzimuth: [(first + beams - 1) * radPerBeam - 0.4],
        ...{ scale: 1, availability: 0 },
        distance: Float32Array.from({ length: 2 * beams }, (_, at) =>
          at % 2 ? 0 : (first + at / 2 + 1) * 1000,
        ),
        rssi: new Uint16Array(2 * beams).fill(13_107),
        properties: new Uint8Array(beams),
      },
    ],
  };
}

const path = { from: '192.168.0.1:2115', to: '192.168.0.100:2115' } as const;

/** Returns this many complete frames of two segments each, and an IMU telegram after each frame. */
export function recordedTelegrams(frames: number): readonly RecordedTelegram[] {
  return Array.from({ length: frames }, (_, frame) => {
    const scans = [0, 1].map((segment) => {
      const bytes = encodeCompactScan(segmentTelegram(frame, segment));
      return { bytes, time: begin + frame * 50_000 + segment * 20_000 + 16_000 };
    });
    const time = begin + frame * 50_000 + 40_000;
    const motion = {
      acceleration: [0, 0, 9.75],
      angularVelocity: [0, 0, 0.5],
      orientation: [1, 0, 0, 0],
      time,
    } as const;
    return [...scans, { bytes: encodeImu(motion), time }];
  })
    .flat()
    .map((one) => ({ ...one, ...path, telegram: decodeTelegram(one.bytes) }));
}

/** Collects bytes that are written piece by piece. */
export class WrittenFile {
  readonly #pieces: Uint8Array[] = [];

  readonly write = (bytes: Uint8Array): void => {
    this.#pieces.push(bytes);
  };

  get bytes(): Uint8Array {
    return Uint8Array.from(Buffer.concat(this.#pieces));
  }
}
