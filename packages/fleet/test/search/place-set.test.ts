import { expect, test } from 'vitest';
import { PlaceSet } from '../../src/search/place-set.js';

/** Returns every place of a step below a limit, but those of another step. */
function multiples(limit: number, step: number, without = limit): PlaceSet {
  const set = new PlaceSet(limit);
  for (let place = 0; place < limit; place += step) set.add(place);
  for (let place = 0; place < limit; place += without) set.delete(place);
  return set;
}

test.each([64, 1000, 6401])('a set of places below %i has those that were added and not deleted', (limit) => {
  for (const step of [1, 3, 64, 200]) {
    const set = multiples(limit, step, step * 2);
    const expected = Array.from({ length: limit }, (_, place) => place).filter(
      (place) => place % step === 0 && place % (step * 2) !== 0,
    );
    expect([...set]).toEqual(expected);
    expect(set.size).toBe(expected.length);
    expect(expected.every((place) => set.has(place))).toBe(true);
    expect([set.has(0), set.has(step * 2)]).toEqual([false, false]);
    set.add(0);
    set.add(0);
    expect([...set]).toEqual([0, ...expected]);
    expect(set.size).toBe(expected.length + 1);
  }
});

test('sets of few and of many places have others in common, and together', () => {
  const limit = 6400;
  const sets = [2, 3, 100, 150].map((step) => multiples(limit, step));
  for (const one of sets)
    for (const other of sets) {
      const places = Array.from({ length: limit }, (_, place) => place);
      const common = PlaceSet.inAll([one, other]);
      expect([...common]).toEqual(places.filter((place) => one.has(place) && other.has(place)));
      expect(common.size).toBe([...common].length);
      const all = PlaceSet.inAny(limit, [one, other]);
      expect([...all]).toEqual(places.filter((place) => one.has(place) || other.has(place)));
      expect(all.size).toBe([...all].length);
    }
});
