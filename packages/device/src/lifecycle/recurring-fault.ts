import type { Clock } from '../interfaces/clock.js';
import type { Log } from '../interfaces/log.js';
import type { Conditions } from './conditions.js';

/** ms: a fault that returns within this time is not logged again, even if all was well in between. */
const quietPeriod = 10_000;

interface Options {
  readonly conditions: Conditions;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * One kind of fault of what a maker of devices has added: a core, a sensor. It is logged once, and DeviceStatus is 7 until that
 * works again. It may fail a hundred times a second, and work in between.
 */
export class RecurringFault {
  readonly #options: Options;
  readonly #reason: string;
  readonly #lingers: boolean;
  readonly #logged = new Set<string>();
  #holds = false;
  #failedAt = 0;

  /**
   * @param reason of the condition
   * @param lingers whether the condition holds until all has been well for 10 s; else it ends at once when it works again
   */
  constructor(options: Options, reason: string, { lingers = false } = {}) {
    this.#options = options;
    this.#reason = reason;
    this.#lingers = lingers;
  }

  /** Whether the condition holds. */
  get holds(): boolean {
    return this.#holds;
  }

  failed(what: string, why: string): void {
    const { clock, log } = this.#options;
    this.#failedAt = clock.monotonic();
    if (!this.#logged.has(what)) log.error(what, { reason: why });
    this.#logged.add(what);
    this.#set(true);
  }

  works(): void {
    if (!this.#holds && this.#logged.size === 0) return;
    const isOver = this.#options.clock.monotonic() - this.#failedAt >= quietPeriod;
    if (isOver) this.#logged.clear();
    if (isOver || !this.#lingers) this.#set(false);
  }

  /** A boot: forgets all faults. */
  reset(): void {
    this.#logged.clear();
    this.#set(false);
  }

  #set(holds: boolean): void {
    if (this.#holds === holds) return;
    this.#holds = holds;
    this.#options.conditions.set('DS_RecoverableError', this.#reason, holds);
  }
}
