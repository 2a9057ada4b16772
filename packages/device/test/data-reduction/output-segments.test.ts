import { performanceProfiles } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { outputSegments } from '../../src/data-reduction/output-segments.js';
import { geometryOf } from '../../src/scan/scan-geometry.js';
import { fan } from '../filter/hand-made-scan.js';

/** Three segments: beams 0 to 4, 5 to 9, 10 to 11. */
const geometry = fan(12, { beamsPerSegment: 5 });

function segments(first: number, end: number, increment = 1) {
  return outputSegments(geometry, { visible: { first, end }, increment, echoes: 3, scale: 1 });
}

const summary = (first: number, end: number, increment = 1) =>
  segments(first, end, increment).map(({ index, last, beams }) => [index, last, beams]);

describe('the segments that are put out', () => {
  test('are all of them where everything is visible', () => {
    expect(summary(0, 12)).toEqual([
      [0, false, 5],
      [1, false, 5],
      [2, true, 2],
    ]);
  });

  test('are those with a visible beam, whole and counted from 0', () => {
    expect(summary(4, 6)).toEqual([
      [0, false, 5],
      [1, true, 5],
    ]);
    expect(summary(5, 10)).toEqual([[0, true, 5]]);
    expect(summary(9, 11)).toEqual([
      [0, false, 5],
      [1, true, 2],
    ]);
    expect(summary(11, 12)).toEqual([[0, true, 2]]);
  });

  test('are none where no beam is visible', () => {
    expect(summary(0, 0)).toEqual([]);
  });

  test('stay where their visible beams are not put out', () => {
    expect(summary(1, 3, 4)).toEqual([[0, true, 2]]);
  });

  test('fall due when their last beam is measured, put out or not', () => {
    // 10 Hz, 1°: 100000 µs / 360 = 277.777… µs a beam.
    expect(segments(0, 12, 4).map(({ dueAfter }) => dueAfter)).toEqual([
      expect.closeTo(1111.111, 3),
      expect.closeTo(2500, 3),
      expect.closeTo(3055.556, 3),
    ]);
    expect(segments(6, 7).map(({ dueAfter }) => dueAfter)).toEqual([expect.closeTo(2500, 3)]);
  });

  test.each([
    // 9 segments of 60 beams and one of 13: 60 / 7 = 8.57 and 13 / 7 = 1.86.
    { profile: 1, increment: 7, counts: [9, 9, 9, 9, 9, 9, 9, 9, 9, 2] },
    // 13 beams with an increment of 20: the first and the last one.
    { profile: 1, increment: 20, counts: [3, 3, 3, 3, 3, 3, 3, 3, 3, 2] },
    { profile: 11, increment: 20, counts: [2, 2, 2, 2, 2, 2, 2, 2, 2, 2] },
    { profile: 8, increment: 4, counts: [60, 60, 60, 60, 37] },
  ] as const)('profile $profile with an increment of $increment', ({ profile, increment, counts }) => {
    const measured = geometryOf(performanceProfiles[profile]);
    const visible = { first: 0, end: measured.beams };
    const shown = outputSegments(measured, { visible, increment, echoes: 3, scale: 1 });
    expect(shown.map(({ beams }) => beams)).toEqual(counts);
  });
});
