import type { Sample } from '@azimuth/http';
import { sectorCount } from '@azimuth/model';
import { conditionKinds } from '../conditions/all-conditions.js';
import type { ScannerSnapshot } from '../state/scanner-snapshot.js';

/** A metric of the scanners of a monitor. Its name stays: alarms and dashboards of users depend on it. */
export interface ScannerMetric {
  readonly name: string;
  readonly type: 'gauge' | 'counter';
  /** One sentence, without a line break. */
  readonly help: string;
  /** Labels besides `scanner`. */
  readonly labels: readonly string[];
  /** Its samples for one scanner, without the label `scanner`. */
  readonly samplesOf: (snapshot: ScannerSnapshot) => readonly Sample[];
  /** Unit of the axis of its panel in the dashboard, as Grafana names it. Undefined if it has no panel. */
  readonly panelUnit?: string;
}

/** Metrics of each scanner, in the order of the page. */
export const scannerMetrics: readonly ScannerMetric[] = [
  {
    name: 'azimuth_monitor_info',
    type: 'gauge',
    help: 'Identity of the scanner; always 1.',
    labels: ['serial', 'firmware', 'location'],
    samplesOf: ({ serial, firmware, values }) => {
      if (serial === undefined) return [];
      const location = label(values.get('LocationName'));
      return [[{ serial: label(serial), firmware: label(firmware), location }, 1]];
    },
  },
  one('azimuth_monitor_reachable', 'Whether the scanner has answered at the last look: 1 or 0.', {
    of: ({ reachable }) => (reachable === undefined ? undefined : Number(reachable)),
    panelUnit: 'bool_on_off',
  }),
  one('azimuth_monitor_answered_timestamp_seconds', 'When the scanner last answered.', {
    of: ({ answeredAt }) => seconds(answeredAt),
  }),
  one('azimuth_monitor_look_seconds', 'How long the last look at the scanner took.', {
    of: ({ lookSeconds }) => lookSeconds,
    panelUnit: 's',
  }),
  total('azimuth_monitor_looks_total', 'Looks at the scanner.', ({ counts }) => counts.looks),
  total(
    'azimuth_monitor_failed_looks_total',
    'Looks at which the scanner did not answer.',
    ({ counts }) => counts.failedLooks,
  ),
  total(
    'azimuth_monitor_events_total',
    'Values that the scanner sent as events.',
    ({ counts }) => counts.events,
  ),
  total(
    'azimuth_monitor_parameter_changes_total',
    'Changes of parameters that were noticed.',
    ({ counts }) => counts.parameterChanges,
  ),
  {
    name: 'azimuth_monitor_condition',
    type: 'gauge',
    help: 'Number of parts of the scanner that are in a condition now; 0 if it is not in it.',
    labels: ['condition', 'severity'],
    samplesOf: ({ reachable, conditions }) =>
      reachable === undefined
        ? []
        : conditionKinds.map(({ id, severity }): Sample => {
            const active = conditions.filter((condition) => condition.id === id);
            return [{ condition: id, severity }, active.length];
          }),
  },
  one('azimuth_monitor_device_status', 'DeviceStatus: 3 is normal operation, from 6 on it needs service.', {
    of: ({ values }) => numberIn(values, 'DeviceStatus'),
    panelUnit: 'none',
  }),
  one('azimuth_monitor_temperature_celsius', 'Temperature inside the scanner.', {
    of: ({ values }) => numberIn(values, 'CurrentTempDev'),
    panelUnit: 'celsius',
  }),
  {
    name: 'azimuth_monitor_contamination',
    type: 'gauge',
    help: 'Contamination of a sector of the front screen: 0 not watched, 1 clean, 2 warning, 3 error.',
    labels: ['sector'],
    samplesOf: ({ values }) => {
      const sectors = values.get('ContaminationData');
      if (!Array.isArray(sectors)) return [];
      return sectors
        .slice(0, sectorCount)
        .flatMap((value, index): Sample[] =>
          typeof value === 'number' ? [[{ sector: String(index + 1) }, value]] : [],
        );
    },
    panelUnit: 'none',
  },
  one('azimuth_monitor_clock_offset_seconds', 'By how much the clock of the scanner is ahead.', {
    of: ({ clockOffset }) => clockOffset,
    panelUnit: 's',
  }),
  one('azimuth_monitor_certificate_end_timestamp_seconds', 'When the certificate of HTTPS ends.', {
    of: ({ certificateUntil }) => seconds(certificateUntil),
  }),
  one('azimuth_monitor_unsaved_parameters', 'Parameters that were changed and not saved, as far as known.', {
    of: ({ reachable, unsaved }) => (reachable === undefined ? undefined : unsaved.length),
  }),
  one('azimuth_monitor_drifted_parameters', 'Parameters that differ from the site file.', {
    of: ({ drift }) => drift?.length,
  }),
  one('azimuth_monitor_scan_rate_hertz', 'Scans per second that arrive at this computer.', {
    of: ({ scans }) => scans?.rate,
    panelUnit: 'hertz',
  }),
  one('azimuth_monitor_last_scan_timestamp_seconds', 'When the last scan arrived at this computer.', {
    of: ({ scans }) => seconds(scans?.lastAt),
  }),
  one('azimuth_monitor_expected_scan_rate_hertz', 'Scans per second that the scanner should send.', {
    of: ({ scans }) => scans?.expectedRate,
  }),
  total('azimuth_monitor_scans_total', 'Scans that arrived at this computer.', ({ scans }) => scans?.total),
  total(
    'azimuth_monitor_lost_telegrams_total',
    'Telegrams of scan data that were lost on the way.',
    ({ scans }) => scans?.lost,
  ),
  one('azimuth_monitor_uptime_seconds', 'Time since the scanner was switched on.', {
    of: ({ uptime }) => uptime,
  }),
  total('azimuth_monitor_restarts_total', 'Boots of the scanner.', ({ restarts }) => restarts),
];

interface OneValue {
  readonly of: (snapshot: ScannerSnapshot) => number | undefined;
  readonly panelUnit?: string;
}

/** A gauge with one value for each scanner. */
function one(name: string, help: string, { of, ...rest }: OneValue): ScannerMetric {
  return {
    ...{ name, type: 'gauge', help, labels: [] },
    samplesOf: (snapshot) => {
      const value = of(snapshot);
      return value === undefined ? [] : [[{}, value]];
    },
    ...rest,
  };
}

/** A counter of each scanner, since the monitor started. */
function total(
  name: string,
  help: string,
  of: (snapshot: ScannerSnapshot) => number | undefined,
): ScannerMetric {
  // Before the first look, there is nothing to count from.
  const counted = (snapshot: ScannerSnapshot) =>
    snapshot.reachable === undefined ? undefined : of(snapshot);
  return { ...one(name, help, { of: counted }), type: 'counter' };
}

/** Longest label: a scanner may send anything. */
const maxLabelLength = 64;

function label(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, maxLabelLength) : '';
}

function seconds(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : milliseconds / 1000;
}

function numberIn(values: ScannerSnapshot['values'], name: string): number | undefined {
  const value = values.get(name);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
