import { doubledPause } from '@azimuth/async';
import { extensions, ianaZones, TimeRole, type TimeState, zoneOffset } from '@azimuth/model';
import type { DeviceTime } from '../clock/device-time.js';
import { Timeout } from '../clock/timeout.js';
import { faultText } from '../fault-text.js';
import type { Clock, Log } from '../interfaces/environment.js';
import type { TimeResponse, TimeServers } from '../interfaces/time-sources.js';

const { time } = extensions.members;

/** ms until a failed request is repeated; doubled with each further failure. */
const firstRetry = 2000;
/** Longest interval (ms) after failures. */
const longestRetry = 64_000;
/** Shortest interval (ms) after the server has asked for fewer requests. */
const shortestSlow = 16_000;
/** Longest interval (ms) after the server has asked for fewer requests. */
const longestSlow = 24 * 3_600_000;
/** Validity of a response, as a number of update times. */
const validUpdates = 3;
/** Minimum validity of a response in ms. */
const leastValidity = 10_000;

/** The intervals between requests to a time server, with back-off. All times are in ms. */
class RequestIntervals {
  #interval = 0;

  /** @param updateTime s between two requests while the server responds */
  begin(updateTime: number): void {
    this.#interval = updateTime * 1000;
  }

  /** Validity of a response. */
  get validity(): number {
    return Math.max(this.#interval * validUpdates, leastValidity);
  }

  afterResponse(): number {
    return this.#interval;
  }

  /** @param missed number of failed requests in a row, including this one */
  afterMiss(missed: number): number {
    return Math.min(this.#interval, doubledPause(firstRetry, missed - 1, longestRetry));
  }

  /** Doubles the interval, because the server asks for fewer requests. */
  afterSlower(): number {
    this.#interval = Math.min(Math.max(this.#interval * 2, shortestSlow), longestSlow);
    return this.#interval;
  }
}

/** Number of successive requests without a response before the log reports it. */
const missesToLog = 3;

/** Shortest interval (ms) between two requests, even if the settings change more often. */
const shortestInterval = 1000;

/** The parameters of the time client. */
export interface TimeSettings {
  readonly role: TimeState['Role'];
  readonly server: readonly number[];
  readonly zone: keyof typeof ianaZones;
  /** s from one request to the next. */
  readonly updateTime: number;
}

interface Options {
  readonly clock: Clock;
  readonly time: DeviceTime;
  readonly log: Log;
  /** Undefined if the scanner has no connection to time servers. */
  readonly servers: TimeServers | undefined;
  /** Called when the state has changed. `moved`: the device clock has changed, too. */
  readonly changed: (moved: boolean) => void;
  /** Called when a server has set the clock, and when the clock is no longer synchronised. */
  readonly synchronised: (change: 'set' | 'lost') => void;
}

const unknown = {
  Synchronised: false,
  Stratum: 0,
  Offset: 0,
  RoundTrip: 0,
  LastExchange: 0,
  Missed: 0,
  Fault: '',
} as const;

/**
 * The next request.
 *
 * | from | by | to |
 * |---|---|---|
 * | none, due | a start as a client, or a miss of a server that accepts further requests | due |
 * | due | its time has come | sent |
 * | sent | a time, a miss, a skip of time | due |
 * | sent | a refusal | none |
 * | any | a start in another role, or the end | none |
 */
type Request =
  | { readonly state: 'none' }
  /** @property at time of the monotonic clock */
  | { readonly state: 'due'; readonly at: number }
  | { readonly state: 'sent'; readonly exchange: AbortController };

const noRequest: Request = { state: 'none' };

/** Synchronises the device clock with a time server, by TSCRole and the parameters that belong to it. */
export class TimeClient {
  readonly #options: Options;
  readonly #intervals = new RequestIntervals();
  #settings: TimeSettings;
  #state: Omit<TimeState, 'Role' | 'Server' | 'NextExchange' | 'Ptp' | 'System'> = unknown;
  /** True if the log has reported the outage of the server, and not yet its end. */
  #isOutageLogged = false;
  #request: Request = noRequest;
  /** Time of the last valid response: ms of the monotonic clock. */
  #respondedAt: number | undefined;
  #requestedAt = Number.NEGATIVE_INFINITY;
  readonly #next: Timeout;
  readonly #expiry: Timeout;
  #paused = false;

  constructor(options: Options, settings: TimeSettings) {
    this.#options = options;
    this.#settings = settings;
    this.#next = new Timeout(options.clock);
    this.#expiry = new Timeout(options.clock);
  }

  /**
   * Changes the settings. A new zone applies at once. Any other change causes a request at once, but at least a second
   * after the last one. The address of the server changes nothing for a slave of PTP.
   */
  follow(settings: TimeSettings): void {
    const before = this.#settings;
    this.#settings = settings;
    if (settings.zone !== before.zone && settings.role !== TimeRole.TX_NONE) this.#showZone();
    const isSameRole = settings.role === before.role;
    const isSameServer = settings.server.join() === before.server.join();
    if (isSameRole && isSameServer && settings.updateTime === before.updateTime) return;
    // Responses of another server do not count. A PTP master has none.
    if (!isSameRole || (!isSameServer && settings.role !== TimeRole.TX_PTP_SLAVE)) this.#forget();
    this.start();
  }

  get state(): TimeState {
    const { role, server } = this.#settings;
    const wait = this.#request.state === 'due' ? this.#request.at - this.#now : 0;
    return {
      ...time.type.initial,
      ...this.#state,
      Role: role,
      Server: server,
      NextExchange: Math.ceil(Math.max(0, wait) / 1000),
    };
  }

  /** Stops sending until `resume`, because time is about to be skipped. */
  pause(): void {
    this.#paused = true;
    // The round trip of a running request would be wrong, so the request is repeated.
    const isSent = this.#request.state === 'sent';
    this.#stop();
    if (isSent) this.#request = { state: 'due', at: this.#now };
  }

  resume(): void {
    this.#paused = false;
    this.#schedule();
  }

  /** Ends the client for good. */
  end(): void {
    this.#paused = true;
    this.#stop();
  }

  /** Starts to query the server if the role is TX_CLIENT. */
  start(): void {
    const isClient = this.#settings.role === TimeRole.TX_CLIENT;
    this.#stop();
    this.#intervals.begin(this.#settings.updateTime);
    this.#request = noRequest;
    if (isClient && this.#options.servers !== undefined) {
      this.#request = { state: 'due', at: Math.max(this.#now, this.#requestedAt + shortestInterval) };
    } else if (isClient) {
      this.#state = { ...this.#state, Fault: 'this program gives the scanner no access to a time server' };
    }
    this.#schedule();
    this.#options.changed(false);
  }

  #forget(): void {
    this.#state = unknown;
    this.#respondedAt = undefined;
    this.#isOutageLogged = false;
    this.#options.synchronised('lost');
  }

  #showZone(): void {
    this.#options.time.setZone(zoneOffset(ianaZones[this.#settings.zone]));
    this.#options.changed(true);
  }

