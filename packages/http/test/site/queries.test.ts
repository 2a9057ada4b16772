import { expect, test } from 'vitest';
import { bySiteName, type SiteScanner, siteCountsOf, siteListOf, siteQueryOf } from '../../src/index.js';

const scanner = (number: number): SiteScanner => ({
  path: `/s/${number}`,
  url: `http://10.0.0.${number}`,
  name: `Gate ${number}`,
  group: number > 5 ? 'far' : '',
  state: 'Measuring',
  severity: number % 3 === 0 ? 'bad' : 'good',
  trouble: [],
});
const all = [10, 2, 9, 1, 6, 3].map(scanner);

test.each([
  '',
  'sort=group&order=desc',
  'severity=bad',
  'q=gate+1&limit=1',
  'from=2',
  'sort=name&order=desc',
])('a server that answers %j in parts has the same list', (text) => {
  const query = new URLSearchParams(text);
  const { isSelected, order, from, limit } = siteQueryOf(query);
  const selected = all.toSorted(bySiteName).filter(isSelected).sort(order);
  expect({ ...siteCountsOf(all), scanners: selected.slice(from, from + limit) }).toEqual(
    (({ total, severities, groups, scanners }) => ({ total, severities, groups, scanners }))(
      siteListOf(all, query, { history: false, log: false }),
    ),
  );
});

test.each([
  ['sort=drift', ['Gate 2', 'Gate 1', 'Gate 3']],
  ['sort=drift&order=desc', ['Gate 1', 'Gate 2', 'Gate 3']],
  ['sort=clock', ['Gate 1', 'Gate 2', 'Gate 3']],
  ['sort=location', ['Gate 2', 'Gate 1', 'Gate 3']],
  ['sort=location&order=desc', ['Gate 1', 'Gate 2', 'Gate 3']],
])('what is not known stands last, whichever way the list is sorted: %s', (text, names) => {
  const rows = [
    scanner(3),
    { ...scanner(1), drift: 1, clockOffset: -9, location: 'North' },
    { ...scanner(2), drift: 4, clockOffset: 2, location: 'East' },
  ];
  const { scanners } = siteListOf(rows, new URLSearchParams(text), { history: false, log: false });
  expect(scanners.map(({ name }) => name)).toEqual(names);
});

test('many or long words to look for are refused', () => {
  expect(() => siteQueryOf(new URLSearchParams({ q: 'g '.repeat(101) }))).toThrow(
    'q: expected at most 200 characters, got 202',
  );
});
