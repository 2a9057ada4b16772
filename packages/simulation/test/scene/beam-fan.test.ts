import { describe, expect, it } from 'vitest';
import { BeamFan } from '../../src/casting/beam-fan.js';

/** 0.25° from -138° to 138°: 1440 positions in 360°, of which 1105 are beams. */
const fan = new BeamFan({ frequency: 50, firstAngle: -138, step: 0.25, beams: 1105, beamsPerSegment: 240 });

function run(begin: number, end: number): number[] {
  return Array.from({ length: Math.max(0, end - begin + 1) }, (_, index) => begin + index);
}

function covered(from: number, to: number): number[] {
  const { begin, end, otherEnd } = fan.covered(from, to);
  return [...run(begin, end), ...run(0, otherEnd)];
}

function coveredBefore(from: number, to: number): number[] {
  const { begin, end, otherEnd } = fan.coveredBefore(from, to);
  return [...run(begin, end), ...run(0, otherEnd)];
}

describe('the beams that a surface covers', () => {
  it('are those between its ends, both included', () => {
    expect(covered(3, 6)).toEqual([3, 4, 5, 6]);
    expect(covered(3.1, 5.9)).toEqual([4, 5]);
    expect(covered(3.1, 3.9)).toEqual([]);
  });

  it('include those on its ends in spite of rounding', () => {
    expect(covered(3 + 1e-12, 6 - 1e-12)).toEqual([3, 4, 5, 6]);
    // Its left end is on the first beam; rounding puts it just before.
    expect(covered(1435, 1440 - 1e-12)).toEqual([0]);
    expect(covered(1440 - 1e-12, 2)).toEqual([0, 1, 2]);
  });

  it('are at both ends of the field of view if it reaches across the blind sector', () => {
    expect(covered(1102.5, 1.5)).toEqual([1103, 1104, 0, 1]);
    expect(covered(1200, 1300)).toEqual([]);
  });

  it('are not all beams if its ends differ only by rounding', () => {
    expect(covered(5.5, 5.5 - 1e-12)).toEqual([]);
    expect(coveredBefore(5.5, 5.5 - 1e-12)).toEqual([]);
  });

  it('are each in one of two surfaces that share an end', () => {
    expect([...coveredBefore(2, 5), ...coveredBefore(5, 7.5)]).toEqual([2, 3, 4, 5, 6, 7]);
    expect(coveredBefore(1103, 2)).toEqual([1103, 1104, 0, 1]);
  });
});

describe('positions among the beams', () => {
  it('count from the first beam, counter-clockwise, up to 360°', () => {
    expect(fan.positionOf(2, 0)).toBeCloseTo(552, 9);
    expect(fan.positionOf(0, 1)).toBeCloseTo(912, 9);
    expect(fan.positionOf(-1, 0)).toBeCloseTo(1272, 9);
    expect(fan.positionOf(-1, -0)).toBeCloseTo(1272, 9);
    expect(fan.positionOf(0, -1)).toBeCloseTo(192, 9);
  });
});
