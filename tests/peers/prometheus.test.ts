import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { conditionKinds } from '@azimuth/monitor';
import { alertName } from '@azimuth/monitor/reference';
import { temporaryFolder } from '@azimuth/test-support/files';
import { FleetProcess } from '@azimuth/test-support/fleet-process';
import { object, parse, string } from '@azimuth/test-support/json';
import { MonitorProcess } from '@azimuth/test-support/monitor-process';
import { areTrue, firing, metricsProblems, rulesProblems, type Series } from '@azimuth/test-support/promtool';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { until } from '@azimuth/test-support/waiting';
import { beforeAll, describe, expect, test } from 'vitest';
import { alarmsIn, type RuleFile, ruleGroups } from '../deploy/alarms.js';
import { deploy, everywhere, resources } from '../deploy/documents.js';

const metricsAt = async (url: string) => (await fetch(`${url}/metrics`)).text();

describe('promtool check metrics', () => {
  test('finds names and types that are not those of Prometheus', async () => {
    const gauge = (name: string) => `# HELP ${name} Power cycles.\n# TYPE ${name} gauge\n${name} 1\n`;
    expect(await metricsProblems(gauge('azimuth_power_on_count'))).toContain('azimuth_power_on_count');
    expect(await metricsProblems(gauge('azimuth_power_ons_total'))).toContain('azimuth_power_ons_total');
    expect(await metricsProblems(gauge('azimuth_power_ons'))).toBe('');
  });

  test('has nothing against the page of a scanner, also when it has counted', async () => {
    const scanner = await new ScannerFolder().start();
    const client = scanner.client();
    await client.value('DeviceStatus');
    await client.send({ method: 'GET', path: '/healthz' });
    const page = await metricsAt(`http://127.0.0.1:${scanner.httpPort}`);
    expect(page).toContain('azimuth_requests_total{');
    expect(await metricsProblems(page)).toBe('');
  });

  test('has nothing against the page of a monitor', async () => {
    const scanner = await new ScannerFolder().start();
    const monitor = await MonitorProcess.start('--device', `http://127.0.0.1:${scanner.httpPort}`);
    await until(async () => (await metricsAt(monitor.url)).includes('azimuth_monitor_device_status{'));
    expect(await metricsProblems(await metricsAt(monitor.url))).toBe('');
  });

  test('has nothing against the page of a fleet', async () => {
    const fleet = await FleetProcess.start('--count', '2', '--data', temporaryFolder());
    await fleet.scanner('10000001').read('DeviceStatus');
    const page = await metricsAt(fleet.url);
    expect(page).toContain('azimuth_fleet_scanners{');
    expect(await metricsProblems(page)).toBe('');
  });
});

interface Case {
  /** Each of them alone makes the alarm. */
  readonly on: readonly Series[];
  /** All of them together do not. */
  readonly off: readonly Series[];
}

const one = (series: string, values: string): readonly Series[] => [{ series, values }];

/** A counter that begins at 0, and counts one event in the fifth minute. */
const firstEvent = '0x4 1x20';
/** A counter that stays at what it has counted before the alarm was there. */
const old = '5x25';

const counting = (...names: readonly string[]): Case => ({
  on: names.map((series) => ({ series, values: firstEvent })),
  off: names.map((series) => ({ series, values: old })),
});

/** A scanner that gets into a condition, and one that does not. */
const whileIn = (condition: string): Case => {
  const series = `azimuth_monitor_condition{scanner="hall/gate3",condition="${condition}",severity="error"}`;
  return { on: one(series, '0x1 1x20'), off: one(series, '0x25') };
};

