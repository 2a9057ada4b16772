import { expect, test, vi } from 'vitest';

vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined });
const { mostAtFirst, mostShown, shownOf } = await import('../../src/live/shown-scanners.js');

const all = Array.from({ length: 200 }, (_, index) => ({ shownUrl: `http://gate-${index}` }));
const at = (index: number) => all[index] ?? { shownUrl: '' };

test('nobody has chosen: the first ones are shown, and always the one that is open', () => {
  expect(shownOf(all, at(2), undefined)).toEqual(all.slice(0, mostAtFirst));
  const shown = shownOf(all, at(150), undefined);
  expect(shown).toHaveLength(mostAtFirst);
  expect(shown[0]).toBe(at(150));
  expect(shownOf(all.slice(0, 1), at(0), undefined)).toEqual([at(0)]);
});

test('those that were chosen are shown, in the order of all of them', () => {
  expect(shownOf(all, at(0), ['http://gate-7', 'http://gate-3'])).toEqual([at(3), at(7)]);
});

test('a choice of scanners that are not here is none, and there are never too many', () => {
  expect(shownOf(all, at(0), ['http://elsewhere'])).toEqual(all.slice(0, mostAtFirst));
  expect(
    shownOf(
      all,
      at(0),
      all.map(({ shownUrl }) => shownUrl),
    ),
  ).toHaveLength(mostShown);
});
