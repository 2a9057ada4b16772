import { doubledPause } from '@azimuth/async';
import { ClientError, type Scanner } from '@azimuth/client';
import { eventsSince, isFrom, type Release } from '@azimuth/model';
import type { MonitorClock } from '../clock.js';
import type { ScannerSnapshot } from '../state/scanner-snapshot.js';
import { followed } from './asked.js';

/** Pauses (ms) between attempts to follow events. */
const firstPause = 1000;
const longestPause = 60_000;

/** Time (ms) after which a connection counts as good, and the pauses are short again. */
const goodAfter = 60_000;

/** Values that may wait. The scanner sends the present ones again after a reconnection. */
const buffer = 50;

export interface EventWatchOptions {
  readonly clock: MonitorClock;
  readonly accept: (name: string, json: unknown) => void;
  /** Called when the connection was lost: the scanner may be away. */
  readonly onLost: () => void;
  readonly reportError: (error: unknown) => void;
}

/** Follows the events of one scanner, after looks have shown that it answers. */
export class EventWatch {
  readonly #scanner: Pick<Scanner, 'eventsAny'>;
  readonly #options: EventWatchOptions;
  #session: AbortController | undefined;
  #ended: Promise<void> = Promise.resolve();
  #hasEvents = false;
  #isConnected = false;
  #failures = 0;
  #nextTry = 0;

  constructor(scanner: Pick<Scanner, 'eventsAny'>, options: EventWatchOptions) {
    this.#scanner = scanner;
    this.#options = options;
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  /** `none` if the release of the scanner has no events. */
  get state(): ScannerSnapshot['events'] {
    if (!this.#hasEvents) return 'none';
    return this.#isConnected ? 'connected' : 'lost';
  }

  /** Begins to follow, if nothing is followed and the last failure is long enough ago. */
  follow(release: Release): void {
    const now = this.#options.clock.now();
    this.#hasEvents = isFrom(release, eventsSince);
    if (this.#session !== undefined || now < this.#nextTry || !this.#hasEvents) return;
    this.#session = new AbortController();
    this.#ended = this.#run(this.#session.signal, now);
  }

  /** The clock was set back by this many milliseconds. */
  setBack(by: number): void {
    this.#nextTry -= by;
  }

  /** Ends the connection. It waits until nothing more comes. */
  async close(): Promise<void> {
    this.#session?.abort();
    await this.#ended;
  }

  async #run(signal: AbortSignal, began: number): Promise<void> {
    const { clock, accept, onLost, reportError } = this.#options;
    try {
      const events = this.#scanner.eventsAny(
        followed.map(({ name }) => name),
        {
          signal,
          buffer,
          reconnect: false,
          onMissing: () => undefined,
          onState: (state) => {
            this.#isConnected = state === 'connected';
          },
        },
      );
      for await (const { event, data } of events) accept(event, data);
    } catch (error) {
      if (!(error instanceof ClientError)) reportError(error);
    } finally {
      this.#isConnected = false;
      this.#session = undefined;
      const now = clock.now();
      this.#failures = now - began >= goodAfter ? 0 : this.#failures + 1;
      this.#nextTry = now + doubledPause(firstPause, this.#failures, longestPause);
      if (!signal.aborted) onLost();
    }
  }
}
