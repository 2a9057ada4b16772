import type { Fleet } from '../fleet.js';

/** The page `/metrics` of a fleet, in the text format of Prometheus. One label a group: those of the fleet file, not more. */
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
  const { rss, heapUsed } = process.memoryUsage();
  return [
    ...family('azimuth_fleet_scanners', 'gauge', 'Scanners by their group and state.', states),
    ...family('azimuth_fleet_requests_total', 'counter', 'Requests by the port of the fleet.', requests),
    ...family(
      'azimuth_fleet_telegrams',
      'gauge',
      'Telegrams of scan data that scanners which run have sent.',
      telegrams,
    ),
    ...family(
      'azimuth_fleet_event_followers',
      'gauge',
      'Programs that follow the events of the fleet.',
      new Map([['', fleet.events.followers]]),
    ),
    ...family(
      'azimuth_fleet_unexpected_errors_total',
      'counter',
      'Errors that no scanner has handled.',
      new Map([['', fleet.errors.counts.of('process')]]),
    ),
    ...family(
      'process_resident_memory_bytes',
      'gauge',
      'Resident memory of the process.',
      new Map([['', rss]]),
    ),
    ...family(
      'nodejs_heap_size_used_bytes',
      'gauge',
      'Memory of JavaScript objects.',
      new Map([['', heapUsed]]),
    ),
    '',
  ].join('\n');
}

function add(counts: Map<string, number>, key: string, more: number): void {
  counts.set(key, (counts.get(key) ?? 0) + more);
}

function labels(values: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(values).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return `{${pairs.join(',')}}`;
}

function family(name: string, type: string, help: string, values: ReadonlyMap<string, number>): string[] {
  const samples = [...values].map(([label, value]) => `${name}${label} ${value}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples];
}
