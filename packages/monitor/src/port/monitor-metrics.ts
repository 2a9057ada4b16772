import type { Metric, Sample } from '@azimuth/http';
import { scannerMetrics } from '../metrics/scanner-metrics.js';
import type { Monitor } from '../monitor.js';
import type { Output } from '../outputs/output.js';

/** A metric of the outputs of a monitor. */
interface OutputMetric extends Pick<Metric, 'name' | 'type' | 'help'> {
  readonly labels: readonly string[];
  readonly samplesOf: (output: Output) => readonly Sample[];
}

/** Metrics of each output, with the label `output`. */
export const outputMetrics: readonly OutputMetric[] = [
  {
    name: 'azimuth_monitor_output_entries_total',
    type: 'counter',
    help: 'Entries of the log that an output was given: delivered, or lost because too many waited.',
    labels: ['output', 'outcome'],
    samplesOf: ({ name, counts }) => [
      [{ output: name, outcome: 'delivered' }, counts.delivered],
      [{ output: name, outcome: 'lost' }, counts.lost],
    ],
  },
  {
    name: 'azimuth_monitor_output_waiting_entries',
    type: 'gauge',
    help: 'Entries that wait until the other side accepts them.',
    labels: ['output'],
    samplesOf: ({ name, counts }) => [[{ output: name }, counts.waiting]],
  },
];

/** State of the log. */
export const logMetric = {
  name: 'azimuth_monitor_log_failing',
  type: 'gauge',
  help: 'Whether the last entry of the log is not stored yet, because the disk or the database refuses it: 1 or 0.',
  labels: [],
} as const;

/** Returns the metrics of a monitor: those of its scanners, its outputs and its log. */
export function monitorMetrics({
  snapshots,
  outputs,
  storeFailure,
}: Pick<Monitor, 'snapshots' | 'outputs' | 'storeFailure'>): readonly Metric[] {
  return [
    ...scannerMetrics.map(({ name, type, help, samplesOf }): Metric => {
      const samples = snapshots.flatMap((snapshot) =>
        samplesOf(snapshot).map(([labels, value]): Sample => [{ scanner: snapshot.name, ...labels }, value]),
      );
      return { name, type, help, samples };
    }),
    ...outputMetrics.map(
      ({ name, type, help, samplesOf }): Metric => ({
        name,
        type,
        help,
        samples: outputs.flatMap(samplesOf),
      }),
    ),
    { ...logMetric, samples: Number(storeFailure !== undefined) },
  ];
}
