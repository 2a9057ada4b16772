import { expect, test } from 'vitest';
import { type SiteScanner, siteListOf } from '../../src/site/index.js';

const scanner = (number: number): SiteScanner => ({
  path: `/s/${number}`,
  url: `http://10.0.0.${number}`,
  name: `Gate ${number}`,
  group: '',
  state: 'Measuring',
  severity: 'good',
  trouble: [],
});
const all = [1, 2, 3, 10].map(scanner);
const pathsFor = (query: string) =>
  siteListOf(all, new URLSearchParams(query), { history: false, log: false }).scanners.map(
    ({ path }) => path,
  );

test('a list of some paths has these scanners alone, and none whose path begins alike', () => {
  expect(pathsFor('path=/s/1')).toEqual(['/s/1']);
  expect(pathsFor('path=/s/3&path=/s/10&path=/s/99')).toEqual(['/s/3', '/s/10']);
  expect(pathsFor('')).toHaveLength(4);
});
