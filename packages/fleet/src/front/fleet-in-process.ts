import { isObject } from '@azimuth/model';
import type { Fleet, Switched } from '../fleet.js';
import type { Unit } from '../units/unit.js';
import { partOf, Refused } from './asked.js';
import type { EventSource } from './events-stream.js';
import { fleetMetrics } from './fleet-metrics.js';
import { type ListedUnit, listed } from './listed-unit.js';
import type { WholeFleet } from './whole-fleet.js';

/** A fleet that runs in this process, as its port tells of it. */
export class FleetInProcess implements WholeFleet {
  readonly #fleet: Fleet;
  readonly #origin: string;

  /** @param origin of its port: `http://127.0.0.1:8000` */
  constructor(fleet: Fleet, origin: string) {
    this.#fleet = fleet;
    this.#origin = origin;
  }

  get size(): number {
    return this.#fleet.units.size;
  }

  get events(): EventSource {
    const { events, units } = this.#fleet;
    return {
      followers: events.followers,
      follow: (follower) => events.follow(units.values(), follower),
    };
  }

  list(asked: URLSearchParams): readonly ListedUnit[] {
    const pattern = asked.get('q');
    const group = asked.get('group');
    const state = asked.get('state');
    const units = pattern === null ? [...this.#fleet.units.values()] : this.#fleet.matching(pattern);
    const chosen = units.filter(
      (unit) => (group === null || unit.facts.group === group) && (state === null || unit.state === state),
    );
    return partOf(chosen, asked).map((unit) => listed(unit, this.#origin));
  }

  overview(): object {
    const { units, states } = this.#fleet;
    const { rss } = process.memoryUsage();
    return { scanners: units.size, states, uptime: process.uptime(), memory: rss };
  }

  metrics(): string {
    return fleetMetrics(this.#fleet);
  }

  async power(body: string): Promise<object> {
    const fleet = this.#fleet;
    const { scanners, power } = objectIn(body);
    if (typeof scanners !== 'string')
      throw new Refused('scanners: expected a serial number or a pattern, as "*"');
    if (power !== 'on' && power !== 'off' && power !== 'cycle')
      throw new Refused('power: expected "on", "off" or "cycle"');
    const units = fleet.matching(scanners);
    if (units.length === 0) throw new Refused(`scanners: no scanner of this fleet matches "${scanners}"`);
    return { scanners: units.length, ...(await switched(fleet, units, power)), states: fleet.states };
  }
}

function switched(fleet: Fleet, units: readonly Unit[], power: 'on' | 'off' | 'cycle'): Promise<Switched> {
  if (power === 'on') return fleet.switchOn(units);
  return power === 'off' ? fleet.switchOff(units) : fleet.powerCycle(units);
}

function objectIn(body: string): Readonly<Record<string, unknown>> {
  try {
    const json: unknown = JSON.parse(body);
    if (isObject(json)) return json;
  } catch {
    // As any other body that is no object.
  }
  throw new Refused('expected a JSON object');
}