  get #now(): number {
    return this.#options.clock.monotonic();
  }

  /** A pending request stays pending. The response to a sent request no longer counts. */
  #stop(): void {
    this.#next.stop();
    this.#expiry.stop();
    if (this.#request.state !== 'sent') return;
    const { exchange } = this.#request;
    this.#request = noRequest;
    exchange.abort();
  }

  #schedule(): void {
    this.#stop();
    if (this.#paused) return;
    const now = this.#now;
    if (this.#respondedAt !== undefined)
      this.#expiry.set(this.#respondedAt + this.#intervals.validity - now, () => this.#responseExpired());
    if (this.#request.state !== 'due') return;
    const wait = this.#request.at - now;
    if (wait <= 0) this.#sendRequest();
    else this.#next.set(wait, () => this.#sendRequest());
  }

  #sendRequest(): void {
    const { servers } = this.#options;
    this.#request = noRequest;
    if (servers === undefined) return;
    this.#requestedAt = this.#now;
    const exchange = new AbortController();
    const request: Request = { state: 'sent', exchange };
    this.#request = request;
    const receive = (response: TimeResponse) => {
      if (this.#request !== request) return;
      this.#request = noRequest;
      this.#receiveResponse(response);
    };
    servers.request(this.#settings.server, exchange.signal).then(receive, (error: unknown) => {
      receive({ kind: 'none', reason: String(error) });
    });
  }

  #receiveResponse(response: TimeResponse): void {
    if (response.kind === 'time') this.#synchronise(response);
    else this.#miss(response);
    this.#schedule();
    this.#options.changed(response.kind === 'time');
  }

  #synchronise({ ahead, roundTrip, stratum }: TimeResponse & { kind: 'time' }): void {
    const { time, log } = this.#options;
    const isNew = !this.#state.Synchronised || this.#isOutageLogged;
    const correction = time.synchronise(ahead, zoneOffset(ianaZones[this.#settings.zone]));
    this.#state = {
      Synchronised: true,
      Stratum: stratum,
      Offset: correction,
      RoundTrip: roundTrip,
      LastExchange: Math.max(0, Math.floor(time.utc)),
      Missed: 0,
      Fault: '',
    };
    this.#respondedAt = this.#now;
    this.#request = { state: 'due', at: this.#respondedAt + this.#intervals.afterResponse() };
    if (isNew) log.info('The clock is synchronised', { ...this.#server, stratum, correction });
    this.#options.synchronised('set');
    this.#isOutageLogged = false;
  }

  #miss(response: Exclude<TimeResponse, { kind: 'time' }>): void {
    const { log } = this.#options;
    const Missed = this.#state.Missed + 1;
    const reason = response.kind === 'slower' ? 'the server wants to be asked less often' : response.reason;
    this.#state = { ...this.#state, Missed, Fault: faultText(reason) };
    if (response.kind === 'refused') {
      log.warn('The time server refuses requests; the scanner does not ask it again', {
        ...this.#server,
        reason,
      });
      return;
    }
    const wait =
      response.kind === 'slower' ? this.#intervals.afterSlower() : this.#intervals.afterMiss(Missed);
    this.#request = { state: 'due', at: this.#now + wait };
    if (Missed === missesToLog) {
      log.warn('The time server does not give the time', { ...this.#server, missed: Missed, reason });
      this.#isOutageLogged = true;
    }
  }

  #responseExpired(): void {
    this.#respondedAt = undefined;
    const { Missed, Fault } = this.#state;
    this.#state = { ...this.#state, Synchronised: false };
    this.#options.log.warn('The clock is no longer synchronised', {
      ...this.#server,
      missed: Missed,
      reason: Fault,
    });
    this.#options.synchronised('lost');
    this.#options.changed(false);
  }

  get #server() {
    return { server: this.#settings.server.join('.') };
  }
}
