import { describe, expect, test } from 'vitest';
import { ParticleFilter } from '../../src/filter/particle-filter.js';
import { distancesOf, type Echo, echoesOf, fan, filterWhole, scanOf } from './hand-made-scan.js';

type Beams = readonly (readonly Echo[])[];

/** Filtered values of these successive scans. */
function filtered(threshold: number, ...scans: readonly Beams[]): number[][][] {
  const filter = new ParticleFilter(fan(scans[0]?.length ?? 0), threshold);
  return scans.map((beams, index) => {
    const scan = scanOf(beams, { number: index + 7 });
    filterWhole(filter, scan);
    return distancesOf(scan);
  });
}

const wall: Beams = [[[5000]], [[5100]], [[5150]], [[5200]], [[5300]]];
const withParticle = wall.with(2, [[1200]]);

describe('the particle filter', () => {
  test('puts the last valid distance in the place of a particle', () => {
    expect(filtered(500, wall, withParticle)[1]).toEqual([[5000], [5100], [5150], [5200], [5300]]);
  });

  test('puts nothing there if nothing was seen there before', () => {
    expect(filtered(500, wall.with(2, []), withParticle)[1]).toEqual([[5000], [5100], [], [5200], [5300]]);
  });

  test('takes what is seen again for no particle: it is handed on from its second scan on', () => {
    const seen = filtered(500, wall, withParticle, wall.with(2, [[1300]]), withParticle);
    expect(seen.map((scan) => scan[2])).toEqual([[5150], [5150], [1300], [1200]]);
  });

  test('keeps the last valid distance as long as particles follow each other', () => {
    const seen = filtered(500, wall, ...[1200, 2400, 1200, 3600].map((d) => wall.with(2, [[d]])), wall);
    expect(seen.map((scan) => scan[2])).toEqual([[5150], [5150], [5150], [5150], [5150], [5150]]);
  });

  test('takes what two beams beside each other see for no particle', () => {
    const object = wall.with(2, [[1200]]).with(3, [[1250]]);
    expect(filtered(500, wall, object)[1]).toEqual([[5000], [5100], [1200], [1250], [5300]]);
  });

  test('lets the first scan pass, and the first after a missing one: there is nothing to compare it with', () => {
    const filter = new ParticleFilter(fan(5), 500);
    const seen = [7, 8, 10].map((number) => {
      const scan = scanOf(number === 8 ? wall : withParticle, { number });
      filterWhole(filter, scan);
      return distancesOf(scan)[2];
    });
    expect(seen).toEqual([[1200], [5150], [1200]]);
  });

  test('keeps what differs by the threshold, and not by a millimetre more, from a neighbour in angle', () => {
    const before: Beams = [[], [], [], [], []];
    expect(filtered(500, before, [[[3000]], [[3500]], [], [[3000]], [[3501]]])[1]).toEqual([
      [3000],
      [3500],
      [],
      [],
      [],
    ]);
  });

  test('and from a neighbour in time', () => {
    const before: Beams = [[[3000]], [], [[3000]]];
    expect(filtered(500, before, [[[3500]], [], [[3501]]])[1]).toEqual([[3500], [], [3000]]);
  });

  test('compares with every echo beside and before', () => {
    const before: Beams = [[], [], [[1000], [2000], [4400]]];
    const beams: Beams = [[[1000], [4000], [7000]], [[7100]], [[4000], [7600]]];
    expect(filtered(500, before, beams)[1]).toEqual([[7000], [7100], [4000, 7600]]);
  });

  test('replaces an echo in front of others, with strength and flags of the one that was valid', () => {
    const filter = new ParticleFilter(fan(1), 100);
    filterWhole(
      filter,
      scanOf(
        [
          [
            [5000, 50, 1],
            [9000, 90],
          ],
        ],
        { number: 1 },
      ),
    );
    const scan = scanOf(
      [
        [
          [800, 5, 2],
          [9050, 91],
        ],
      ],
      { number: 2 },
    );
    filterWhole(filter, scan);
    expect(echoesOf(scan)[0]).toEqual([
      [5000, 50, 1],
      [9050, 91, 0],
    ]);
  });

  test('adds no echo beside one that is the same: what was valid is seen behind the particle', () => {
    expect(filtered(100, [[[6000]]], [[[800], [6010]]])[1]).toEqual([[6010]]);
  });

  test('puts several echoes of a beam in their places', () => {
    const before: Beams = [[[1000], [4000], [7000]]];
    expect(filtered(100, before, [[[2000], [3000], [7000]]])[1]).toEqual([[1000, 4000, 7000]]);
    expect(filtered(100, before, [[[2000], [7050], [9000]]])[1]).toEqual([[1000, 7050]]);
  });

  test('does what docs/filters.md describes', () => {
    const before: Beams = [[[5000]], [[5100]], [[5600]], []];
    const beams: Beams = [[[5010]], [[1200]], [[5550]], [[6051]]];
    expect(filtered(500, before, beams)[1]).toEqual([[5010], [5100], [5550], []]);
  });

  test('keeps a row of steps, of which each one leans on the next', () => {
    const before: Beams = [[], [], [], []];
    const steps: Beams = [[[1000]], [[1100]], [[1200]], [[1300]]];
    expect(filtered(100, before, steps)[1]).toEqual([[1000], [1100], [1200], [1300]]);
  });

  test('does not keep an echo for others in the same beam', () => {
    expect(filtered(100, [[], [], []], [[[9000]], [[3000], [3050]], [[9000]]])[1]).toEqual([[], [], []]);
  });

  test('treats the first and the last beam as neighbours of one beam each', () => {
    const before: Beams = [[], [], [], []];
    expect(filtered(500, before, [[[1000]], [[5000]], [[5000]], [[1000]]])[1]).toEqual([
      [],
      [5000],
      [5000],
      [],
    ]);
  });

  test('never treats a missing echo as one at distance 0', () => {
    expect(filtered(500, [[], [], []], [[], [[300]], []])[1]).toEqual([[], [], []]);
  });

  test('removes nothing beside a beam that is invalid, or where the beam was invalid before', () => {
    const filter = new ParticleFilter(fan(4), 500);
    const before = scanOf([[[5000]], [[5000]], [[5000]], [[5000]]], { number: 1 });
    before.invalidate(3);
    filterWhole(filter, before);
    const scan = scanOf([[[5000]], [[1200]], [[5000]], [[2400]]], { number: 2 });
    scan.invalidate(0);
    filterWhole(filter, scan);
    expect(distancesOf(scan)).toEqual([[], [1200], [5000], [2400]]);
  });
});
