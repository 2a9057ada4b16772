import { performanceProfiles } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import {
  outputBeamsOf,
  outputSegments,
  passesInterval,
  segmentRanges,
  visibleBeams,
} from '../../src/data-reduction/output-segments.js';
import { geometryOf } from '../../src/scan/scan.js';
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

  test('are none if no beam is visible', () => {
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

const lengths = (beams: number, beamsPerSegment: number) =>
  segmentRanges(fan(beams, { beamsPerSegment })).map(({ first, end }) => end - first);

describe('the segments of a scan', () => {
  // 276°: nine times 30° and 6° more, or four times 60° and 36° more; the last beam is at the end of the field.
  test.each([
    { profile: 1, full: 9, beams: 60, rest: 13, sum: 553 },
    { profile: 2, full: 9, beams: 90, rest: 19, sum: 829 },
    { profile: 3, full: 9, beams: 300, rest: 61, sum: 2761 },
    { profile: 4, full: 9, beams: 120, rest: 25, sum: 1105 },
    { profile: 5, full: 9, beams: 120, rest: 25, sum: 1105 },
    { profile: 6, full: 4, beams: 600, rest: 361, sum: 2761 },
    { profile: 7, full: 4, beams: 240, rest: 145, sum: 1105 },
    { profile: 8, full: 4, beams: 240, rest: 145, sum: 1105 },
    { profile: 9, full: 9, beams: 600, rest: 121, sum: 5521 },
    { profile: 10, full: 4, beams: 480, rest: 289, sum: 2209 },
    { profile: 11, full: 9, beams: 30, rest: 7, sum: 277 },
  ] as const)('profile $profile: $full of $beams beams and one of $rest', ({ profile, ...expected }) => {
    const ranges = segmentRanges(geometryOf(performanceProfiles[profile]));
    const counts = ranges.map(({ first, end }) => end - first);
    expect(counts).toEqual([...Array.from({ length: expected.full }, () => expected.beams), expected.rest]);
    expect(ranges.map(({ first }) => first)).toEqual(counts.map((_, index) => index * expected.beams));
    expect(ranges.at(-1)?.end).toBe(expected.sum);
  });

  test('are whole ones where the beams come out even', () => {
    expect(lengths(10, 5)).toEqual([5, 5]);
  });

  test('take a single beam at the end to the segment before', () => {
    expect(lengths(11, 5)).toEqual([5, 6]);
    expect(segmentRanges(fan(11, { beamsPerSegment: 5 })).at(-1)).toEqual({ first: 5, end: 11 });
    expect(lengths(12, 5)).toEqual([5, 5, 2]);
  });

  test('are one where there is but one beam a segment', () => {
    expect(lengths(3, 1)).toEqual([3]);
    expect(lengths(1, 60)).toEqual([1]);
  });
});

const of = (first: number, end: number, increment: number) => [...outputBeamsOf({ first, end }, increment)];

describe('the beams of a segment that are put out', () => {
  test('are all of them with an increment of 1', () => {
    expect(of(10, 14, 1)).toEqual([10, 11, 12, 13]);
  });

  test('are every n-th one, counted from the first one of the segment', () => {
    expect(of(10, 17, 2)).toEqual([10, 12, 14, 16]);
    expect(of(10, 16, 2)).toEqual([10, 12, 14]);
    expect(of(13, 33, 7)).toEqual([13, 20, 27]);
  });

  test('are the first and the last one where it would be one of several', () => {
    expect(of(270, 277, 20)).toEqual([270, 276]);
    expect(of(10, 17, 7)).toEqual([10, 16]);
    expect(of(10, 12, 20)).toEqual([10, 11]);
    expect(of(10, 17, 6)).toEqual([10, 16]);
  });

  test('are the only one there is', () => {
    expect(of(0, 1, 1)).toEqual([0]);
    expect(of(0, 1, 20)).toEqual([0]);
  });
});

const numbers = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
const passing = (bEnable: boolean, uiReductionFactor: number) =>
  numbers.filter((number) => passesInterval({ bEnable, uiReductionFactor }, number));

test('the interval filter lets the multiples of its factor pass', () => {
  expect(passing(true, 2)).toEqual([0, 2, 4, 6, 8]);
  expect(passing(true, 3)).toEqual([0, 3, 6, 9]);
  expect(passing(true, 50)).toEqual([0]);
});

test('the interval filter lets everything pass while it is off', () => {
  expect(passing(false, 3)).toEqual(numbers);
});

const wide = {
  bEnable: true,
  fThetaStart: -1_380_000,
  fThetaStop: 1_380_000,
  fPhiStart: -900_000,
  fPhiStop: 900_000,
  uiBeamIncrement: 1,
};
/** Beams at -2°, -1°, 0°, 1°, 2°. */
const degrees = fan(5, { firstAngle: -2 });
/** Beams at -1°, -2/3°, -1/3°, 0°, 1/3°, 2/3°, 1°. */
const thirds = fan(7, { firstAngle: -1, step: 1 / 3 });
const none = { first: 0, end: 0 };

describe('the angle range', () => {
  test('counts its ends in', () => {
    const range = { ...wide, fThetaStart: -10_000, fThetaStop: 10_000 };
    expect(visibleBeams(degrees, range)).toEqual({ first: 1, end: 4 });
  });

  test.each([
    { fThetaStart: -9998, fThetaStop: 9998, first: 2, end: 3 },
    { fThetaStart: -20_000, fThetaStop: -20_000, first: 0, end: 1 },
    { fThetaStart: 20_000, fThetaStop: 1_380_000, first: 4, end: 5 },
    { fThetaStart: -1_380_000, fThetaStop: 1_380_000, first: 0, end: 5 },
  ])('$fThetaStart to $fThetaStop', ({ fThetaStart, fThetaStop, first, end }) => {
    expect(visibleBeams(degrees, { ...wide, fThetaStart, fThetaStop })).toEqual({ first, end });
  });

  test.each([
    { fThetaStart: -3333, fThetaStop: 3333, first: 2, end: 5 },
    { fThetaStart: -3334, fThetaStop: 3334, first: 2, end: 5 },
    { fThetaStart: -6666, fThetaStop: 6666, first: 1, end: 6 },
    { fThetaStart: -6667, fThetaStop: 6667, first: 1, end: 6 },
    { fThetaStart: 3334, fThetaStop: 6666, first: 4, end: 6 },
    { fThetaStart: -3332, fThetaStop: 3332, first: 3, end: 4 },
    { fThetaStart: 3335, fThetaStop: 10_000, first: 5, end: 7 },
  ])('thirds of a degree: $fThetaStart to $fThetaStop', ({ fThetaStart, fThetaStop, first, end }) => {
    expect(visibleBeams(thirds, { ...wide, fThetaStart, fThetaStop })).toEqual({ first, end });
  });

  test('shows nothing where it starts above its stop, or lies between two beams', () => {
    expect(visibleBeams(degrees, { ...wide, fThetaStart: 10_000, fThetaStop: -10_000 })).toEqual(none);
    expect(visibleBeams(degrees, { ...wide, fThetaStart: 1, fThetaStop: 0 })).toEqual(none);
    expect(visibleBeams(degrees, { ...wide, fThetaStart: 4000, fThetaStop: 6000 })).toEqual(none);
    expect(visibleBeams(degrees, { ...wide, fThetaStart: 30_000 })).toEqual(none);
  });

  test.each([
    { fPhiStart: 0, fPhiStop: 0 },
    { fPhiStart: 1, fPhiStop: 900_000 },
    { fPhiStart: -900_000, fPhiStop: -1 },
    { fPhiStart: 10, fPhiStop: -10 },
  ])('shows everything with elevations $fPhiStart to $fPhiStop', (phi) => {
    expect(visibleBeams(degrees, { ...wide, ...phi })).toEqual({ first: 0, end: 5 });
  });

  test('shows everything while it is off', () => {
    const range = { ...wide, bEnable: false, fThetaStart: 10_000, fThetaStop: 0, fPhiStart: 5 };
    expect(visibleBeams(degrees, range)).toEqual({ first: 0, end: 5 });
  });
});
