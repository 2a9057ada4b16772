import type { Clock } from '../interfaces/clock.js';
import type { Conditions } from '../lifecycle/conditions.js';
import { coreFault } from '../measuring/measuring.js';
import type { Scan } from '../scan/scan.js';

/** Scans are missing when none has come for so many turns, and for so many ms at least. */
const turns = 10;
const shortest = 1000;
/** ms: half a microsecond is nothing, as for any timer. */
const nothing = 0.0005;

interface Facts {
  readonly clock: Clock;
  readonly conditions: Conditions;
  /** Called when scans are missing, or come again; not by `start` and `stop`. */
  readonly changed: () => void;
}

/**
 * The scans that fields are seen in. Without them nobody knows whether a field is free: they are missing when none has
 * come for too long, and when the measuring core fails; until one comes from a core that works.
 */
export class AwaitedScans {
  readonly #facts: Facts;
  #expecting = false;
  #paused = false;
  #missing = false;
  /** ms of the monotonic clock. */
  #last = 0;
  #patience = shortest;
  #cancel: (() => void) | undefined;

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  get missing(): boolean {
    return this.#missing;
  }

  /** Expects scans from now on, or goes on to. */
  start(): void {
    if (this.#coreFails) this.#missing = true;
    if (this.#expecting) return;
    this.#expecting = true;
    this.#last = this.#facts.clock.monotonic();
    this.#patience = shortest;
    this.#check();
  }

  /** Expects none. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#expecting = false;
    this.#missing = false;
  }

  /** Time passes that does not count, as nothing is measured in it: until `resume`. */
  pause(): void {
    this.#paused = true;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  resume(): void {
    this.#paused = false;
    this.#last = this.#facts.clock.monotonic();
    if (this.#expecting && this.#cancel === undefined) this.#check();
  }

  /** A scan has come. Where none was missing it books nothing: there may be 50 a second. */
  came({ geometry }: Scan): void {
    this.#last = this.#facts.clock.monotonic();
    this.#patience = Math.max(shortest, (turns * 1000) / geometry.frequency);
    this.#note(this.#coreFails);
    if (this.#cancel === undefined) this.#check();
  }

  get #coreFails(): boolean {
    return this.#facts.conditions.holdsFor('DS_RecoverableError', coreFault);
  }

  /** Looks again when the last scan would be too long ago. Where scans are missing, only one that comes changes that. */
  #check(): void {
    this.#cancel = undefined;
    if (this.#missing || this.#paused) return;
    const left = this.#last + this.#patience - this.#facts.clock.monotonic();
    if (left <= nothing) this.#note(true);
    else this.#cancel = this.#facts.clock.after(left, () => this.#check());
  }

  #note(missing: boolean): void {
    if (missing === this.#missing) return;
    this.#missing = missing;
    this.#facts.changed();
  }
}
