import { type SiteList, type SiteScanner, siteListOf, siteQueryOf } from '@azimuth/http';
import { expect, test } from 'vitest';
import { SiteIndex } from '../../src/port/site-index.js';

const severities = ['bad', 'warn', 'idle', 'good'] as const;

function row(number: number, changed: Partial<SiteScanner> = {}): SiteScanner {
  const serialNumber = String(1000 + number);
  return {
    path: `/scanners/${serialNumber}`,
    url: `/scanners/${serialNumber}`,
    name: number % 5 === 0 ? `Hall ${number % 4}` : serialNumber,
    group: number % 3 === 0 ? 'gate' : 'hall',
    serialNumber,
    state: 'Running',
    severity: severities[number % 4] ?? 'good',
    trouble: number % 4 === 0 ? ['no answer'] : [],
    ...changed,
  };
}

const queries = [
  '',
  'from=7&limit=5',
  'group=gate&limit=40',
  'group=nothing',
  'severity=warn&from=3',
  'order=desc',
  'q=ANSWER+10&limit=500',
  'q=hall+1',
  'sort=name&limit=60',
  'sort=name&order=desc&limit=60',
  'sort=serialNumber&order=desc&limit=20',
  'path=/scanners/1004&path=/scanners/1011&path=/none',
  'sort=state',
];

test.each(queries)('a part of an index with changes is that of the whole list: %s', async (text) => {
  const rows = Array.from({ length: 60 }, (_, index) => row(index));
  const index = await SiteIndex.of(rows);
  for (const number of [4, 15, 30, 31]) {
    const changed = row(number, { severity: 'good', name: `Hall ${number}`, group: 'yard' });
    rows[number] = changed;
    index.replace(changed);
  }
  index.replace(row(900));
  const query = new URLSearchParams(text);
  const expected: SiteList = siteListOf(rows, query, { history: false, log: false });
  const { history, log, from, ...listed } = expected;
  expect(await index.list(siteQueryOf(query))).toEqual(listed);
});

test('rows that change while a list is made are in it once, as they are at its end', async () => {
  const rows = Array.from({ length: 600 }, (_, index) => row(index, { severity: 'good', name: `${index}` }));
  const index = await SiteIndex.of(rows);
  const query = new URLSearchParams('sort=serialNumber&limit=600');
  const asked = index.list(siteQueryOf(query));
  // The last row becomes the first one, and the first one the last.
  for (const changed of [
    row(599, { severity: 'good', name: '', serialNumber: '0' }),
    row(0, { severity: 'good', name: 'z', serialNumber: '9' }),
  ]) {
    rows[changed.serialNumber === '0' ? 599 : 0] = changed;
    index.replace(changed);
  }
  const { matching, scanners } = await asked;
  const expected = siteListOf(rows, query, { history: false, log: false });
  expect([matching, scanners]).toEqual([expected.matching, expected.scanners]);
});

test('an index takes over rows of the same scanners, and not those of others', async () => {
  const rows = Array.from({ length: 20 }, (_, index) => row(index));
  const index = await SiteIndex.of(rows);
  const changed = rows
    .with(3, row(3, { severity: 'bad', trouble: ['gone'] }))
    .with(4, row(4, { unsaved: 2 }));
  expect(await index.update(changed)).toBe(true);
  const query = new URLSearchParams();
  const expected = siteListOf(changed, query, { history: false, log: false });
  expect((await index.list(siteQueryOf(query))).scanners).toEqual(expected.scanners);
  expect(await index.update(rows.slice(1))).toBe(false);
  expect(await index.update(rows.with(0, row(99)))).toBe(false);
});
