import { Timeout } from '../clock/timeout.js';
import type { Clock } from '../interfaces/environment.js';
import type { RebootKind } from '../interfaces/hardware/index.js';

/** The parts of the scanner that live and stop with it. */
interface Life {
  /** Called when power is switched on. Resolves when everything that has to be stored is on disk. */
  powerOn(): Promise<void>;
  /** Loads the stored state, and comes up with it. */
  boot(): Promise<void>;
  /** Called when a lot of time is about to pass at once: nothing measures or pulses until `resume`. */
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
 * | down | the device has restarted | starting |
 * | any | the end | ended |
 */
type State =
  | { readonly phase: 'starting' | 'down' | 'ended' }
  | { readonly phase: 'up'; readonly orders: Set<RebootOrder> };

/**
 * Refuses a change because the scanner goes down and would lose it. It has no status: the connection of the client is
 * closed, like all connections of a scanner that goes down.
 */
export class GoingDown extends Error {
  override readonly name = 'GoingDown';

  constructor() {
    super('the scanner is rebooting: the write is refused because it would be lost');
  }
}

/** A reboot that begins after another action. */
interface RebootOrder {
  /** Goes down now. Does nothing if the scanner has gone down since. */
  begin(): void;
  /** Cancels the reboot. */
  callOff(): void;
}

/** Minimum time between boots in ms. Without it, failing boots would follow each other endlessly at the same time. */
const shortestRetry = 100;

/** A restart of the device, and what to do before the boot. */
interface Restart {
  readonly kind: RebootKind;
  readonly before: () => Promise<void>;
}

interface Options {
  readonly clock: Clock;
  /** Restarts the device. Resolves when the scanner has to come up, and never rejects. */
  readonly restart: (kind: RebootKind) => Promise<void>;
  readonly failed: (error: unknown) => void;
  /** Called if a listener throws. Neither the reboot nor the other listeners stop. */
  readonly listenerFailed: (error: unknown) => void;
}

/** Start, reboot and end. The server opens its ports at `onUp` and closes them at `onDown`. */
export class Lifecycle {
  readonly #options: Options;
  readonly #up = new Set<() => void | Promise<void>>();
  readonly #down = new Set<() => void>();
  readonly #pause: Timeout;
  #state: State = { phase: 'starting' };
  #life: Life | undefined;
  /** True if power was lost while a boot was due. */
  #lostPower = false;
  /** True if parameters can change. False while the scanner is down or a reboot is ordered. */
  acceptsChanges = false;
  /** Time of the last start: ms of the monotonic clock, 0 before the first one. */
  upSince = 0;
  /** Number of failed boots since the start of the program. */
  failedBoots = 0;

  constructor(options: Options) {
    this.#options = options;
    this.#pause = new Timeout(options.clock);
  }

  get phase(): 'starting' | 'up' | 'down' {
    const { phase } = this.#state;
    return phase === 'ended' ? 'down' : phase;
  }

  /** Orders a reboot. Changes are refused until it is cancelled or the scanner is up again. */
  order(kind: RebootKind): RebootOrder {
    const order: RebootOrder = {
      begin: () => {
        if (this.#state.phase === 'up' && this.#state.orders.has(order)) this.reboot(kind);
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

  /** Calls `listener` when the scanner goes down. The listener has to close its ports and connections. */
  onDown(listener: () => void): void {
    this.#down.add(listener);
  }

  /** Starts for the first time, without the waiting time of a reboot. */
  async start(life: Life): Promise<void> {
    this.#life = life;
    await life.powerOn();
    await life.boot();
    this.#isUp();
  }

  /** Goes down at once, and comes up when the device has restarted. */
  reboot(kind: RebootKind = 'SoftReset'): void {
    this.#goDown({ kind, before: async () => undefined });
  }

  /** Switches power off and on again. Unsaved data is lost, and the power-on is counted. */
  powerCycle(): void {
    this.#goDown({ kind: 'powerCycle', before: async () => this.#life?.powerOn() });
  }

  /** As `powerCycle`. If a boot is due already, it counts as a power-on. The hardware says when power is back. */
  losePower(): void {
    if (this.#state.phase === 'down') this.#lostPower = true;
    else this.powerCycle();
  }

  /**
   * Calls `pass`, which lets a lot of time pass at once. Nothing is measured meanwhile. Otherwise every scan and pulse
   * of that time would be computed.
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
    this.#pause.stop();
    this.#enter({ phase: 'ended' });
  }

  #enter(state: State): void {
    this.#state = state;
    this.acceptsChanges = state.phase === 'up' && state.orders.size === 0;
  }

  #goDown(restart: Restart): void {
    if (this.#state.phase !== 'up') return;
    // The listeners see the scanner down, and may end it.
    this.#enter({ phase: 'down' });
    for (const listener of this.#down) {
      try {
        listener();
      } catch (error) {
        this.#options.listenerFailed(error);
      }
    }
    void this.#restart(restart);
  }

  /**
   * Restarts the device, and boots. If the boot fails, does both again.
   * @param least minimum time in ms from down to up
   */
  async #restart(restart: Restart, least = 0): Promise<void> {
    if (this.#hasEnded) return;
    await Promise.all([this.#options.restart(restart.kind), this.#pass(least)]);
    if (this.#hasEnded) return;
    try {
      await this.#boot(this.#lostPower ? async () => this.#life?.powerOn() : restart.before);
      this.#lostPower = false;
    } catch (error) {
      this.failedBoots += 1;
      this.#options.failed(error);
      if (this.#hasEnded) return;
      this.#enter({ phase: 'down' });
      void this.#restart(restart, shortestRetry);
    }
  }

  /** Waits for this time. Without an end if the scanner ends. */
  #pass(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.#pause.set(milliseconds, resolve));
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
    const up = this.#state;
    for (const listener of this.#up) {
      // It may end or go down meanwhile. Nobody would close what the other listeners open then.
      if (this.#state !== up) return;
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
