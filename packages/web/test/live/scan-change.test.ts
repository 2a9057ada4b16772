import { expect, test } from 'vitest';
import { changeWords, type ScanChange, scanChange, scanCopy } from '../../src/live/scan-change.js';
import type { ScanHistory } from '../../src/live/scan-history.js';
import { inTheMiddle } from '../../src/plan/placement.js';
import { frameOf, historyOf } from './kept-scan.js';

/** The first scan of a history compared with its newest one. */
function changeIn(history: ScanHistory): ScanChange | undefined {
  const [scan] = history.scans;
  const { newest } = history;
  if (scan === undefined || newest === undefined) return undefined;
  const before = scanCopy(history, scan, inTheMiddle);
  return scanChange(before, { echoes: history, scan: newest });
}

/** Azimuths of beams in degrees. */
const at = (...degrees: readonly number[]) => ({
  azimuth: Float32Array.from(degrees, (degree) => (degree * Math.PI) / 180),
});

test('points of the same beam at about the same distance are the same', () => {
  expect(changeIn(historyOf(frameOf([1000, 2000, 3000]), frameOf([1050, 1990, 3000])))).toEqual({
    ...{ before: 3, after: 3, gone: 0, come: 0 },
  });
});

test('points that only one scan has went or came', () => {
  expect(changeIn(historyOf(frameOf([1000, 2000, 0]), frameOf([0, 2000, 0])))).toEqual({
    ...{ before: 2, after: 1, gone: 1, come: 0 },
  });
  expect(changeIn(historyOf(frameOf([1000, 0, 0]), frameOf([1500, 2000, 0])))).toEqual({
    ...{ before: 1, after: 2, gone: 1, come: 2 },
  });
});

test('the first of three echoes goes, and the other two are still the same', () => {
  const three = frameOf([1000, 2000, 3000], 3);
  expect(changeIn(historyOf(three, frameOf([2000, 3000, 0], 3)))).toEqual({
    ...{ before: 3, after: 2, gone: 1, come: 0 },
  });
});

test('a finer resolution keeps the beams of the coarser one', () => {
  const coarse = frameOf([1000, 2000, 3000], 1, at(0, 1, 2));
  const fine = frameOf([1000, 1500, 2000, 2500, 3000], 1, at(0, 0.5, 1, 1.5, 2));
  expect(changeIn(historyOf(coarse, fine))).toEqual({ before: 3, after: 5, gone: 0, come: 2 });
  expect(changeIn(historyOf(fine, coarse))).toEqual({ before: 5, after: 3, gone: 2, come: 0 });
});

test('another range of angles has only some beams in common', () => {
  const whole = frameOf([1000, 2000, 3000], 1, at(0, 1, 2));
  expect(changeIn(historyOf(whole, frameOf([2000, 3000], 1, at(1, 2))))).toEqual({
    ...{ before: 3, after: 2, gone: 1, come: 0 },
  });
});

test('a copy stays as it was when the history goes on', () => {
  const history = historyOf(frameOf([1000, 2000]), frameOf([5000, 6000]));
  const { newest } = history;
  const copy = newest && scanCopy(history, newest, inTheMiddle);
  history.distance.fill(0);
  history.masks.fill(0);
  expect([...(copy?.echoes.distance ?? [])]).toEqual([5, 6]);
  expect([...(copy?.echoes.masks ?? [])]).toEqual([1, 1]);
});

test('a change is told in words', () => {
  expect(changeWords({ before: 829, after: 517, gone: 315, come: 3 })).toBe(
    '312 points fewer: 315 went, 3 came',
  );
  expect(changeWords({ before: 5, after: 6, gone: 0, come: 1 })).toBe('1 point more: 0 went, 1 came');
  expect(changeWords({ before: 5, after: 5, gone: 2, come: 2 })).toBe(
    'As many points as before: 2 went, 2 came',
  );
  expect(changeWords({ before: 5, after: 5, gone: 0, come: 0 })).toBe('The same points as before');
});
