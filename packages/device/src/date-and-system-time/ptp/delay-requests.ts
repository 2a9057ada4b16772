import { encodePtp, type PortIdentity, type PtpDelayResponse, PtpFlag } from '@azimuth/telegrams/ptp';
import { Timeout } from '../../clock/timeout.js';
import type { Clock, Random } from '../../interfaces/environment.js';
import type { PtpConnection } from '../../interfaces/time-sources.js';
import { intervalOf, longestRequestInterval, shortestRequestInterval } from './limits.js';
import { correctionOf, millisecondsOf, type SyncTime } from './sync-times.js';

/** ms between two requests, until the master states its interval. */
const usualInterval = 1000;

/** Requests of many slaves must not coincide: each interval is longer by a random part, up to this value. */
const spread = 0.3;

const noInterval = 127;
const noTime = { seconds: 0, nanoseconds: 0 };

interface Options {
  readonly clock: Clock;
  readonly random: Random;
  readonly self: PortIdentity;
  readonly connection: PtpConnection;
}

/** Sends Delay_Req to a master, one after the other, at most as often as the master permits. */
export class DelayRequests {
  readonly #options: Options;
  readonly #timeout: Timeout;
  #interval = usualInterval;
  #to: string | undefined;
  #sequence: number;
  /** Number of ends. Stamps of an earlier session do not count. */
  #session = 0;
  /** Time of the last request, while no response has come. */
  #sentAt: number | undefined | Promise<number | undefined>;

  constructor(options: Options) {
    this.#options = options;
    this.#timeout = new Timeout(options.clock);
    // Identifies the requests: two scanners with the same identity must not use each other's responses.
    const [low = 0, high = 0] = options.random.bytes(2);
    this.#sequence = high * 256 + low;
  }

  /** True if requests are being sent. */
  get isRunning(): boolean {
    return this.#timeout.isSet;
  }

  /** ms between two requests. */
  get interval(): number {
    return this.#interval;
  }

  /**
   * Starts to send requests.
   * @param to the address of a master that sends to the scanner alone; undefined for the group
   */
  start(to: string | undefined): void {
    this.#to = to;
    this.#interval = usualInterval;
    this.#schedule(this.#part());
  }

  stop(): void {
    this.#session++;
    this.#timeout.stop();
    this.#sentAt = undefined;
  }

  /**
   * Handles a response of the master. If a request waits for it, calls `answered` with both times, when the time of
   * sending is known.
   */
  response(message: PtpDelayResponse, answered: (times: SyncTime) => void): void {
    const { self } = this.#options;
    const at = this.#sentAt;
    const isOurs = message.requester.clock === self.clock && message.requester.port === self.port;
    if (!isOurs || at === undefined || message.sequence !== this.#sequence) return;
    this.#sentAt = undefined;
    this.#interval = intervalOf(
      message.logInterval,
      usualInterval,
      shortestRequestInterval,
      longestRequestInterval,
    );
    this.#schedule(1 + spread * this.#part());
    const time = millisecondsOf(message.time) - correctionOf(message.correction);
    if (typeof at === 'number') {
      answered({ at, time });
      return;
    }
    // The network hardware tells the time of sending later, and the response may be faster.
    const session = this.#session;
    void at.then((stamp) => {
      if (stamp !== undefined && session === this.#session) answered({ at: stamp, time });
    });
  }

  /** @param intervals number of intervals to wait */
  #schedule(intervals: number): void {
    this.#timeout.set(intervals * this.#interval, () => this.#send());
  }

  #send(): void {
    const { self, connection } = this.#options;
    this.#sequence = (this.#sequence + 1) % 65_536;
    const request = encodePtp({
      kind: 'delayRequest',
      domain: 0,
      sdoId: 0,
      flags: this.#to === undefined ? 0 : PtpFlag.unicast,
      correction: 0n,
      source: self,
      sequence: this.#sequence,
      logInterval: noInterval,
      time: noTime,
      tlvs: [],
    });
    this.#schedule(1 + spread * this.#part());
    this.#sentAt = connection.sendEvent(request, this.#to);
  }

  /** A random number from 0 up to 1. */
  #part(): number {
    return (this.#options.random.bytes(1)[0] ?? 0) / 256;
  }
}
