import { createHash } from 'node:crypto';
import type { Log } from '@azimuth/device';
import { virtualIdentity } from '@azimuth/device';
import { concurrently } from '@azimuth/model';
import { type Passwords, type Shared, Unit, type UnitState } from './units/unit.js';
import type { UnitFacts } from './units/unit-facts.js';
import type { UnitStore } from './units/unit-store.js';

/** Scanners that are switched on or off at the same time. */
const atOnce = 64;

export interface FleetOptions {
  readonly units: readonly UnitFacts[];
  /** For all that they store. The fleet closes it. */
  readonly store: UnitStore;
  readonly log: Log;
  /** The folder of the GUI; by default, there is none. */
  readonly gui?: string;
  /** Connections of one scanner at the same time. */
  readonly maxConnections: number;
  /** How long a reboot takes, in ms. */
  readonly bootMilliseconds: number;
  /** Passwords of all scanners; by default, those of the factory, until somebody changes them. */
  readonly passwords?: Passwords;
  /** A scanner that was only read rests after so many ms without a request; by default, two minutes. */
  readonly restAfter?: number;
}

/** ms. */
const usuallyRestsAfter = 120_000;

/** How many scanners are in each state. */
export type StateCounts = Readonly<Record<UnitState, number>>;

/** Many virtual scanners in one process. */
export class Fleet {
  readonly #store: UnitStore;
  readonly #units = new Map<string, Unit>();
  readonly #resting: NodeJS.Timeout;

  private constructor(store: UnitStore, units: readonly UnitFacts[], shared: Shared, restAfter: number) {
    this.#store = store;
    // One timer for all.
    this.#resting = setInterval(() => this.#restUnused(restAfter), restAfter / 2).unref();
    const addresses = new Set<string>();
    for (const facts of units) {
      const unit = new Unit(facts, freeMacAddress(facts.serial, addresses), shared);
      this.#units.set(facts.serial, unit);
    }
  }

  /**
   * Switches all scanners on. When the promise resolves, their power-ons are on disk, and whoever needs one of them
   * reaches it.
   * @throws PortTaken
   */
  static async start(options: FleetOptions): Promise<Fleet> {
    const { units, store, restAfter = usuallyRestsAfter, passwords = {} } = options;
    const shared: Shared = { ...options, passwords };
    const fleet = new Fleet(store, units, shared, restAfter);
    try {
      const [failure] = await fleet.#switchOn([...fleet.#units.values()]);
      if (failure === undefined) return fleet;
      throw failure;
    } catch (error) {
      await fleet.close();
      throw error;
    }
  }

  /** All scanners, in the order in which they were given. */
  get units(): ReadonlyMap<string, Unit> {
    return this.#units;
  }

  get states(): StateCounts {
    const counts = { off: 0, idle: 0, running: 0, failed: 0 };
    for (const { state } of this.#units.values()) counts[state]++;
    return counts;
  }

  /**
   * The scanners that a pattern means: a serial number, or a part of it with `*`; a group as `hall/*`; `*` for all.
   */
  matching(pattern: string): readonly Unit[] {
    const exact = this.#units.get(pattern);
    if (exact !== undefined) return [exact];
    const [, group] = /^(.+)\/\*$/.exec(pattern) ?? [];
    const fits = expressionOf(group ?? pattern);
    return [...this.#units.values()].filter(({ facts }) =>
      fits.test(group === undefined ? facts.serial : facts.group),
    );
  }

  /** Switches scanners on that are off, and tries those again that have failed. One that cannot be switched on has failed. */
  async switchOn(units: readonly Unit[]): Promise<void> {
    await this.#switchOn(units);
  }

  /** @returns why scanners could not be switched on. All others were */
  async #switchOn(units: readonly Unit[]): Promise<readonly unknown[]> {
    const off = units.filter(({ state }) => state === 'off' || state === 'failed');
    await this.#store.powerOn(off.map(({ facts }) => facts.serial));
    const failures: unknown[] = [];
    await concurrently(atOnce, off, (unit) =>
      unit.switchOn().catch((error: unknown) => void failures.push(error)),
    );
    return failures;
  }

  /** Switches scanners off: what they have not saved is lost. */
  async switchOff(units: readonly Unit[]): Promise<void> {
    await concurrently(atOnce, units, (unit) => unit.switchOff());
  }

  /** Switches scanners off and on again. A scanner that is off is switched on. */
  async powerCycle(units: readonly Unit[]): Promise<void> {
    await this.switchOff(units);
    await this.switchOn(units);
  }

  #restUnused(milliseconds: number): void {
    for (const unit of this.#units.values()) void unit.restIfUnused(milliseconds);
  }

  /** Switches all off. What is stored is on disk when the promise resolves. */
  async close(): Promise<void> {
    clearInterval(this.#resting);
    await this.switchOff([...this.#units.values()]);
    await this.#store.close();
  }
}

/** Words with `*` for any characters. */
function expressionOf(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`);
}

/** The MAC address that a serial number leads to, or another one if a scanner before has it: of thousands, some meet. */
function freeMacAddress(serial: string, taken: Set<string>): readonly number[] {
  let { macAddress } = virtualIdentity(serial);
  for (let attempt = 1; taken.has(macAddress.join()); attempt++) {
    const [a = 0, b = 0, c = 0] = createHash('sha256').update(`${serial} ${attempt}`).digest();
    macAddress = [...macAddress.slice(0, 3), a, b, c];
  }
  taken.add(macAddress.join());
  return macAddress;
}
