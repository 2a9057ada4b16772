import { expect, test } from 'vitest';
import { curves } from '../../src/history/curves.js';
import { History } from '../../src/history/history.js';
import type { ScannerSnapshot } from '../../src/state/scanner-snapshot.js';
import { snapshotOf } from '../snapshots.js';
import { watching } from '../watch/watching.js';

const now = Date.UTC(2026, 0, 15, 12);

/** The values that a scanner in this state has. */
function valuesOf(different: Partial<ScannerSnapshot>) {
  const history = new History(10);
  const snapshot = snapshotOf(different);
  history.take(snapshot, now);
  return Object.fromEntries(
    history
      .curvesOf(snapshot.name)
      .map(({ name }) => [name, history.points(snapshot.name, name, now)[0]?.[1]]),
  );
}

test('a scanner has the curves of what is known of it', () => {
  const scans = { rate: 14.5, expectedRate: 15, total: 1, lost: 0, lossShare: 0.02, lastAt: now };
  const sectors = ['clean', 'warning', 'error', 'unwatched'] as const;
  expect(valuesOf({ scans, sectors, drift: ['A'], unsaved: ['A', 'B'], uptime: 7200 })).toEqual({
    ...{ temperature: 31.4, reachable: 100, trouble: 0, look: 0.1, clock: 0, 'scan-rate': 14.5, loss: 2 },
    ...{ unsaved: 2, drift: 1, uptime: 2, 'dirt-1': 0, 'dirt-2': 1, 'dirt-3': 2 },
  });
});

test('of a scanner that does not answer, only this is known', () => {
  expect(valuesOf({ reachable: false })).toEqual({ reachable: 0, trouble: 0 });
  expect(valuesOf({ reachable: undefined })).toEqual({});
});

test('no two curves have the same name or label', () => {
  expect(new Set(curves.map(({ name }) => name)).size).toBe(curves.length);
  expect(new Set(curves.map(({ label }) => label)).size).toBe(curves.length);
});

test('a monitor fills it, with gaps while the scanner is away', async () => {
  const history = new History(10);
  const { clock, scanner, monitor } = await watching({ history });
  const from = clock.now();
  await clock.advance(100);
  scanner.behaviour = 'refuses connections';
  scanner.dropListeners();
  await clock.advance(200);
  scanner.behaviour = 'answers';
  await clock.advance(120);
  await monitor.close();
  const minutesOf = (name: string) =>
    history.points('scanner1', name, clock.now()).map(([at, value]) => [(at - from) / 60_000, value]);
  expect(
    minutesOf('temperature')
      .filter(([, value]) => value === null)
      .map(([minute]) => minute),
  ).toEqual([2, 3, 4]);
  expect(minutesOf('reachable')[3]).toEqual([3, 0]);
  expect(minutesOf('reachable').at(-2)?.[1]).toBe(100);
});
