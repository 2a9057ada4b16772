import type { Clock } from '../interfaces/environment.js';

/** `down`: no port is open; `starting`: the scanner boots; `up`: requests are served. */
type Phase = 'starting' | 'up' | 'down';

/**
 * A change is refused because the scanner goes down and would lose it. It has no status: the connection of the client
 * is closed, as all connections are when the scanner goes down.
 */
export class GoingDown extends Error {
  override readonly name = 'GoingDown';

  constructor() {
    super('the scanner is rebooting: the write is refused because it would be lost');
  }
}

/** A reboot that begins when something else is done. */
interface RebootOrder {
  /** Goes down now; does nothing if the scanner has gone down since. */
  begin(): void;
  /** Cancels the reboot. */
  callOff(): void;
}

/** ms: without a boot time, boots that fail would follow each other at the same time for ever. */
const shortestRetry = 100;

/** What disturbs a boot, for tests: ms that it takes longer, and whether it fails at its end. */
export interface BootFault {
  readonly delay: number;
  readonly fails: boolean;
}

interface Options {
  readonly clock: Clock;
  /** How long a reboot takes, from down to up. */
  readonly bootMilliseconds: number;
  readonly failed: (error: unknown) => void;
  /** Called if a listener throws: that stops neither the reboot nor the other listeners. */
  readonly listenerFailed: (error: unknown) => void;
}

/** Start, reboot and end. The server opens its ports at `onUp` and closes them at `onDown`. */
export class Lifecycle {
  readonly #options: Options;
  readonly #up = new Set<() => void | Promise<void>>();
  readonly #down = new Set<() => void>();
  #phase: Phase = 'starting';
  #upSince = 0;
  #load: () => Promise<void> = async () => undefined;
  #cancelBoot: (() => void) | undefined;
  #ended = false;
  #failedBoots = 0;
  #bootFault: () => BootFault = () => ({ delay: 0, fails: false });
  /** Reboots that were ordered and have not begun. */
  readonly #orders = new Set<RebootOrder>();

  constructor(options: Options) {
    this.#options = options;
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** When the scanner came up last: ms of the monotonic clock, 0 before its first start. */
  get upSince(): number {
    return this.#upSince;
  }

  /** Boots that have failed since the start of the program. */
  get failedBoots(): number {
    return this.#failedBoots;
  }

  /** Can parameters change? Not while the scanner is down or a reboot is ordered. */
  get takesChanges(): boolean {
    return this.#phase === 'up' && this.#orders.size === 0;
  }

  /** Orders a reboot. Changes are refused until it is called off or the scanner is up again. */
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

  /** Calls `listener` when the scanner has come up after a reboot, but not at the first start. */
  onUp(listener: () => void | Promise<void>): void {
    this.#up.add(listener);
  }

  /** Calls `listener` when the scanner goes down. It has to close its ports and connections. */
  onDown(listener: () => void): void {
    this.#down.add(listener);
  }

  /** Asks `fault` at the beginning of each boot after the first start. */
  disturbBoots(fault: () => BootFault): void {
    this.#bootFault = fault;
  }

  /**
   * The first start, without the waiting time of a reboot.
   * @param load loads the stored state; called at each boot
   */
  async start(load: () => Promise<void>): Promise<void> {
    this.#load = load;
    this.#phase = 'starting';
    await load();
    this.#isUp();
  }

  /** Goes down at once. After the boot time, calls `before` and then `load`, and comes up. */
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

  /** A boot that fails is tried again after another boot time. @param least ms that it takes at least */
  #book(before: () => Promise<void>, least = 0): void {
    const { delay, fails } = this.#bootFault();
    const time = Math.max(least, this.#options.bootMilliseconds + delay);
    this.#cancelBoot = this.#options.clock.after(time, () => {
      const booted = fails ? Promise.reject(new Error('a fault was planned for it')) : this.#boot(before);
      booted.catch((error: unknown) => {
        this.#failedBoots += 1;
        this.#options.failed(error);
        if (this.#ended) return;
        this.#phase = 'down';
        this.#book(before, shortestRetry);
      });
    });
  }

  /** Ends for good and cancels a pending boot. */
  end(): void {
    this.#ended = true;
    this.#cancelBoot?.();
    this.#phase = 'down';
  }

  #isUp(): void {
    this.#phase = 'up';
    this.#upSince = this.#options.clock.monotonic();
  }

  async #boot(before: () => Promise<void>): Promise<void> {
    this.#cancelBoot = undefined;
    this.#phase = 'starting';
    await before();
    await this.#load();
    if (this.#ended) return;
    this.#isUp();
    for (const listener of this.#up) {
      // It may end while a listener works: what the others would open, nobody would close.
      if (this.#ended) return;
      try {
        await listener();
      } catch (error) {
        this.#options.listenerFailed(error);
      }
    }
  }
}
