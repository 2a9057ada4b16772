import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers';
import type { Clock, Log } from '@azimuth/device';
import type { Faults } from '@azimuth/device/faults';
import type { Level } from '@azimuth/model';
import {
  type BrokenFrame,
  type Framing,
  type LegacyErrorName,
  type LegacyTelegram,
  lmdName,
} from '@azimuth/telegrams/legacy';
import type { LegacyPassword } from './calls.js';
import type { Commands } from './commands.js';
import type { LegacyNotes } from './legacy-notes.js';
import { keepAliveAfter, requestsInOneGo } from './limits.js';
import type { ScanSink } from './scan-data/scan-data.js';
import { type ForeignProtocol, SessionInput, SessionStartDetector } from './session-input.js';
import type { LegacyMetrics } from './session-output.js';
import { SessionEvents, SessionOutput } from './session-output.js';
import type { RequestingSession } from './subscriptions.js';
import type { Outcome } from './values.js';
import { errorCodeTelegram, errorTelegram } from './values.js';

/** Returns the response to a broken frame. The client may wait for one. */
const brokenErrors: Readonly<Record<BrokenFrame, LegacyErrorName>> = {
  damaged: 'invalidData',
  oversized: 'bufferOverflow',
  unfinished: 'bufferUnderflow',
};

interface Options {
  readonly commands: Commands;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: LegacyMetrics;
  /** Runs work that no caller waits for. An error in it ends only the session. */
  readonly contain: (act: () => void) => void;
  /** Maximum time (ms) for which the client may accept no scan data while data waits for it; 0 for no limit. */
  readonly stallTimeout: () => number;
  /** Called when it is closed because its client speaks another protocol. */
  readonly foreign: (protocol: ForeignProtocol) => void;
  /** Planned faults; undefined for a scanner that has none. */
  readonly faults?: Faults | undefined;
  /** Receives every request with its response; undefined if nobody keeps them. */
  readonly notes?: LegacyNotes | undefined;
}

/**
 * States of a session and its requests:
 *
 * | activity   | a request          | its result       | many in a row | in the next turn |
 * |------------|--------------------|------------------|---------------|------------------|
 * | `ready`    | `acting`           |                  | `yielding`    |                  |
 * | `acting`   |                    | `ready`, or `pending` for a promise | |           |
 * | `pending`  | waits              | `ready`          |               |                  |
 * | `yielding` | waits              |                  |               | `ready`          |
 */
type Activity = 'ready' | 'acting' | 'pending' | 'yielding';

/**
 * Connection to a legacy interface: its user level, its requests and its subscriptions. The response to each request is
 * sent before the next one is executed. While the client does not read, no request is executed.
 */
export class LegacySession implements RequestingSession {
  level: Level = 'Run';
  password: LegacyPassword;
  /** True if it has received a request. */
  hasRequested = false;
  /** True if a warning was logged that no scan data is sent because of ScanDataFormat. */
  hasFormatWarning = false;
  /** Time of the last data from the client, in ms of the monotonic clock. */
  #lastReceived: number;
  readonly #socket: Socket;
  readonly #options: Options;
  readonly #input: SessionInput;
  readonly #output: SessionOutput;
  readonly #events: SessionEvents;
  /** Inspects the first bytes; undefined once they are known to be telegrams. */
  #start: SessionStartDetector | undefined = new SessionStartDetector();
  #stopScans: (() => void) | undefined;
  #activity: Activity = 'ready';
  #hasEnded = false;

