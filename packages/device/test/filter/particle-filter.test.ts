import { describe, expect, test } from 'vitest';
import { ParticleFilter } from '../../src/filter/scan-filter.js';
import { distancesOf, type Echo, echoesOf, scanOf } from './hand-made-scan.js';

function filtered(threshold: number, beams: readonly (readonly Echo[])[]): number[][] {
  const scan = scanOf(beams);
  new ParticleFilter(threshold).apply(scan);
  return distancesOf(scan);
}

describe('the particle filter', () => {
  test('removes an isolated echo', () => {
    expect(filtered(500, [[[5000]], [[5100]], [[1200]], [[5200]], [[5300]]])).toEqual([
      [5000],
      [5100],
      [],
      [5200],
      [5300],
    ]);
  });

  test('keeps echoes whose distances differ by the threshold, and not by a millimetre more', () => {
    expect(filtered(500, [[[3000]], [[3500]], [], [[3000]], [[3501]]])).toEqual([[3000], [3500], [], [], []]);
  });

  test('does what docs/filters.md describes', () => {
    const beams: Echo[][] = [[[5000]], [[1200], [5100]], [[5600]], [[6101]]];
    expect(filtered(500, beams)).toEqual([[5000], [5100], [5600], []]);
  });

  test('is content with one beam beside', () => {
    expect(filtered(20, [[[1000]], [[1010]], [[9000]], [[9010]]])).toEqual([[1000], [1010], [9000], [9010]]);
  });

  test('looks past the first echo on both sides', () => {
    const beams: Echo[][] = [[[1000], [4000], [7000]], [[7100]], [[2000], [4000], [7600]]];
    expect(filtered(500, beams)).toEqual([[7000], [7100], [7600]]);
  });

  test('closes the gap that a particle leaves', () => {
    const scan = scanOf([
      [[6000]],
      [
        [800, 5, 2],
        [6010, 70, 1],
      ],
      [[6000]],
    ]);
    new ParticleFilter(100).apply(scan);
    expect(echoesOf(scan)[1]).toEqual([[6010, 70, 1]]);
  });

  test('keeps a row of steps, of which each one leans on the next', () => {
    expect(filtered(100, [[[1000]], [[1100]], [[1200]], [[1300]]])).toEqual([[1000], [1100], [1200], [1300]]);
  });

  test('finds the echoes of a beam that has lost one', () => {
    const beams: Echo[][] = [[[6000]], [[3000], [6000], [8000]], [[8000]]];
    expect(filtered(100, beams)).toEqual([[6000], [6000, 8000], [8000]]);
  });

  test('does not keep an echo for others in the same beam', () => {
    expect(filtered(100, [[[9000]], [[3000], [3050]], [[9000]]])).toEqual([[], [], []]);
  });

  test('treats the first and the last beam as neighbours of one beam each', () => {
    expect(filtered(500, [[[1000]], [[5000]], [[5000]], [[1000]]])).toEqual([[], [5000], [5000], []]);
  });

  test('takes a scan of one beam for dust', () => {
    expect(filtered(500, [[[1000], [1100]]])).toEqual([[]]);
  });

  test('does not change a scan without echoes', () => {
    expect(filtered(500, [[], [], []])).toEqual([[], [], []]);
  });

  test('never takes a missing echo for one at distance 0', () => {
    expect(filtered(500, [[], [[300]], []])).toEqual([[], [], []]);
  });
});
