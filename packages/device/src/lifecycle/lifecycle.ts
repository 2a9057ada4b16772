import type { Clock } from '../interfaces/environment.js';

/** What the scanner is made of, which lives and stops with it. */
interface Life {
  /** Power was switched on. Resolves when what has to be on disk is. */
  powerOn(): Promise<void>;
  /** Loads the stored state, and comes up with it. */
  boot(): Promise<void>;
  /** A lot of time is about to pass at once: nothing measures or pulses until `resume`. */
  pause(): void;
  resume(): void;
}

/**
 * `starting`: the scanner boots. `up`: requests are served. `down`: no port is open, and a boot is due. `ended`: no boot
 * follows.
 *
 * | from | by | to |
 * |---|---|---|
 * | starting | all is loaded | up |
 * | starting | the boot has failed | down |
 * | up | a reboot, a power cycle | down |
 * | down | the boot time is over | starting |
 * | any | the end | ended |
 */
type State =
  | { readonly phase: 'starting' | 'ended' }
  | { readonly phase: 'up'; readonly orders: Set<RebootOrder> }
  | { readonly phase: 'down'; readonly cancelBoot: () => void };

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
  #state: State = { phase: 'starting' };
  #life: Life | undefined;
  #bootFault: () => BootFault = () => ({ delay: 0, fails: false });
  /** Can parameters change? Not while the scanner is down or a reboot is ordered. */
  acceptsChanges = false;
  /** When the scanner came up last: ms of the monotonic clock, 0 before its first start. */
  upSince = 0;
  /** Boots that have failed since the start of the program. */
  failedBoots = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  get phase(): 'starting' | 'up' | 'down' {
    const { phase } = this.#state;
    return phase === 'ended' ? 'down' : phase;
  }

  /** Orders a reboot. Changes are refused until it is called off or the scanner is up again. */
  order(): RebootOrder {
    const order: RebootOrder = {
      begin: () => {
        if (this.#state.phase === 'up' && this.#state.orders.has(order)) this.reboot();
      },
      callOff: () => {
        if (this.#state.phase !== 'up') return;
        this.#state.orders.delete(order);
        this.#enter(this.#state);
      },
    };
    if (this.#state.phase === 'up') {
      this.#state.orders.add(order);
      this.#enter(this.#state);
    }
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

  /** The first start, without the waiting time of a reboot. */
  async start(life: Life): Promise<void> {
    this.#life = life;
    await life.powerOn();
    await life.boot();
    this.#isUp();
  }

  /** Goes down at once, and comes up after the boot time. */
  reboot(): void {
    this.#goDown(async () => undefined);
  }

  /** Power goes off and on again: what was not stored is lost, and the power-on is counted. */
  powerCycle(): void {
    this.#goDown(async () => this.#life?.powerOn());
  }

  /**
   * Calls `pass`, which lets a lot of time pass at once. Nothing is measured meanwhile: else every scan and pulse of that
   * time would be computed.
   */
  skipTime(pass: () => void): void {
    this.#life?.pause();
    try {
      pass();
    } finally {
      this.#life?.resume();
    }
  }

  /** Ends for good and cancels a pending boot. */
  end(): void {
    if (this.#state.phase === 'down') this.#state.cancelBoot();
    this.#enter({ phase: 'ended' });
  }

  #enter(state: State): void {
    this.#state = state;
    this.acceptsChanges = state.phase === 'up' && state.orders.size === 0;
  }

  /** @param before is called before the boot */
  #goDown(before: () => Promise<void>): void {
    if (this.#state.phase !== 'up') return;
    // The listeners find it down, and may end it.
    this.#enter({ phase: 'down', cancelBoot: () => undefined });
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
    if (this.#hasEnded) return;
    const { delay, fails } = this.#bootFault();
    const time = Math.max(least, this.#options.bootMilliseconds + delay);
    const cancelBoot = this.#options.clock.after(time, () => {
      const booted = fails ? Promise.reject(new Error('a fault was planned for it')) : this.#boot(before);
      booted.catch((error: unknown) => {
        this.failedBoots += 1;
        this.#options.failed(error);
        this.#book(before, shortestRetry);
      });
    });
    this.#enter({ phase: 'down', cancelBoot });
  }

  #isUp(): void {
    this.#enter({ phase: 'up', orders: new Set() });
    this.upSince = this.#options.clock.monotonic();
  }

  async #boot(before: () => Promise<void>): Promise<void> {
    this.#enter({ phase: 'starting' });
    await before();
    await this.#life?.boot();
    if (this.#hasEnded) return;
    this.#isUp();
    for (const listener of this.#up) {
      // It may end while a listener works: what the others would open, nobody would close.
      if (this.#hasEnded) return;
      try {
        await listener();
      } catch (error) {
        this.#options.listenerFailed(error);
      }
    }
  }

  get #hasEnded(): boolean {
    return this.#state.phase === 'ended';
  }
}
