import { pause } from '@azimuth/async';
import type { Registry } from 'prom-client';

type Labels = Readonly<Record<string, string>>;

/** A value of a metric, identified by its labels. */
export type Sample = readonly [labels: Labels, value: number];

/** Value of a metric, or its values. */
type Samples = number | readonly Sample[];

/** A metric with its present values. */
export interface Metric {
  readonly type: 'counter' | 'gauge';
  readonly name: string;
  /** Without a line break. */
  readonly help: string;
  readonly samples: Samples;
}

/** A counter since the process started. */
export function counter(name: string, help: string, samples: Samples): Metric {
  return { type: 'counter', name, help, samples };
}

/** A gauge of the present state. */
export function gauge(name: string, help: string, samples: Samples): Metric {
  return { type: 'gauge', name, help, samples };
}

/** Makes samples with one label: one for each of its values. */
export function by<V extends string>(
  label: string,
  values: readonly V[],
  count: (value: V) => number,
): Sample[] {
  return values.map((value) => [{ [label]: value }, count(value)]);
}

/** Makes samples for values that were counted by the values of the label. */
export function counted(label: string, counts: Iterable<readonly [value: string, count: number]>): Sample[] {
  return Array.from(counts, ([value, count]) => [{ [label]: value }, count]);
}

/**
 * Memory of this process, for pages of several processes whose values are added up: other metrics of a process have no
 * meaning there.
 */
export function memoryMetrics(): readonly Metric[] {
  const { rss, heapUsed } = process.memoryUsage();
  return [
    gauge('process_resident_memory_bytes', 'Resident memory of the process.', rss),
    gauge('nodejs_heap_size_used_bytes', 'Memory of JavaScript objects.', heapUsed),
  ];
}

/** The media type of the text format of Prometheus. */
export const prometheusType = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * Returns metrics in the text format 0.0.4 of Prometheus. A process whose metrics are never requested does not load the
 * library.
 */
export async function prometheusText(metrics: readonly Metric[]): Promise<string> {
  const { Counter, Gauge, Registry } = await import('prom-client');
  const registry = new Registry();
  for (const { type, name, help, samples } of metrics) {
    const labelled = typeof samples === 'number' ? [] : samples;
    const labelNames = [...new Set(labelled.flatMap(([labels]) => Object.keys(labels)))];
    const options = { name, help, labelNames, registers: [registry] };
    const metric = type === 'counter' ? new Counter(options) : new Gauge(options);
    if (typeof samples === 'number') metric.inc(samples);
    // The library begins it with a value of 0.
    else if (samples.length === 0) metric.remove({});
    for (const [labels, value] of labelled) metric.inc(labels, value);
  }
  return registry.metrics();
}

/** Time (ms) after which the first value of the event-loop lag is reported: it needs several samples. */
const firstSampleDelay = 50;

let ofProcess: Promise<Registry> | undefined;

/** Returns event-loop lag, memory and CPU of the process, in the same format. Measuring begins with the first call. */
export async function processText(): Promise<string> {
  ofProcess ??= measuredProcess();
  return (await ofProcess).metrics();
}

async function measuredProcess(): Promise<Registry> {
  const { collectDefaultMetrics, Registry } = await import('prom-client');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // Gauges with names of counters. They are totals of other gauges, by kind, which stay.
  for (const kind of ['handles', 'requests', 'resources'])
    registry.removeSingleMetric(`nodejs_active_${kind}_total`);
  await pause(firstSampleDelay);
  return registry;
}
