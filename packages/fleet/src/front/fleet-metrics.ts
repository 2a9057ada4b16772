import type { Fleet } from '../fleet.js';
import { labels, memoryMetrics, metricText } from './metric-text.js';

/** The page `/metrics` of a fleet, in the text format of Prometheus. Besides the state, the group is the only label, so it does not grow with the scanners. */
export function fleetMetrics(fleet: Fleet): string {
  const states = new Map<string, number>();
  const requests = new Map<string, number>();
  const telegrams = new Map<string, number>();
  for (const { facts, state, requests: asked, service } of fleet.units.values()) {
    const { group } = facts;
    add(states, labels({ group, state }), 1);
    add(requests, labels({ group }), asked);
    add(telegrams, labels({ group }), service?.telegramsSent ?? 0);
  }
  const errors = fleet.errors.counts.of('process');
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
      'Errors that no scanner has handled.',
      errors,
    ) +
    memoryMetrics()
  );
}

function add(counts: Map<string, number>, key: string, more: number): void {
  counts.set(key, (counts.get(key) ?? 0) + more);
}
