import type { PortIdentity, PtpAnnounce, PtpMessage } from '@azimuth/telegrams/ptp';
import { Timeout } from '../../clock/timeout.js';
import type { Clock, Random } from '../../interfaces/environment.js';
import type { PtpConnection } from '../../interfaces/time-sources.js';
import { ClockFilter, type Estimate } from './clock-filter.js';
import { DelayRequests } from './delay-requests.js';
import type { ForeignMaster } from './foreign-masters.js';
import { intervalOf } from './limits.js';
import { type SyncTime, SyncTimes } from './sync-times.js';
import { UtcOffset } from './utc-offset.js';

/** ms between two Sync, if the master states no interval. */
const usualInterval = 1000;

/** Latest UTC. The last year of the interface is 2105. A leap second or a time zone must not exceed it. */
const latest = Date.UTC(2105, 0);

/** Time limit in ms for messages with an interval (ms). */
function timeLimit(interval: number): number {
  return Math.max(5000, 5 * interval);
}

interface Options {
  readonly clock: Clock;
  readonly random: Random;
  readonly self: PortIdentity;
  readonly connection: PtpConnection;
  /** Drift: ms that earlier masters gained on the monotonic clock per ms; 0 if unknown. */
  readonly drift: number;
  /** ms since 1970 UTC by the device clock; undefined while it is not synchronised. */
  readonly utc: () => number | undefined;
  /** Called when a new time of the master is known. */
  readonly measured: (estimate: Estimate, now: number) => void;
  /** Called when UTC of the master has changed by this many ms: a leap second, or another offset. */
  readonly shifted: (ms: number) => void;
}

/** The clock of the selected master, according to its messages. */
export class MasterClock {
  readonly #options: Options;
  readonly #filter: ClockFilter;
  readonly #syncs = new SyncTimes();
  readonly #requests: DelayRequests;
  readonly #offset = new UtcOffset();
  readonly #leap: Timeout;
  #master: ForeignMaster;
  /** ms between two Sync. */
  #interval = usualInterval;
  /** Time of the last usable message of each direction: ms of the monotonic clock. */
  #syncAt = Number.NEGATIVE_INFINITY;
  #delayAt = Number.NEGATIVE_INFINITY;
  #problem = '';

  constructor(options: Options, master: ForeignMaster) {
    this.#options = options;
    this.#master = master;
    this.#filter = new ClockFilter(options.drift);
    this.#requests = new DelayRequests(options);
    this.#leap = new Timeout(options.clock);
    this.follow(master);
  }

  /** Selects another master. Only the drift of the own clock stays known. */
  follow(master: ForeignMaster): void {
    this.#master = master;
    this.#filter.clear();
    this.#syncs.clear();
    this.#requests.stop();
    this.#offset.clear();
    this.#offset.update(master.announce, this.#options.utc(), this.#options.clock.monotonic());
    this.#leap.stop();
    this.#syncAt = Number.NEGATIVE_INFINITY;
    this.#delayAt = Number.NEGATIVE_INFINITY;
    this.#problem = '';
  }

  /** ms between two Sync of the master. */
  get interval(): number {
    return this.#interval;
  }

  /** Lead of its time over UTC, and the leap second added to the last minute of the day, both in s. */
  get utcOffset(): { readonly seconds: number; readonly leap: number } {
    return this.#offset;
  }

  /** The missing messages, in words. */
  get missing(): string {
    if (this.#problem !== '') return this.#problem;
    const now = this.#options.clock.monotonic();
    if (!this.#hasSync(now)) return 'the PTP master sends no Sync, or no Follow_Up';
    return this.#hasDelay(now)
      ? 'the times of the PTP master contradict each other'
      : 'the PTP master does not answer Delay_Req';
  }

  /** Handles a new Announce of the master. */
  announced(announce: PtpAnnounce): void {
    const now = this.#options.clock.monotonic();
    this.#changeOffset((utc) => this.#offset.update(announce, utc, now));
    this.#awaitLeap();
  }

  /**
   * Handles a message of the master.
   * @param at arrival: ms of the monotonic clock
   */
  received(message: PtpMessage, at: number): void {
    switch (message.kind) {
      case 'sync':
        this.#interval = intervalOf(message.logInterval, usualInterval);
        this.#addSync(this.#syncs.sync(message, at));
        break;
      case 'followUp':
        this.#addSync(this.#syncs.followUp(message));
        break;
      case 'delayResponse':
        this.#requests.response(message, (times) => this.#addDelay(times, at));
        break;
      default:
    }
  }

  stop(): void {
    this.#requests.stop();
    this.#leap.stop();
  }

  #addSync(sync: SyncTime | undefined): void {
    if (sync === undefined || !this.#isUsable(sync)) return;
    this.#syncAt = sync.at;
    this.#filter.sync(sync.at, this.#utcOf(sync));
    const { isUnicast, from } = this.#master;
    if (!this.#requests.isRunning) this.#requests.start(isUnicast ? from : undefined);
    this.#report();
  }

  #addDelay(times: SyncTime, receivedAt: number): void {
    if (!this.#isUsable(times)) return;
    this.#delayAt = receivedAt;
    this.#filter.delay(times.at, this.#utcOf(times));
    this.#report();
  }

  #report(): void {
    const now = this.#options.clock.monotonic();
    const estimate = this.#hasSync(now) && this.#hasDelay(now) ? this.#filter.estimate(now) : undefined;
    if (estimate !== undefined) this.#options.measured(estimate, now);
  }

  #hasSync(now: number): boolean {
    return now - this.#syncAt < timeLimit(this.#interval);
  }

  #hasDelay(now: number): boolean {
    return now - this.#delayAt < timeLimit(this.#requests.interval);
  }

  #utcOf({ time }: SyncTime): number {
    return time - this.#offset.seconds * 1000;
  }

  #isUsable(sync: SyncTime): boolean {
    const utc = this.#utcOf(sync);
    const isUsable = utc >= 0 && utc < latest;
    this.#problem = isUsable ? '' : 'the PTP master states a time before 1970 or after 2104';
    return isUsable;
  }

  #awaitLeap(): void {
    const { nextAt } = this.#offset;
    const utc = this.#options.utc();
    this.#leap.stop();
    if (nextAt === undefined || utc === undefined) return;
    this.#leap.set(nextAt - utc, () => {
      this.#changeOffset((now) => {
        if (now !== undefined) this.#offset.pass(now);
      });
      this.#awaitLeap();
    });
  }

  #changeOffset(change: (utc: number | undefined) => void): void {
    const before = this.#offset.seconds;
    change(this.#options.utc());
    const ms = (before - this.#offset.seconds) * 1000;
    if (ms === 0) return;
    this.#filter.shift(ms);
    this.#options.shifted(ms);
  }
}
