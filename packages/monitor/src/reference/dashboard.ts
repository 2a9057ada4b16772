import { type ScannerMetric, scannerMetrics } from '../metrics/scanner-metrics.js';

const source = { type: 'prometheus', uid: '$metrics' };
const width = 8;
const height = 8;
/** Columns of a dashboard of Grafana. */
const columns = 24;
const chosen = '{scanner=~"$scanner"}';

/** A panel without its number and its place. */
type Panel = Readonly<Record<string, unknown>>;

/** Returns the dashboard of Grafana: how many need somebody, which, and each metric that has a panel. */
export function dashboard(): Readonly<Record<string, unknown>> {
  const panels = [
    stat('Scanners that do not answer', 'azimuth_monitor_reachable == bool 0'),
    stat('Scanners with an error', 'max by (scanner) (azimuth_monitor_condition{severity="error"}) > bool 0'),
    stat(
      'Scanners with a warning',
      'max by (scanner) (azimuth_monitor_condition{severity="warning"}) > bool 0',
    ),
    troubleTable,
    ...scannerMetrics.flatMap(metricPanel),
  ];
  return {
    uid: 'azimuth-monitor',
    title: 'Scanners watched by azimuth monitor',
    description: 'State of real and virtual scanners, by the metrics of azimuth monitor.',
    tags: ['azimuth'],
    schemaVersion: 39,
    version: 1,
    editable: true,
    graphTooltip: 1,
    refresh: '30s',
    timezone: 'browser',
    time: { from: 'now-6h', to: 'now' },
    templating: { list: [sourceVariable, scannerVariable] },
    annotations: { list: [] },
    panels: panels.map((panel, index) => ({ id: index + 1, ...panel, gridPos: placeOf(index) })),
  };
}

const sourceVariable = { name: 'metrics', label: 'Metrics', type: 'datasource', query: 'prometheus' };

const scannerVariable = {
  name: 'scanner',
  label: 'Scanner',
  type: 'query',
  datasource: source,
  query: { query: 'label_values(azimuth_monitor_reachable, scanner)', refId: 'scanner' },
  multi: true,
  includeAll: true,
  allValue: '.*',
  current: { text: 'All', value: '$__all' },
  refresh: 2,
};

function stat(title: string, count: string): Panel {
  return {
    type: 'stat',
    title,
    datasource: source,
    fieldConfig: {
      defaults: {
        unit: 'none',
        thresholds: {
          mode: 'absolute',
          steps: [
            { color: 'green', value: null },
            { color: 'red', value: 1 },
          ],
        },
      },
      overrides: [],
    },
    targets: [{ refId: 'A', datasource: source, expr: `sum(${count})` }],
  };
}

const troubleTable: Panel = {
  type: 'table',
  title: 'What is wrong',
  description: 'Conditions that scanners are in now. azimuth log tells since when, and what was before.',
  datasource: source,
  fieldConfig: { defaults: {}, overrides: [] },
  targets: [
    {
      refId: 'A',
      datasource: source,
      expr: 'sum by (scanner, condition, severity) (azimuth_monitor_condition{scanner=~"$scanner"} > 0)',
      format: 'table',
      instant: true,
    },
  ],
};

function metricPanel({ name, help, labels, panelUnit }: ScannerMetric): readonly Panel[] {
  if (panelUnit === undefined) return [];
  return [
    {
      type: 'timeseries',
      title: help.replace(/\.$/, ''),
      datasource: source,
      fieldConfig: { defaults: { unit: panelUnit }, overrides: [] },
      options: { legend: { displayMode: 'list', placement: 'bottom' } },
      targets: [
        {
          refId: 'A',
          datasource: source,
          expr: `${name}${chosen}`,
          legendFormat: ['scanner', ...labels].map((label) => `{{${label}}}`).join(' '),
        },
      ],
    },
  ];
}

function placeOf(index: number): Readonly<Record<'x' | 'y' | 'w' | 'h', number>> {
  const inRow = columns / width;
  return { x: (index % inRow) * width, y: Math.floor(index / inRow) * height, w: width, h: height };
}
