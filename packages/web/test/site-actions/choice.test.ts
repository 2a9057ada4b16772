import type { SiteScanner } from '@azimuth/http/site';
import { expect, test } from 'vitest';
import { Choice, mostChosen } from '../../src/site-actions/choice.js';

const row = (number: number, state = 'Measuring'): SiteScanner => ({
  ...{ path: `/s/${number}`, url: `http://x/${number}`, name: `Gate ${number}`, group: '', state },
  ...{ severity: 'good', trouble: [] },
});
const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => row(from + index));

test('scanners of several pages are chosen and dropped', () => {
  const choice = new Choice();
  choice.add(rows(0, 3));
  choice.toggle(row(150));
  choice.toggle(row(1));
  expect([...choice.chosen.value.keys()]).toEqual(['/s/0', '/s/2', '/s/150']);
  choice.drop(rows(0, 3));
  expect([...choice.chosen.value.keys()]).toEqual(['/s/150']);
  choice.clear();
  expect(choice.chosen.value.size).toBe(0);
});

test('no more are chosen than can be looked over', () => {
  const choice = new Choice();
  choice.add(rows(0, 1000));
  expect([choice.chosen.value.size, choice.isFull]).toEqual([mostChosen, true]);
  choice.toggle(row(5000));
  expect(choice.has('/s/5000')).toBe(false);
});

test('what is chosen has its newest facts, and only what is chosen', () => {
  const choice = new Choice();
  choice.add([row(1)]);
  choice.learn([row(1, 'Gone'), row(2, 'Gone')]);
  expect([...choice.chosen.value.values()].map(({ state }) => state)).toEqual(['Gone']);
});
