import type { Fleet, Switched } from '../fleet.js';
import type { Unit } from '../units/unit.js';
import { chosenBy, partOf } from './asked.js';
import type { EventSource } from './events-stream.js';
import { fleetMetrics } from './fleet-metrics.js';
import { type ListedUnit, listed } from './listed-unit.js';
import { noneMatches, type PowerAsked, powerAsked } from './power.js';
import type { WholeFleet } from './whole-fleet.js';

/** A fleet that runs in this process, as its port tells of it. */
export class FleetInProcess implements WholeFleet {
  readonly #fleet: Fleet;

  constructor(fleet: Fleet) {
    this.#fleet = fleet;
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

  list(asked: URLSearchParams, origin: string): readonly ListedUnit[] {
    const isChosen = chosenBy(asked);
    const chosen = [...this.#fleet.units.values()].filter(({ facts: { serial, group }, state }) =>
      isChosen({ serial, group, state }),
    );
    return partOf(chosen, asked).map((unit) => listed(unit, origin));
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
    return { scanners: units.length, ...(await switched(fleet, units, power)), states: fleet.states };
  }
}

function switched(fleet: Fleet, units: readonly Unit[], power: PowerAsked['power']): Promise<Switched> {
  if (power === 'on') return fleet.switchOn(units);
  return power === 'off' ? fleet.switchOff(units) : fleet.powerCycle(units);
}
