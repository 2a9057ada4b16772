import { expect, test } from 'vitest';
import { recordedGeometry } from '../../src/replay/recorded-geometry.js';
import type { RecordedScan } from '../../src/replay/recording.js';

/** A scan of 12 segments at 15 Hz, the 12th of which begins a revolution. */
function scan(number: number): RecordedScan {
  const received = (number * 1_000_000) / 15;
  const segments = Array.from({ length: 12 }, (_, at) => {
    const index = 11 - at;
    const time = received + 1000 * index;
    const angles = { beams: 3, firstAngle: 3 * index, lastAngle: 3 * index + 2 };
    const times = { firstBeamTime: time, lastBeamTime: time + 10 };
    return { index, frame: number, sender: 1, ...angles, ...times, packed: new Uint8Array() };
  });
  return { frame: number, received, segments: new Map(segments.map((each) => [each.index, each])) };
}

test('a recording of an hour has a geometry', () => {
  const scans = Array.from({ length: 3600 * 15 }, (_, number) => scan(number));
  expect(recordedGeometry(scans)).toEqual({
    ...{ frequency: 15, firstAngle: 0, step: 1 },
    ...{ beams: 36, beamsPerSegment: 3 },
  });
});
