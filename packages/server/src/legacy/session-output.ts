import type { Duplex } from 'node:stream';
import type { Clock } from '@azimuth/device';
import type { Faults } from '@azimuth/device/faults';
import { Tally } from '@azimuth/device/reports';
import { longestWaitForFlush } from '@azimuth/http/limits';
import { legacyErrorNames } from '@azimuth/telegrams/legacy';
import { StallWatch } from '../network/stall-watch.js';
import type { ForeignProtocol } from './session-input.js';

interface Options {
  readonly clock: Clock;
  readonly metrics: LegacyMetrics;
  /** Time (ms) for which it may accept no scan data while data waits for it; 0 for no limit. */
  readonly stallTimeout: () => number;
  /** Called when the system has accepted everything that had to wait. */
  readonly drained: () => void;
  /** Planned faults; undefined for a scanner that has none. */
  readonly faults?: Faults | undefined;
}

/** Output of a session. It sends until the system does not accept a telegram at once. That telegram waits. */
export class SessionOutput {
  readonly #socket: Duplex;
  readonly #options: Options;
  readonly #stallWatch: StallWatch;
  /** True if a telegram waits that the system did not accept at once. */
  #waits = false;
  /** Time (ms of the monotonic clock) at which the system last accepted data. */
  lastSent = Number.NEGATIVE_INFINITY;

  constructor(socket: Duplex, options: Options) {
    this.#socket = socket;
    this.#options = options;
    this.#stallWatch = new StallWatch(socket, options);
  }

  /** True if data waits for the system to accept it. Nothing more is sent then. */
  get isBusy(): boolean {
    return this.#socket.writableLength > 0;
  }

  /**
   * Sends a telegram. `flushed` is called once: when the system has accepted it, when the connection is closed, or
   * after 100 ms.
   */
  send(frame: Uint8Array, flushed?: () => void): void {
    const { metrics, faults } = this.#options;
    metrics.telegrams.add('out');
    const sent = faults?.legacy === undefined ? frame : faults.legacy.damaged(frame);
    this.#socket.write(sent, flushed === undefined ? this.#written : this.#writtenAndFlushed(flushed));
    if (this.isBusy) this.#waits = true;
  }

  /** Calls `flushed` before anything else goes on, so that an action comes before the next request. */
  #writtenAndFlushed(flushed: () => void): () => void {
    let isFlushed = false;
    const flush = () => {
      if (!isFlushed) flushed();
      isFlushed = true;
    };
    const limit = setTimeout(flush, longestWaitForFlush).unref();
    return () => {
      clearTimeout(limit);
      flush();
      this.#written();
    };
  }

  readonly #written = (): void => {
    this.lastSent = this.#options.clock.monotonic();
    this.#stallWatch.progress();
    if (!this.#waits || this.isBusy) return;
    this.#waits = false;
    this.#options.drained();
  };

  /** Sends a scan telegram. Returns false if the session is busy: the telegram is lost, and the stall timeout runs. */
  sendScan(frame: Uint8Array): boolean {
    const canSend = !this.isBusy && !this.#socket.destroyed;
    if (canSend) this.send(frame);
    if (this.isBusy && !this.#stallWatch.isRunning) {
      this.#stallWatch.progress();
      this.#stallWatch.start();
    }
    return canSend;
  }

  /** Stops the stall timeout. */
  endWatch(): void {
    this.#stallWatch.stop();
  }
}

interface Followed {
  readonly stop: () => void;
  readonly event: () => Uint8Array | undefined;
}

/**
 * Events that one session follows. For each event only the fact that it has changed is stored; the value is read when
 * it can be sent.
 */
export class SessionEvents {
  readonly #followed = new Map<string, Followed>();
  readonly #changed = new Set<string>();
  readonly #send: (frame: Uint8Array) => void;
  readonly #isWritable: () => boolean;

  constructor(send: (frame: Uint8Array) => void, isWritable: () => boolean) {
    this.#send = send;
    this.#isWritable = isWritable;
  }

  get count(): number {
    return this.#followed.size;
  }

  follow(name: string, follow: (changed: () => void) => () => void, event: Followed['event']): void {
    this.unfollow(name);
    const stop = follow(() => {
      this.#changed.add(name);
      this.flush();
    });
    this.#followed.set(name, { stop, event });
  }

  unfollow(name: string): void {
    this.#followed.get(name)?.stop();
    this.#followed.delete(name);
    this.#changed.delete(name);
  }

  /** Sends changed values while the session accepts data. */
  flush(): void {
    for (const name of this.#changed) {
      if (!this.#isWritable()) return;
      this.#changed.delete(name);
      const frame = this.#followed.get(name)?.event();
      if (frame !== undefined) this.#send(frame);
    }
  }

  end(): void {
    for (const name of [...this.#followed.keys()]) this.unfollow(name);
  }
}

/** Metrics of the legacy protocol since the process started. */
export class LegacyMetrics {
  readonly telegrams = new Tally(['in', 'out']);
  readonly errors = new Tally(legacyErrorNames);
  /** Number of sessions that were closed because they began with another protocol. */
  readonly foreign = new Tally<ForeignProtocol>(['http', 'tls']);
  /** Number of open sessions. */
  sessions = 0;
}
