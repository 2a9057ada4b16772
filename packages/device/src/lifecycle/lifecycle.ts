import type { Clock } from '../ports/clock.js';

/** `down`: nothing listens; `starting`: about to; `up`: served. */
export type Phase = 'starting' | 'up' | 'down';

interface Facts {
  readonly clock: Clock;
  /** How long a reboot takes, from going down to coming back. */
  readonly bootMilliseconds: number;
  /** Loads what the scanner starts with. */
  readonly load: () => Promise<void>;
  readonly failed: (error: unknown) => void;
}

/** Start, reboot, end. Wires follow `onUp` and `onDown`; everything that answers does so between the two. */
export class Lifecycle {
  readonly #facts: Facts;
  readonly #up = new Set<() => void | Promise<void>>();
  readonly #down = new Set<() => void>();
  #phase: Phase = 'starting';
  #cancelBoot: (() => void) | undefined;
  #ended = false;

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** Called when the scanner has come up after a reboot (not at the first start). */
  onUp(listener: () => void | Promise<void>): void {
    this.#up.add(listener);
  }

  /** Called when the scanner goes down: close every listener and connection. */
  onDown(listener: () => void): void {
    this.#down.add(listener);
  }

  /** The first start: without the wait of a reboot. */
  async start(): Promise<void> {
    this.#phase = 'starting';
    await this.#facts.load();
    this.#phase = 'up';
  }

  /** Goes down at once and comes back after the boot time with what `before` and then `load` leave. */
  reboot(before: () => Promise<void> = async () => undefined): void {
    if (this.#phase !== 'up') return;
    this.#phase = 'down';
    for (const listener of this.#down) listener();
    this.#book(before);
  }

  /** A boot that fails is tried again after another boot time. */
  #book(before: () => Promise<void>): void {
    this.#cancelBoot = this.#facts.clock.after(this.#facts.bootMilliseconds, () => {
      this.#boot(before).catch((error: unknown) => {
        this.#facts.failed(error);
        if (this.#ended) return;
        this.#phase = 'down';
        this.#book(before);
      });
    });
  }

  /** Ends it for good; a pending boot is called off. */
  end(): void {
    this.#ended = true;
    this.#cancelBoot?.();
    this.#phase = 'down';
  }

  async #boot(before: () => Promise<void>): Promise<void> {
    this.#cancelBoot = undefined;
    this.#phase = 'starting';
    await before();
    await this.#facts.load();
    if (this.#ended) return;
    this.#phase = 'up';
    for (const listener of this.#up) await listener();
  }
}