  constructor(socket: Socket, options: Options) {
    const { clock, metrics, stallTimeout, contain, faults } = options;
    this.#socket = socket;
    this.#options = options;
    this.#lastReceived = clock.monotonic();
    this.#input = new SessionInput(clock, () => this.#drained());
    this.#output = new SessionOutput(socket, {
      clock,
      metrics,
      stallTimeout,
      drained: () => contain(() => this.#drained()),
      faults,
    });
    this.#events = new SessionEvents(
      (frame) => this.#output.send(frame),
      () => this.#activity !== 'acting' && !this.#output.isBusy,
    );
    socket.setNoDelay(true);
    socket.setKeepAlive(true, keepAliveAfter);
    socket.on('data', (piece: Buffer) => this.#receive(piece));
    socket.once('end', () => {
      this.#hasEnded = true;
      if (this.#activity !== 'yielding') this.#work();
    });
    socket.once('close', () => this.#end());
  }

  get log(): Log {
    return this.#options.log;
  }

  /** True if it has any subscription. */
  get follows(): boolean {
    return this.#events.count > 0 || this.#stopScans !== undefined;
  }

  /** Time of the last data from or to the client: ms of the monotonic clock. */
  get lastActive(): number {
    return Math.max(this.#lastReceived, this.#output.lastSent);
  }

  close(): void {
    this.#socket.destroy();
  }

  follow(
    name: string,
    follow: (changed: () => void) => () => void,
    event: () => Uint8Array | undefined,
  ): void {
    this.#events.follow(name, follow, event);
  }

  unfollow(name: string): void {
    if (name === lmdName) this.#endScans();
    else this.#events.unfollow(name);
  }

  scanSink(framing: Framing): ScanSink {
    return { framing, send: (frame) => this.#output.sendScan(frame) };
  }

  followScans(begin: () => () => void): void {
    this.#endScans();
    if (!this.#socket.destroyed) this.#stopScans = begin();
  }

  #receive(piece: Buffer): void {
    this.#lastReceived = this.#options.clock.monotonic();
    if (this.#start !== undefined && !this.#beginsWithTelegrams(this.#start, piece)) return;
    this.#input.push(piece);
    if (this.#activity !== 'yielding') this.#work();
  }

  #beginsWithTelegrams(detector: SessionStartDetector, piece: Buffer): boolean {
    const start = detector.detect(piece);
    if (start === 'telegrams') this.#start = undefined;
    else if (start !== undefined) {
      this.close();
      this.#options.foreign(start);
    }
    return start === 'telegrams';
  }

  #work(): void {
    for (let done = 0; this.#mayGoOn; done++) {
      if (done === requestsInOneGo) {
        this.#yield();
        return;
      }
      const request = this.#input.next();
      if (request === undefined) break;
      this.#options.clock.catchUp();
      if (this.#socket.destroyed) return;
      this.#options.metrics.telegrams.add('in');
      // If a request changes a value that this session follows, the event is sent after the response.
      this.#activity = 'acting';
      this.hasRequested = true;
      if (request.broken !== undefined) this.#refuse(request, brokenErrors[request.broken]);
      else
        this.#respond(request, this.#plannedRefusal(request) ?? this.#options.commands.handle(request, this));
      if (this.#activity === 'acting') this.#activity = 'ready';
    }
    this.#continueReading();
  }

  #plannedRefusal({ framing, payload }: LegacyTelegram): Outcome | undefined {
    const code = this.#options.faults?.legacy?.refusalOf(payload);
    return code === undefined ? undefined : { frame: errorCodeTelegram(framing, code) };
  }

  get #mayGoOn(): boolean {
    return this.#activity === 'ready' && !this.#output.isBusy && !this.#socket.destroyed;
  }

  #respond(request: LegacyTelegram, outcome: Outcome | Promise<Outcome>): void {
    if (!(outcome instanceof Promise)) {
      this.#send(request, outcome);
      return;
    }
    this.#activity = 'pending';
    void outcome.then((result) =>
      this.#options.contain(() => {
        this.#activity = 'ready';
        this.#send(request, result);
        this.#work();
      }),
    );
  }

  #send(request: LegacyTelegram, { frame, error, next, afterwards }: Outcome): void {
    this.#options.notes?.answered(request, frame, { level: this.level, error });
    if (error !== undefined) this.#options.metrics.errors.add(error);
    const { contain } = this.#options;
    this.#output.send(frame, afterwards === undefined ? undefined : () => contain(afterwards));
    try {
      next?.();
    } catch (failure) {
      this.log.error('An action of a legacy request failed', { reason: String(failure) });
    }
  }

  #refuse(request: LegacyTelegram, error: LegacyErrorName): void {
    this.#send(request, { frame: errorTelegram(request.framing, error), error });
  }

  #yield(): void {
    this.#activity = 'yielding';
    this.#socket.pause();
    setImmediate(() => {
      this.#activity = 'ready';
      this.#options.contain(() => this.#work());
    });
  }

  /**
   * Reads on when the responses to all received requests are sent. If the client has closed its sending side, it has all
   * responses now.
   */
  #continueReading(): void {
    if (this.#socket.destroyed) return;
    this.#events.flush();
    if (!this.#input.isEmpty) this.#socket.pause();
    else if (this.#socket.isPaused()) this.#socket.resume();
    if (this.#hasEnded && this.#input.isEmpty && this.#activity === 'ready') this.#socket.end();
  }

  #drained(): void {
    if (this.#activity === 'ready') this.#work();
    else this.#events.flush();
  }

  #endScans(): void {
    this.#stopScans?.();
    this.#stopScans = undefined;
    this.#output.endWatch();
  }

  #end(): void {
    this.#input.end();
    this.#endScans();
    this.#events.end();
  }
}
