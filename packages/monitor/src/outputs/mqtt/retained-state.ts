import { conditionKinds } from '../../conditions/all-conditions.js';
import { scannerMetrics } from '../../metrics/scanner-metrics.js';
import type { ScannerSnapshot } from '../../state/scanner-snapshot.js';
import type { Topics } from './topics.js';

/** Payloads of retained topics, by their topics. */
export type Retained = ReadonlyMap<string, string>;

/** Returns what the topics of a scanner say about it now. */
export function retainedState(snapshot: ScannerSnapshot, topics: Topics): Retained {
  const { name, reachable } = snapshot;
  if (reachable === undefined) return new Map();
  return new Map([
    [topics.availability(name), reachable ? 'online' : 'offline'],
    [topics.state(name), JSON.stringify(stateOf(snapshot))],
    ...conditionKinds.map(({ id, severity }): [string, string] => {
      const active = snapshot.conditions.filter((condition) => condition.id === id);
      const parts = active.map(({ part, text, since }) => ({
        ...{ part, text, since: new Date(since).toISOString() },
      }));
      return [topics.condition(name, id), JSON.stringify({ active: active.length > 0, severity, parts })];
    }),
  ]);
}

const metricPrefix = /^azimuth_monitor_/;

/** Returns the member of a state that has the value of a metric: `temperature_celsius`. */
export function stateMember(metric: string): string {
  return metric.replace(metricPrefix, '');
}

/** Returns the values of a scanner: those of the metrics, and its name, address and serial number. */
function stateOf(snapshot: ScannerSnapshot): Readonly<Record<string, unknown>> {
  const { name, url, serial, failure } = snapshot;
  const values = scannerMetrics.flatMap(({ name: metric, labels, samplesOf }): [string, unknown][] => {
    // The conditions have topics of their own, and what identifies a scanner is not a value.
    if (labels.length > 1) return [];
    const samples = samplesOf(snapshot);
    if (samples.length === 0) return [];
    const [label] = labels;
    if (label === undefined) return [[stateMember(metric), samples[0]?.[1]]];
    return [[stateMember(metric), Object.fromEntries(samples.map(([of, value]) => [of[label], value]))]];
  });
  return { scanner: name, url, serial, failure, ...Object.fromEntries(values) };
}
