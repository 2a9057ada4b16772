import { describe, expect, test } from 'vitest';
import { beamsPutOut } from '../../src/data-reduction/output-segments.js';

const of = (first: number, end: number, increment: number) => [...beamsPutOut({ first, end }, increment)];

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
