import type { SiteLogEntry } from '@azimuth/http/site';
import { expect, test } from 'vitest';
import { SiteFault } from '../../src/site/site-answer.js';
import { joined, logPartIn, mostKept, withNewest, withOlder } from '../../src/site-history/log-answer.js';

const entry = (at: number, text = `entry ${at}`): SiteLogEntry => ({
  ...{ at, text, path: '/s/0', name: 'Gate 3', severity: 'info', kind: 'parameter', author: undefined },
});

test('a part of the log is read, with who has changed something', () => {
  const json = { ...entry(5), author: 'anna@desk7 (set)' };
  expect(logPartIn({ entries: [json], more: true })).toEqual({
    ...{ entries: [json], more: true },
    searchedSince: undefined,
  });
  expect(logPartIn({ entries: [], searchedSince: 7 }).searchedSince).toBe(7);
  expect(logPartIn({ entries: [], searchedSince: 1e17 }).searchedSince).toBeUndefined();
});

test('what an entry says wrongly or at too great length is not shown', () => {
  const json = {
    at: 5,
    severity: 'error',
    path: '//elsewhere.example',
    name: 7,
    text: 'x'.repeat(5000),
    author: {},
  };
  const [read] = logPartIn({ entries: [json] }).entries;
  expect(read).toMatchObject({ path: '', name: '', kind: '', author: undefined });
  expect(read?.text).toHaveLength(1000);
});

test.each([
  ['no list', { entries: {} }, 'entries: expected a list of at most 500'],
  [
    'too many',
    { entries: Array.from({ length: 501 }, () => entry(1)) },
    'entries: expected a list of at most 500',
  ],
  ['no time', { entries: [{ ...entry(1), at: '1' }] }, 'entries[0].at: expected a time'],
  ['a time that no clock has', { entries: [{ ...entry(1), at: 1e17 }] }, 'entries[0].at: expected a time'],
  [
    'another severity',
    { entries: [{ ...entry(1), severity: 'fatal' }] },
    'entries[0].severity: expected one of',
  ],
  ['no object', { entries: [null] }, 'entries[0].at: expected a time'],
])('%s is refused', (_, json, why) => {
  expect(() => logPartIn(json)).toThrow(SiteFault);
  expect(() => logPartIn(json)).toThrow(why);
});

test('parts that overlap become one, the newest first', () => {
  const [first, second] = [
    [entry(9), entry(7), entry(5, 'a')],
    [entry(5, 'a'), entry(5, 'b'), entry(3)],
  ];
  expect(joined(first, second).map(({ text }) => text)).toEqual(['entry 9', 'entry 7', 'a', 'b', 'entry 3']);
  const many = Array.from({ length: mostKept + 50 }, (_, index) => entry(index));
  expect(joined(many, [entry(1e6)])).toMatchObject({ length: mostKept, 0: { at: 1e6 } });
});

const part = (more: boolean, ...ats: readonly number[]) => ({
  ...{ entries: ats.map((at) => entry(at)), more, searchedSince: undefined },
});
const ats = ({ entries }: { readonly entries: readonly SiteLogEntry[] }) => entries.map(({ at }) => at);

test('newer entries come to those that are here, and say nothing about older ones', () => {
  const news = withNewest(part(true, 7, 5), part(false, 9, 7));
  expect([ats(news), news.more]).toEqual([[9, 7, 5], true]);
  expect(withNewest(undefined, part(true, 9, 8))).toEqual(part(true, 9, 8));
  expect(ats(withNewest(part(false), part(true, 9, 8)))).toEqual([9, 8]);
});

test('where more has happened than one answer has, what is older than the gap is left out', () => {
  const news = withNewest(part(false, 7, 5), part(true, 20, 19));
  expect([ats(news), news.more]).toEqual([[20, 19], true]);
  const all = withOlder(news, part(false, 19, 12, 7, 5));
  expect([ats(all), all.more]).toEqual([[20, 19, 12, 7, 5], false]);
});
