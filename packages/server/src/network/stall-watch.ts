import type { Duplex } from 'node:stream';
import type { Clock } from '@azimuth/device';
import { stallCheckInterval } from './limits.js';

interface Options {
  readonly clock: Clock;
  /** Time (ms) for which a client may accept nothing while data waits for it; 0 for no limit. */
  readonly stallTimeout: () => number;
}

/** Destroys a connection whose client accepts nothing for too long while data waits for it. */
export class StallWatch {
  readonly #socket: Duplex;
  readonly #options: Options;
  #lastProgress = 0;
  #cancel: (() => void) | undefined;

  constructor(socket: Duplex, options: Options) {
    this.#socket = socket;
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#cancel !== undefined;
  }

  /** Restarts the time: the client has accepted something, or begins to be watched. */
  progress(): void {
    this.#lastProgress = this.#options.clock.monotonic();
  }

  /** Watches until nothing waits any more. It has no effect if it watches already. */
  start(): void {
    if (!this.isRunning) this.#checkLater();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #checkLater(): void {
    this.#cancel = this.#options.clock.after(Math.min(stallCheckInterval, this.#remaining), () => {
      this.#cancel = undefined;
      if (this.#socket.writableLength === 0 || this.#socket.destroyed) return;
      if (this.#remaining === 0) this.#socket.destroy();
      else this.#checkLater();
    });
  }

  /** Time (ms) that is left until the stall timeout. */
  get #remaining(): number {
    const { clock, stallTimeout } = this.#options;
    if (stallTimeout() === 0) return Number.POSITIVE_INFINITY;
    return Math.max(0, this.#lastProgress + stallTimeout() - clock.monotonic());
  }
}
