import type { SiteList } from '@azimuth/http';
import { expect, test, vi } from 'vitest';
import type { ScannerSummary } from '../../src/port/scanner-summary.js';
import { SiteOfFleet } from '../../src/port/site-of-fleet.js';

const origin = 'http://hall.example:8000';

/** Scanner 1, 2, 3 … of a fleet: each hundredth has failed, and each third is in group `gate`. */
function summary(number: number): ScannerSummary {
  const serialNumber = String(23_000_000 + number);
  const path = `/scanners/${serialNumber}`;
  return {
    ...{ serialNumber, path, url: path, release: '2.4.4' },
    group: number % 3 === 0 ? 'gate' : 'hall',
    ...(number % 100 === 0 ? { state: 'failed', failure: 'port 80 is taken' } : { state: 'idle' }),
    ports: { http: null, https: null, legacyA: null, legacyB: null },
    ...{ requests: 0, telegrams: 0, unsaved: 0, faults: 0 },
  };
}

function siteWith(count: number, freshFor = 0) {
  const all = Array.from({ length: count }, (_, index) => summary(index + 1));
  const list = vi.fn(() => all);
  const site = new SiteOfFleet({ all: list }, freshFor);
  return { list, site, ask: (query: string) => site.list(new URLSearchParams(query), origin) };
}

const names = ({ scanners }: SiteList) => scanners.map(({ name }) => name);

test('ten thousand scanners are listed in pages, those in trouble first', async () => {
  const { ask } = siteWith(10_000);
  const first = await ask('limit=100');
  expect(first).toMatchObject({ total: 10_000, matching: 10_000, from: 0, history: false, log: false });
  expect(first.severities).toEqual({ bad: 100, warn: 0, idle: 0, good: 9900 });
  expect(first.groups).toEqual([
    { name: 'gate', scanners: 3333, trouble: 33 },
    { name: 'hall', scanners: 6667, trouble: 67 },
  ]);
  expect(names(first).slice(0, 2)).toEqual(['23000100', '23000200']);
  expect(first.scanners[0]).toMatchObject({ url: `${origin}/scanners/23000100`, path: '/scanners/23000100' });
  const all = [];
  for (let from = 0; from < 10_000; from += 500) all.push(...names(await ask(`from=${from}&limit=500`)));
  expect(new Set(all).size).toBe(10_000);
  expect(all.slice(100, 102)).toEqual(['23000001', '23000002']);
});

test('a page is chosen by words, group and severity, and sorted by a column', async () => {
  const { ask } = siteWith(10_000);
  expect(await ask('q=230099&severity=bad')).toMatchObject({ total: 10_000, matching: 1 });
  expect(names(await ask('group=gate&severity=bad&from=32'))).toEqual(['23009900']);
  expect(names(await ask('sort=name&order=desc&limit=2'))).toEqual(['23010000', '23009999']);
  expect(names(await ask('sort=group&order=desc&limit=1'))).toEqual(['23000001']);
  expect(await ask('limit=100000')).toMatchObject({ scanners: { length: 500 } });
  expect(await ask('q=PORT+taken+230042')).toMatchObject({ matching: 1 });
});

test.each([
  ['severity=ugly', /^severity: expected one of bad, warn, idle, good, got "ugly"$/],
  ['sort=toString', /^sort: expected one of /],
  ['from=-1', /^from: expected a whole number/],
  [`q=${'2'.repeat(201)}`, /^q: expected at most 200 characters, got 201$/],
])('the query %s is refused before a row is made', async (query, why) => {
  const { ask, list } = siteWith(10);
  await expect(ask(query)).rejects.toThrow(why);
  expect(list).not.toHaveBeenCalled();
});

test('rows are made once for all queries of a second', async () => {
  const { ask, list, site } = siteWith(300, 60_000);
  await Promise.all(['', 'from=100', 'group=gate', 'q=7'].map(ask));
  expect(list).toHaveBeenCalledTimes(1);
  site.forget();
  await ask('');
  expect(list).toHaveBeenCalledTimes(2);
});

test('a list that takes long does not take the place of a newer one', async () => {
  let failure = 'older';
  let hasChanged = false;
  const now = (): readonly ScannerSummary[] => {
    hasChanged = false;
    return [{ ...summary(1), state: 'failed', failure }];
  };
  const made: (() => void)[] = [];
  const all = () => {
    const rows = now();
    return new Promise<readonly ScannerSummary[]>((resolve) => made.unshift(() => resolve(rows)));
  };
  const site = new SiteOfFleet({ all, changed: () => (hasChanged ? now() : []) }, 0);
  const ask = () => site.list(new URLSearchParams(), origin);
  const first = ask();
  await vi.waitFor(() => expect(made).toHaveLength(1));
  [failure, hasChanged] = ['newer', true];
  const second = ask();
  for (const finish of made) finish();
  await Promise.all([first, second]);
  expect((await ask()).scanners[0]?.trouble).toEqual(['newer']);
});

test('more scanners than can be replaced one by one are listed anew', async () => {
  const rows = Array.from({ length: 3000 }, (_, index) => summary(index + 1));
  const all = vi.fn(() => rows);
  const site = new SiteOfFleet({ all, changed: () => rows }, 0);
  const failed = async () => (await site.list(new URLSearchParams(), origin)).severities.bad;
  expect(await failed()).toBe(30);
  for (const [index, row] of rows.slice(0, 1100).entries())
    rows[index] = { ...row, state: 'failed', failure: 'port 80 is taken' };
  expect(await failed()).toBe(1119);
  expect(all).toHaveBeenCalledTimes(2);
  for (const [index, row] of rows.slice(0, 5).entries()) rows[index] = { ...row, state: 'idle' };
  expect(await failed()).toBe(1114);
  expect(all).toHaveBeenCalledTimes(2);
});
