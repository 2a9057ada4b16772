import type { SiteScanner } from '@azimuth/http/site';
import { expect, test } from 'vitest';
import { steadyRows } from '../../src/scanners/steady-rows.js';

const row = (path: string, state = 'Measuring'): SiteScanner => ({
  ...{ path, url: `http://x${path}`, name: path, group: '', state },
  ...{ severity: 'good', trouble: [] },
});
const [a, b, c] = [row('/a'), row('/b'), row('/c')];

test('rows that are held stay in their places, with the newest values', () => {
  const gone = row('/b', 'Gone');
  const { rows, isOld } = steadyRows([a, b], [gone, a], true);
  expect(rows).toEqual([a, gone]);
  expect(isOld).toBe(true);
});

test('a row that has left the list stays while it is held', () => {
  expect(steadyRows([a, b], [b, c], true)).toEqual({ rows: [a, b], isOld: true });
  expect(steadyRows([a, b], [a, b], true).isOld).toBe(false);
  expect(steadyRows([a, b], [a], true).isOld).toBe(true);
});

test('rows that nobody holds are the newest, and so are the first ones', () => {
  expect(steadyRows([a, b], [c, a], false)).toEqual({ rows: [c, a], isOld: false });
  expect(steadyRows([], [c, a], true)).toEqual({ rows: [c, a], isOld: false });
});
