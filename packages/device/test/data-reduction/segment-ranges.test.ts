import { performanceProfiles } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { segmentRanges } from '../../src/data-reduction/output-segments.js';
import { geometryOf } from '../../src/scan/scan-geometry.js';
import { fan } from '../filter/hand-made-scan.js';

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
