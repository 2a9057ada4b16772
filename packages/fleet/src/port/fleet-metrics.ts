import { counted, counter, gauge, type Metric, memoryMetrics, type Sample } from '@azimuth/http';
import type { Fleet } from '../fleet.js';

/**
 * Returns the metrics of a fleet. Their labels are the group, the state, and the place of an error. So their number does not
 * grow with the scanners.
 */
export function fleetMetrics(fleet: Fleet): readonly Metric[] {
  const telegrams = new Map<string, number>();
  const states = new Map<string, Map<string, number>>();
  for (const [group, counts] of fleet.standing.byGroup) {
    const inUse = Object.entries(counts).filter(([, count]) => count > 0);
    if (inUse.length === 0) continue;
    states.set(group, new Map(inUse));
    telegrams.set(group, 0);
  }
  for (const { facts, service } of fleet.standing.of('running'))
    add(telegrams, facts.group, service?.telegramsSent ?? 0);
  for (const { facts, state } of fleet.adopted) {
    const ofGroup = states.get(facts.group) ?? new Map<string, number>();
    states.set(facts.group, ofGroup);
    add(ofGroup, state, 1);
  }
  const scanners = [...states].flatMap(([group, ofGroup]) =>
    Array.from(ofGroup, ([state, count]): Sample => [{ group, state }, count]),
  );
  return [
    gauge('azimuth_fleet_scanners', 'Scanners by their group and state.', scanners),
    counter(
      'azimuth_fleet_requests_total',
      'Requests of scanners, by the port of the fleet and by their own.',
      counted('group', fleet.requests),
    ),
    gauge(
      'azimuth_fleet_telegrams',
      'Telegrams of scan data that scanners which run have sent.',
      counted('group', telegrams),
    ),
    gauge(
      'azimuth_fleet_event_followers',
      'Programs that follow the events of the fleet.',
      fleet.events.followers,
    ),
    counter(
      'azimuth_fleet_unexpected_errors_total',
      'Unexpected errors outside of requests, of the fleet and inside its scanners, by where they came up.',
      counted('where', fleet.errors.counts.counts),
    ),
    ...memoryMetrics(),
  ];
}

function add(counts: Map<string, number>, key: string, more: number): void {
  counts.set(key, (counts.get(key) ?? 0) + more);
}
