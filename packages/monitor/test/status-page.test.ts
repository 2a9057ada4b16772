import { expect, test } from 'vitest';
import { scannerJson } from '../src/page/scanner-list.js';
import { statusPage } from '../src/page/status-page.js';
import type { ActiveCondition } from '../src/state/scanner-snapshot.js';
import { snapshotOf } from './snapshots.js';

const dirty: ActiveCondition = {
  ...{ id: 'contamination', part: 'sector 3', severity: 'warning', text: 'the sector is dirty' },
  since: 0,
};
const gone: ActiveCondition = {
  ...{ id: 'unreachable', part: '', severity: 'error', text: 'no answer within 10 s', since: 0 },
};

/** Returns the names of the scanners in the order of the page. */
const namesIn = (page: string) => [...page.matchAll(/rel="noreferrer">([^<]*)</g)].map(([, name]) => name);

test('the page shows scanners with errors first, then those with warnings, then those not seen yet', () => {
  const page = statusPage(
    [
      snapshotOf({ name: 'fine' }),
      snapshotOf({ name: 'new', reachable: undefined, answeredAt: undefined }),
      snapshotOf({ name: 'dirty', conditions: [dirty] }),
      snapshotOf({ name: 'gone', reachable: false, conditions: [gone] }),
    ],
    7_200_000,
  );
  expect(namesIn(page)).toEqual(['gone', 'dirty', 'new', 'fine']);
  expect(page).toContain('<title>2 of 4 scanners with trouble</title>');
  expect(page).toContain('sector 3: the sector is dirty <span class="quiet">for 2 h</span>');
});

test('the page tells who is not seen yet before it says that there is no trouble', () => {
  expect(statusPage([snapshotOf({ reachable: undefined })], 0)).toContain('1 scanner, 1 not seen yet');
  expect(statusPage([snapshotOf()], 0)).toContain('<title>1 scanner, no trouble</title>');
});

test('what a scanner says about itself cannot become a part of the page', () => {
  const hostile = '"><script>alert(1)</script>';
  const page = statusPage(
    [
      snapshotOf({
        ...{ name: hostile, serial: hostile, firmware: hostile, url: `http://${hostile}` },
        values: new Map<string, unknown>([
          ['LocationName', hostile],
          ['DeviceStatus', hostile],
        ]),
        conditions: [{ ...gone, text: hostile, part: hostile }],
      }),
    ],
    0,
  );
  expect(page).not.toContain('<script');
  expect(page.match(/&lt;script&gt;/g)?.length).toBeGreaterThanOrEqual(7);
});

test('a long text of a scanner is cut', () => {
  const values = new Map<string, unknown>([['LocationName', 'x'.repeat(100_000)]]);
  expect(statusPage([snapshotOf({ values })], 0).length).toBeLessThan(5000);
});

test('programs get the same with times in ISO 8601', () => {
  const json = scannerJson(snapshotOf({ conditions: [dirty], certificateUntil: 86_400_000 }));
  expect(json).toMatchObject({
    name: 'hall/gate3',
    answeredAt: '1970-01-01T00:00:00.000Z',
    certificateUntil: '1970-01-02T00:00:00.000Z',
    conditions: [{ id: 'contamination', since: '1970-01-01T00:00:00.000Z' }],
    values: { DeviceStatus: 3 },
  });
});