const cases: Readonly<Record<RuleFile, Readonly<Record<string, Case>>>> = {
  'prometheus/scanner.rules.yaml': {
    ScannerSilent: {
      on: one('up{job="scanners"}', '1x2 0x20'),
      off: one('up{job="scanners"}', '1x25'),
    },
    ScannerNotNormal: {
      on: one('azimuth_device_status', '3x2 7x20'),
      off: one('azimuth_device_status', '3x25'),
    },
    ScannerDocumentLost: {
      on: one('azimuth_lost_documents{document="parameters.json"}', '1x20'),
      off: [],
    },
    ScannerUnexpectedError: counting('azimuth_unexpected_errors_total{where="timer"}'),
    ScannerLoginsLocked: counting('azimuth_login_locks_total'),
    ScannerSaveFailed: {
      on: one('azimuth_saves_total{result="failed"}', firstEvent),
      off: one('azimuth_saves_total{result="stored"}', firstEvent),
    },
    ScannerStreamDown: {
      on: one('azimuth_stream_down{stream="scan",reason="no_port"}', '1x20'),
      off: [],
    },
    ScannerScansSkipped: counting('azimuth_scans_skipped_total'),
    ScannerOverloaded: {
      on: one('nodejs_eventloop_lag_p99_seconds', '0.5x20'),
      off: one('nodejs_eventloop_lag_p99_seconds', '0.02x20'),
    },
  },
  'prometheus/monitor.rules.yaml': {
    ...Object.fromEntries(conditionKinds.map(({ id }) => [alertName(id), whileIn(id)])),
    MonitorDown: {
      on: one('up{job="another"}', '1x25'),
      off: one('up{job="azimuth-monitor"}', '1x25'),
    },
    MonitorLogFailing: {
      on: one('azimuth_monitor_log_failing', '0x2 1x20'),
      off: one('azimuth_monitor_log_failing', '0x25'),
    },
    MonitorOutputLosesEntries: {
      on: one('azimuth_monitor_output_entries_total{output="mail",outcome="lost"}', firstEvent),
      off: one('azimuth_monitor_output_entries_total{output="mail",outcome="delivered"}', firstEvent),
    },
    MonitorOutputStuck: {
      on: one('azimuth_monitor_output_waiting_entries{output="mail"}', '3x25'),
      off: one('azimuth_monitor_output_waiting_entries{output="mail"}', '3x2 0x2 3x1 0x20'),
    },
  },
  'kubernetes/monitoring/alerts.yaml': {
    AzimuthScannersWaiting: {
      on: one('azimuth_gateway_scanners_waiting', '0x1 7x20'),
      off: one('azimuth_gateway_scanners_waiting', '0x3 7x1 0x20'),
    },
    AzimuthScannersFailed: {
      on: one('azimuth_fleet_scanners{group="hall",state="failed"}', '1x20'),
      off: one('azimuth_fleet_scanners{group="hall",state="running"}', '1x20'),
    },
    AzimuthLeaseNotRenewed: {
      on: one('azimuth_worker_lease_seconds', '50 20x20'),
      off: one('azimuth_worker_lease_seconds', '46x20'),
    },
    AzimuthSavesRefused: counting('azimuth_worker_refused_saves_total'),
    AzimuthRequestsFailed: counting('azimuth_gateway_failures_total'),
    AzimuthUnexpectedErrors: counting(
      'azimuth_gateway_unexpected_errors_total',
      'azimuth_fleet_unexpected_errors_total{where="timer"}',
    ),
    AzimuthNoWorker: {
      on: one('azimuth_gateway_requests_total', '0x20'),
      off: one('azimuth_worker_shards', '0x20'),
    },
    AzimuthNoGateway: {
      on: one('azimuth_worker_shards', '0x20'),
      off: one('azimuth_gateway_requests_total', '0x20'),
    },
    AzimuthBackupTooOld: {
      on: one('kube_cronjob_status_last_successful_time{cronjob="azimuth-backup"}', '-100000x20'),
      off: one('kube_cronjob_status_last_successful_time{cronjob="azimuth-backup"}', '0x20'),
    },
  },
};

const files: readonly RuleFile[] = [
  'prometheus/scanner.rules.yaml',
  'prometheus/monitor.rules.yaml',
  'kubernetes/monitoring/alerts.yaml',
];

/** The series that make an alarm, each alone, and at last those that do not. */
const seriesOf = ({ on, off }: Case): readonly (readonly Series[])[] => [
  ...on.map((series) => [series]),
  off,
];

describe.each(files)('the alarms of %s', (file) => {
  const entries = Object.entries(cases[file]);
  const fired = new Map<string, readonly boolean[]>();
  beforeAll(async () => {
    const asked = entries.flatMap(([alarm, each]) => seriesOf(each).map((series) => firing(alarm, series)));
    const answers = await areTrue(asked, ruleGroups[file]);
    for (const [alarm, each] of entries) fired.set(alarm, answers.splice(0, seriesOf(each).length));
  });

  test('have each a case here', () => {
    expect(Object.keys(cases[file])).toEqual(alarmsIn(file).map(({ name }) => name));
  });

  test.each(entries)('%s fires, and only then', (alarm, { on }) => {
    expect(fired.get(alarm)).toEqual([...on.map(() => true), false]);
  });
});

test.each(['azimuth-monitor.json', 'azimuth-fleet.json'])(
  'each query of the dashboard %s is PromQL',
  async (file) => {
    const json = object(parse(readFileSync(join(deploy, 'grafana', file), 'utf8')));
    const queries = everywhere(json, 'expr').map((expr) =>
      string(expr).replaceAll('$__rate_interval', '5m').replaceAll('$__range', '1h'),
    );
    expect(queries.length).toBeGreaterThan(5);
    const rules = queries.map((expr, index) => ({ record: `query:${index}`, expr }));
    expect(await rulesProblems([{ name: file, rules }])).toBe('');
    expect(await rulesProblems([{ name: file, rules: [{ record: 'query', expr: 'sum by up' }] }])).not.toBe(
      '',
    );
  },
);

describe('the autoscaler asks for as many workers as', () => {
  const [query = ''] = resources()
    .filter(({ kind }) => kind === 'ScaledObject')
    .flatMap(({ json }) => everywhere(json, 'query').map(string));
  const run = (worker: string, count: string): Series => ({
    series: `azimuth_fleet_scanners{pod="${worker}",group="hall",state="running"}`,
    values: count,
  });
  const wait = (gateway: string, count: string): Series => ({
    series: `azimuth_gateway_scanners_waiting{pod="${gateway}"}`,
    values: count,
  });

  test.each([
    ['run, and one more', [run('a', '4500x9'), run('b', '4500x9'), wait('x', '0x9'), wait('y', '0x9')], 3],
    [
      'wait, counted once for all gateways',
      [run('a', '4500x9'), wait('x', '9000x9'), wait('y', '9000x9')],
      4,
    ],
    ['wait longer than for a takeover', [run('a', '4500x9'), wait('x', '0x7 9000x2')], 2],
  ] as const)('the scanners need that %s', async (_, series, workers) => {
    const asked = [workers, workers + 1].map((count) => ({ expr: `${query} == bool ${count}`, series }));
    expect(await areTrue(asked)).toEqual([true, false]);
  });
});
