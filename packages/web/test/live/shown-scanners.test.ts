import { expect, test, vi } from 'vitest';

vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined });
const { mostAtFirst, mostShown, shownOf } = await import('../../src/live/shown-scanners.js');

const all = Array.from({ length: 200 }, (_, index) => ({ path: `/s/${index}`, url: `http://gate-${index}` }));
const at = (index: number) => all[index] ?? { path: '', url: '' };

test('nobody has chosen: the first ones are shown, and always the one that is open', () => {
  expect(shownOf(all, undefined, undefined)).toEqual(all.slice(0, mostAtFirst));
  const shown = shownOf(all, '/s/150', undefined);
  expect(shown).toHaveLength(mostAtFirst);
  expect(shown[0]).toBe(at(150));
  expect(shownOf(all.slice(0, 1), '/s/0', undefined)).toEqual([at(0)]);
});

test('those that were chosen are shown, in the order of all of them', () => {
  expect(shownOf(all, '/s/0', [at(7), at(3)])).toEqual([at(3), at(7)]);
});

test('a choice of scanners that are not here is none, and there are never too many', () => {
  const first = all.slice(0, mostAtFirst);
  expect(shownOf(all, '/s/0', [{ path: '/s/900', url: 'http://elsewhere' }])).toEqual(first);
  // The server has started anew, and its path leads to another scanner now.
  expect(shownOf(all, '/s/0', [{ path: '/s/7', url: 'http://elsewhere' }])).toEqual(first);
  expect(shownOf(all, '/s/0', all)).toHaveLength(mostShown);
});
