import type { Fleet, Switched } from '../fleet.js';
import type { Unit } from '../units/unit.js';
import { chosenBy, partOf } from './asked.js';
import type { EventSource } from './events-stream.js';
import { fleetMetrics } from './fleet-metrics.js';
import { Fresh } from './fresh.js';
import { filterInTurns, mapInTurns } from './in-turns.js';
import { type ListedUnit, listed } from './listed-unit.js';
import { noneMatches, type PowerAsked, powerAsked } from './power.js';
import type { WholeFleet } from './whole-fleet.js';

/** A fleet that runs in this process, as its port tells of it. */
export class FleetInProcess implements WholeFleet {
  readonly #fleet: Fleet;
  /** All scanners, with their URLs below that of the fleet. */
  readonly #all: Fresh<readonly ListedUnit[]>;

  /** @param freshFor ms for which the list of all scanners is kept */
  constructor(fleet: Fleet, freshFor?: number) {
    this.#fleet = fleet;
    this.#all = new Fresh(() => mapInTurns(fleet.units.values(), (unit) => listed(unit, '')), freshFor);
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

  /** Scanners whose serial numbers are asked for are looked up anew: gateways ask in this way whether a scanner is here. */
  async list(asked: URLSearchParams, origin: string): Promise<readonly ListedUnit[]> {
    const isChosen = chosenBy(asked);
    const all = asked.has('serials') ? this.#named(asked.get('serials') ?? '') : await this.#all.get();
    const chosen = await filterInTurns(all, ({ serialNumber: serial, group, state }) =>
      isChosen({ serial, group, state }),
    );
    return partOf(chosen, asked).map((one) =>
      one.url === one.path ? { ...one, url: origin + one.path } : one,
    );
  }

  #named(serials: string): readonly ListedUnit[] {
    const named = new Set(serials.split(','));
    const units = [...this.#fleet.units.values()].filter(({ facts: { serial } }) => named.has(serial));
    return units.map((unit) => listed(unit, ''));
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
    const { scanners, power } = powerAsked(body);
    const units = fleet.matching(scanners);
    if (units.length === 0) throw noneMatches(scanners);
    try {
      return { scanners: units.length, ...(await switched(fleet, units, power)), states: fleet.states };
    } finally {
      this.#all.forget();
    }
  }
}

function switched(fleet: Fleet, units: readonly Unit[], power: PowerAsked['power']): Promise<Switched> {
  if (power === 'on') return fleet.switchOn(units);
  return power === 'off' ? fleet.switchOff(units) : fleet.powerCycle(units);
}
