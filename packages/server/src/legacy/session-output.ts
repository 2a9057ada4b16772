import type { Duplex } from 'node:stream';
import type { Clock } from '@azimuth/device';
import type { LegacyTally } from './legacy-tally.js';

/** How often (ms) a session that something waits for is looked at, at least: its patience may be another one by then. */
const lookEvery = 1000;

/** How long (ms) a client that reads nothing may hold off what comes after its answer, as over REST. */
const longestHold = 100;

interface Options {
  readonly clock: Clock;
  readonly tally: LegacyTally;
  /** How long (ms) it may take no scan data while something waits for it; 0 for as long as it likes. */
  readonly patience: () => number;
  /** Told when everything has been taken that was not at once. */
  readonly free: () => void;
}

/** What goes out to a session: as much as the system takes, and then one telegram more. */
export class SessionOutput {
  readonly #socket: Duplex;
  readonly #options: Options;
  #lastTaken = 0;
  /** Has anything been sent that the system did not take at once? */
  #waits = false;
  #cancelWatch: (() => void) | undefined;

  constructor(socket: Duplex, options: Options) {
    this.#socket = socket;
    this.#options = options;
  }

  /** Has the system not yet taken what it was sent? Then nothing more is sent. */
  get isBusy(): boolean {
    return this.#socket.writableLength > 0;
  }

  /** Sends a telegram; `flushed` is called once: when the system has taken it, or nobody ever will, or in 100 ms. */
  send(frame: Uint8Array, flushed?: () => void): void {
    this.#options.tally.telegrams.add('out');
    this.#socket.write(frame, flushed === undefined ? this.#written : this.#writtenThen(flushed));
    if (this.isBusy) this.#waits = true;
  }

  #writtenThen(flushed: () => void): () => void {
    let isOut = false;
    const out = () => {
      clearTimeout(timer);
      if (!isOut) flushed();
      isOut = true;
    };
    const timer = setTimeout(out, longestHold).unref();
    return () => {
      out();
      this.#written();
    };
  }

  readonly #written = (): void => {
    this.#lastTaken = this.#options.clock.monotonic();
    if (!this.#waits || this.isBusy) return;
    this.#waits = false;
    this.#options.free();
  };

  /** Sends a scan telegram; false where it is busy: then the telegram is lost to it, and its patience is measured. */
  sendScan(frame: Uint8Array): boolean {
    const goes = !this.isBusy && !this.#socket.destroyed;
    if (goes) this.send(frame);
    if (this.isBusy && this.#cancelWatch === undefined) {
      this.#lastTaken = this.#options.clock.monotonic();
      this.#lookAgain();
    }
    return goes;
  }

  /** Measures nobody's patience any more. */
  endWatch(): void {
    this.#cancelWatch?.();
    this.#cancelWatch = undefined;
  }

  #lookAgain(): void {
    this.#cancelWatch = this.#options.clock.after(Math.min(lookEvery, this.#left), () => {
      this.#cancelWatch = undefined;
      if (!this.isBusy || this.#socket.destroyed) return;
      if (this.#left === 0) this.#socket.destroy();
      else this.#lookAgain();
    });
  }

  /** How long (ms) it may still take nothing. */
  get #left(): number {
    const { clock, patience } = this.#options;
    if (patience() === 0) return Number.POSITIVE_INFINITY;
    return Math.max(0, this.#lastTaken + patience() - clock.monotonic());
  }
}
