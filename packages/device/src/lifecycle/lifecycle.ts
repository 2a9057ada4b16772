import type { Clock } from '../interfaces/clock.js';

/** `down`: nothing listens; `starting`: about to; `up`: served. */
export type Phase = 'starting' | 'up' | 'down';

/**
 * A change is not taken, as the scanner goes down and would lose it. It is no status: whoever asked over a wire finds the
 * connection closed, as everybody does in a moment.
 */
export class GoingDown extends Error {
  override readonly name = 'GoingDown';

  constructor() {
    super('the scanner goes down: nothing is taken that it would lose');
  }
}

/** A reboot that is to come once something else is done. */
export interface RebootOrder {
  /** Goes down now; nothing happens where the scanner has gone down meanwhile. */
  begin(): void;
  /** Does not reboot after all. */
  callOff(): void;
}

interface Options {
  readonly clock: Clock;
  /** How long a reboot takes, from going down to coming back. */
  readonly bootMilliseconds: number;
  /** Loads what the scanner starts with. */
  readonly load: () => Promise<void>;
  readonly failed: (error: unknown) => void;
  /** Told of one who follows and fails: that keeps the scanner neither down nor up, and nothing from the others. */
  readonly listenerFailed: (error: unknown) => void;
}

/** Start, reboot, end. Wires follow `onUp` and `onDown`; everything that answers does so between the two. */
export class Lifecycle {
  readonly #options: Options;
  readonly #up = new Set<() => void | Promise<void>>();
  readonly #down = new Set<() => void>();
  #phase: Phase = 'starting';
  #cancelBoot: (() => void) | undefined;
  #ended = false;
  /** Reboots that are to come. */
  readonly #orders = new Set<RebootOrder>();

  constructor(options: Options) {
    this.#options = options;
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** May parameters change? Not while it is down, and not from the moment on at which a reboot was ordered. */
  get takesChanges(): boolean {
    return this.#phase === 'up' && this.#orders.size === 0;
  }

  /** Orders a reboot. From now on, until it is called off or the scanner is up again, no change is taken. */
  order(): RebootOrder {
    const order: RebootOrder = {
      begin: () => {
        if (this.#orders.has(order)) this.reboot();
      },
      callOff: () => {
        this.#orders.delete(order);
      },
    };
    this.#orders.add(order);
    return order;
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
    await this.#options.load();
    this.#phase = 'up';
  }

  /** Goes down at once and comes back after the boot time with what `before` and then `load` leave. */
  reboot(before: () => Promise<void> = async () => undefined): void {
    if (this.#phase !== 'up') return;
    this.#phase = 'down';
    this.#orders.clear();
    for (const listener of this.#down) {
      try {
        listener();
      } catch (error) {
        this.#options.listenerFailed(error);
      }
    }
    this.#book(before);
  }

  /** A boot that fails is tried again after another boot time. */
  #book(before: () => Promise<void>): void {
    this.#cancelBoot = this.#options.clock.after(this.#options.bootMilliseconds, () => {
      this.#boot(before).catch((error: unknown) => {
        this.#options.failed(error);
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
    await this.#options.load();
    if (this.#ended) return;
    this.#phase = 'up';
    for (const listener of this.#up) {
      try {
        await listener();
      } catch (error) {
        this.#options.listenerFailed(error);
      }
    }
  }
}
