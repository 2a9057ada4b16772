import type { Clock } from '../interfaces/clock.js';
import type { Log } from '../interfaces/log.js';
import type { Conditions } from '../lifecycle/conditions.js';

/** ms: what fails again within this time is told no second time, however well it worked in between. */
const calm = 10_000;

interface Facts {
  readonly conditions: Conditions;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * One thing that a core may fail at: told in the log once, and DeviceStatus 7 until it works again. A core that fails may
 * do so a hundred times a second, and work in between.
 */
export class CoreFault {
  readonly #facts: Facts;
  readonly #reason: string;
  readonly #lingers: boolean;
  readonly #told = new Set<string>();
  #holds = false;
  #failedAt = 0;

  /**
   * @param reason of the condition
   * @param facts with `lingers` it holds until all has gone well for 10 s, else until it works for the first time
   */
  constructor(facts: Facts, reason: string, { lingers = false } = {}) {
    this.#facts = facts;
    this.#reason = reason;
    this.#lingers = lingers;
  }

  failed(what: string, why: string): void {
    const { clock, log } = this.#facts;
    this.#failedAt = clock.monotonic();
    if (!this.#told.has(what)) log.error(what, { reason: why });
    this.#told.add(what);
    this.#set(true);
  }

  works(): void {
    if (!this.#holds && this.#told.size === 0) return;
    const isCalm = this.#facts.clock.monotonic() - this.#failedAt >= calm;
    if (isCalm) this.#told.clear();
    if (isCalm || !this.#lingers) this.#set(false);
  }

  /** A boot: nothing is known against it. */
  reset(): void {
    this.#told.clear();
    this.#set(false);
  }

  #set(holds: boolean): void {
    if (this.#holds === holds) return;
    this.#holds = holds;
    this.#facts.conditions.set('DS_RecoverableError', this.#reason, holds);
  }
}
