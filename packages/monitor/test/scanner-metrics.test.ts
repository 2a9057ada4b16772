import { prometheusText } from '@azimuth/http';
import { expect, test } from 'vitest';
import { conditionKinds } from '../src/conditions/all-conditions.js';
import { scannerMetrics } from '../src/metrics/scanner-metrics.js';
import { monitorMetrics } from '../src/port/monitor-metrics.js';
import type { ScannerSnapshot } from '../src/state/scanner-snapshot.js';
import { snapshotOf } from './snapshots.js';

const textOf = (...snapshots: readonly ScannerSnapshot[]) =>
  prometheusText(monitorMetrics({ snapshots, outputs: [], storeFailure: undefined }));

test('each metric has a value for a scanner of which everything is known', () => {
  const known = snapshotOf({
    ...{ certificateUntil: 1000, drift: ['LocationName'] },
    scans: { rate: 15, expectedRate: 15, total: 100, lost: 2, lossShare: 0, lastAt: 1000 },
  });
  expect(scannerMetrics.filter(({ samplesOf }) => samplesOf(known).length === 0)).toEqual([]);
});

test('the labels of each sample are those that its metric declares', () => {
  const known = snapshotOf();
  for (const { labels, samplesOf } of scannerMetrics)
    for (const [given] of samplesOf(known)) expect(Object.keys(given)).toEqual(labels);
});

test('each kind of condition is 0, or the number of parts that are in it', async () => {
  const text = await textOf(
    snapshotOf({
      conditions: ['sector 2', 'sector 3'].map((part) => ({
        ...{ id: 'contamination', part, severity: 'warning', text: 'dirty', since: 0 },
      })),
    }),
  );
  for (const { id, severity } of conditionKinds) {
    const count = id === 'contamination' ? 2 : 0;
    expect(text).toContain(
      `azimuth_monitor_condition{scanner="hall/gate3",condition="${id}",severity="${severity}"} ${count}\n`,
    );
  }
});

test('a scanner that was not seen yet has no values that look like good ones', async () => {
  const text = await textOf(snapshotOf({ reachable: undefined, answeredAt: undefined, values: new Map() }));
  expect(text).not.toMatch(/^azimuth_monitor_(reachable|condition|unsaved_parameters|restarts_total)\{/m);
});

test('a hostile scanner makes neither lines nor values of its own', async () => {
  const values = new Map<string, unknown>([
    ['LocationName', `x"} 1\nazimuth_monitor_reachable{scanner="other"} 1`],
    ['DeviceStatus', 'three'],
    ['CurrentTempDev', Number.NaN],
    ['ContaminationData', Array.from({ length: 10_000 }, () => 3)],
  ]);
  const text = await textOf(snapshotOf({ values }));
  expect(text).not.toMatch(/^azimuth_monitor_reachable\{scanner="other"/m);
  expect(text).not.toContain('azimuth_monitor_device_status{');
  expect(text).not.toContain('azimuth_monitor_temperature_celsius{');
  expect(text.match(/^azimuth_monitor_contamination\{/gm)).toHaveLength(7);
});
