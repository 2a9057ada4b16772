import { expect, test } from 'vitest';
import { isScannerPath, SiteFault, siteListIn } from '../../src/site/site-answer.js';

const row = {
  ...{ path: '/s/0', url: 'http://10.0.0.1', name: 'Gate 1', group: 'Hall', state: 'Measuring' },
  ...{ severity: 'good', trouble: [] },
};
const list = {
  ...{ total: 1, matching: 1, from: 0, history: true, log: false },
  severities: { bad: 0, warn: 0, idle: 0, good: 1 },
  groups: [{ name: 'Hall', scanners: 1, trouble: 0 }],
  scanners: [row],
};
const withRow = (changes: object) => ({ ...list, scanners: [{ ...row, ...changes }] });

test('a list of a server is read with everything that it says', () => {
  const full = {
    ...{
      serialNumber: '240001',
      location: 'North',
      firmware: '2.4.4.0R',
      troubleSince: 5,
      unsaved: 2,
      drift: 1,
    },
    ...{ clockOffset: -3, certificateUntil: 9, temperature: 41.5 },
    scans: { rate: 15, expectedRate: 15, lossShare: 0.1 },
  };
  expect(siteListIn(withRow(full)).scanners).toEqual([{ ...row, ...full }]);
  expect(siteListIn(list)).toMatchObject({ total: 1, history: true, log: false, groups: list.groups });
});

test.each([
  ['no object', [], 'the list: expected an object'],
  ['no rows', { ...list, scanners: 'many' }, 'scanners: expected a list of at most 500'],
  ['too many rows', { ...list, scanners: Array.from({ length: 501 }, () => row) }, 'at most 500'],
  ['two rows of one path', { ...list, scanners: [row, row] }, 'each path once'],
  ['a number that is none', { ...list, total: '1' }, 'total: expected a whole number'],
  ['a negative number', { ...list, matching: -1 }, 'matching: expected a whole number'],
  [
    'a severity of its own',
    withRow({ severity: 'awful' }),
    'scanners[0].severity: expected one of bad, warn',
  ],
  ['a row without a name', withRow({ name: undefined }), 'scanners[0].name: expected a text'],
  ['a path elsewhere', withRow({ path: '//evil.example' }), 'scanners[0].path: expected a path'],
  ['an address that is none', withRow({ url: 'gate 3' }), 'scanners[0].url: expected the address of a web'],
  ['an address of a script', withRow({ url: 'javascript:1' }), 'scanners[0].url: expected'],
  ['a group that is none', { ...list, groups: [7] }, 'groups[0]: expected an object'],
])('an answer with %s is refused, in words', (_, json, words) => {
  expect(() => siteListIn(json)).toThrow(SiteFault);
  expect(() => siteListIn(json)).toThrow(words);
});

test('what is optional and of a wrong type is not known', () => {
  const [read] = siteListIn(
    withRow({ unsaved: 'many', temperature: null, scans: { rate: 'fast' }, trouble: ['Hot', 7], group: 3 }),
  ).scanners;
  expect(read).toMatchObject({ unsaved: undefined, temperature: undefined, scans: undefined });
  expect(read).toMatchObject({ trouble: ['Hot'], group: '' });
});

test('texts and lists are cut to what a page can bear', () => {
  const long = 'x'.repeat(100_000);
  const [read] = siteListIn(
    withRow({ name: long, trouble: Array.from({ length: 900 }, () => long) }),
  ).scanners;
  expect(read?.name).toHaveLength(300);
  expect(read?.trouble).toHaveLength(20);
});

test('a path leads to a place below the page, and nowhere else', () => {
  expect(['/s/0', '/scanners/230001', '/a/b/c/d'].every(isScannerPath)).toBe(true);
  const bad = ['', '/', 's/0', '//evil', '/s/..', '/../x', '/s/0/', '/s/%2e%2e', '/s/0?x', '/a/b/c/d/e', 7];
  expect(bad.filter(isScannerPath)).toEqual([]);
});
