import type { Fleet } from '../fleet.js';
import { labels, memoryMetrics, metricText } from './metric-text.js';

/** The page `/metrics` of a fleet, in the text format of Prometheus. Its labels are the group, the state, and where an error came up, so it does not grow with the scanners. */
export function fleetMetrics(fleet: Fleet): string {
  const states = new Map<string, number>();
  const telegrams = new Map<string, number>();
  // The labels are text that is made once for each group.
  const groups = new Map<string, GroupLabels>();
  for (const { facts, state, service } of fleet.scanners.values()) {
    const { group } = facts;
    let known = groups.get(group);
    if (known === undefined) {
      known = { group: labels({ group }), states: new Map() };
      groups.set(group, known);
    }
    let ofState = known.states.get(state);
    if (ofState === undefined) {
      ofState = labels({ group, state });
      known.states.set(state, ofState);
    }
    add(states, ofState, 1);
    add(telegrams, known.group, service?.telegramsSent ?? 0);
  }
  const requests = new Map([...fleet.requests].map(([group, count]) => [labels({ group }), count]));
  const errors = new Map(fleet.errors.counts.counts.map(([where, count]) => [labels({ where }), count]));
  return (
    metricText('azimuth_fleet_scanners', 'gauge', 'Scanners by their group and state.', states) +
    metricText(
      'azimuth_fleet_requests_total',
      'counter',
      'Requests of scanners, by the port of the fleet and by their own.',
      requests,
    ) +
    metricText(
      'azimuth_fleet_telegrams',
      'gauge',
      'Telegrams of scan data that scanners which run have sent.',
      telegrams,
    ) +
    metricText(
      'azimuth_fleet_event_followers',
      'gauge',
      'Programs that follow the events of the fleet.',
      fleet.events.followers,
    ) +
    metricText(
      'azimuth_fleet_unexpected_errors_total',
      'counter',
      'Unexpected errors outside of requests, of the fleet and inside its scanners, by where they came up.',
      errors,
    ) +
    memoryMetrics()
  );
}

interface GroupLabels {
  readonly group: string;
  readonly states: Map<string, string>;
}

function add(counts: Map<string, number>, key: string, more: number): void {
  counts.set(key, (counts.get(key) ?? 0) + more);
}
