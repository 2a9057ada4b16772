import { ianaZones, TimeRole, type TimeState } from '@azimuth/model';
import type { Clock } from '../interfaces/clock.js';
import type { Log } from '../interfaces/log.js';
import type { TimeAnswer, TimeServers } from '../interfaces/time-server.js';
import type { DeviceTime } from './device-time.js';
import { Patience } from './patience.js';
import { zoneOffset } from './zone-offset.js';

/** So many requests in a row without a time are told in the log. */
const missedToTell = 3;

/** At least so long (ms) lies between two requests, however often the settings change: no write sends one by itself. */
const requestInterval = 1000;

/** What the parameters say of the time server. */
export interface TimeSettings {
  readonly role: TimeState['Role'];
  readonly server: readonly number[];
  readonly zone: keyof typeof ianaZones;
  /** s from one request to the next. */
  readonly updateTime: number;
}

interface Facts {
  readonly clock: Clock;
  readonly time: DeviceTime;
  readonly log: Log;
  /** undefined where nothing connects the scanner with one. */
  readonly servers: TimeServers | undefined;
  /** Told when the state is another one; `moved` where the device clock is, too. */
  readonly changed: (moved: boolean) => void;
  /** Told whenever a server has set the clock, and when it is not synchronised any more. */
  readonly synchronised: (isSynchronised: boolean) => void;
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

/** Keeps the device clock at the time of a server, as TSCRole and what belongs to it say. */
export class TimeClient {
  readonly #facts: Facts;
  readonly #patience = new Patience();
  #settings: TimeSettings;
  #state: Omit<TimeState, 'Role' | 'Server' | 'NextExchange'> = unknown;
  /** Was it told that the server gives no time, and not yet that it does again? */
  #isOutToldOf = false;
  #exchange: AbortController | undefined;
  /** On the monotonic clock: when the server is to be asked, and when its last answer is too old. */
  #nextAt: number | undefined;
  #staleAt: number | undefined;
  #answeredAt = 0;
  #askedAt = Number.NEGATIVE_INFINITY;
  #cancelNext: (() => void) | undefined;
  #cancelStale: (() => void) | undefined;
  #paused = false;

  constructor(facts: Facts, settings: TimeSettings) {
    this.#facts = facts;
    this.#settings = settings;
  }

  /** Has the server asked from now on, where the role says so. */
  start(): void {
    this.#begin();
  }

  /**
   * Takes other settings: another zone shows at once, and everything else has the server asked at once, but no sooner
   * than a second after the last request.
   */
  follow(settings: TimeSettings): void {
    const before = this.#settings;
    this.#settings = settings;
    if (settings.zone !== before.zone && settings.role === TimeRole.TX_CLIENT) this.#showZone();
    const same = settings.role === before.role && settings.server.join() === before.server.join();
    if (same && settings.updateTime === before.updateTime) return;
    // What another server has said is worth nothing of this one.
    if (!same) this.#forget();
    this.#begin();
  }

  get state(): TimeState {
    const { role, server } = this.#settings;
    const wait = this.#nextAt === undefined ? 0 : this.#nextAt - this.#facts.clock.monotonic();
    return { Role: role, Server: server, ...this.#state, NextExchange: Math.ceil(Math.max(0, wait) / 1000) };
  }

  /** Goes on when time has been skipped: nothing is asked on the way. */
  pause(): void {
    this.#paused = true;
    // What is under way cannot tell how long it was: it is asked again.
    if (this.#exchange !== undefined) this.#nextAt = this.#facts.clock.monotonic();
    this.#stop();
  }

  resume(): void {
    this.#paused = false;
    this.#book();
  }

  /** For good. */
  end(): void {
    this.#paused = true;
    this.#stop();
  }

  #begin(): void {
    const { role } = this.#settings;
    this.#stop();
    this.#patience.begin(this.#settings.updateTime);
    this.#nextAt = undefined;
    if (role === TimeRole.TX_CLIENT) {
      this.#nextAt = Math.max(this.#facts.clock.monotonic(), this.#askedAt + requestInterval);
    }
    if (role === TimeRole.TX_PTP_SLAVE) this.#tellOfPtp();
    if (this.#staleAt !== undefined) this.#holds();
    if (this.#facts.servers === undefined && role === TimeRole.TX_CLIENT) {
      this.#nextAt = undefined;
      this.#state = { ...this.#state, Fault: 'nothing connects this scanner with a time server' };
    }
    this.#book();
    this.#facts.changed(false);
  }

  #forget(): void {
    this.#state = unknown;
    this.#staleAt = undefined;
    this.#isOutToldOf = false;
    this.#facts.synchronised(false);
  }

  #tellOfPtp(): void {
    this.#state = { ...unknown, Fault: 'PTP is not spoken here: the clock is not synchronised' };
    this.#facts.log.warn('PTP is not spoken here: the clock is not synchronised', {
      TSCRole: 'TX_PTP_SLAVE',
    });
  }

  #showZone(): void {
    this.#facts.time.showIn(zoneOffset(ianaZones[this.#settings.zone]));
    this.#facts.changed(true);
  }

  #stop(): void {
    this.#cancelNext?.();
    this.#cancelStale?.();
    this.#cancelNext = undefined;
    this.#cancelStale = undefined;
    const exchange = this.#exchange;
    this.#exchange = undefined;
    exchange?.abort();
  }

  #book(): void {
    this.#stop();
    if (this.#paused) return;
    const { clock } = this.#facts;
    const now = clock.monotonic();
    if (this.#staleAt !== undefined) {
      this.#cancelStale = clock.after(Math.max(0, this.#staleAt - now), () => this.#grewOld());
    }
    if (this.#nextAt === undefined) return;
    if (this.#nextAt <= now) this.#ask();
    else this.#cancelNext = clock.after(this.#nextAt - now, () => this.#ask());
  }

  #ask(): void {
    const { servers } = this.#facts;
    this.#cancelNext = undefined;
    this.#nextAt = undefined;
    if (servers === undefined) return;
    this.#askedAt = this.#facts.clock.monotonic();
    const exchange = new AbortController();
    this.#exchange = exchange;
    const take = (answer: TimeAnswer) => {
      if (exchange !== this.#exchange) return;
      this.#exchange = undefined;
      this.#take(answer);
    };
    servers.ask(this.#settings.server, exchange.signal).then(take, (error: unknown) => {
      take({ kind: 'none', reason: String(error) });
    });
  }

  #take(answer: TimeAnswer): void {
    if (answer.kind === 'time') this.#synchronise(answer);
    else this.#miss(answer);
    this.#book();
    this.#facts.changed(answer.kind === 'time');
  }

  #synchronise({ ahead, roundTrip, stratum }: TimeAnswer & { kind: 'time' }): void {
    const { time, clock, log } = this.#facts;
    const isNews = !this.#state.Synchronised || this.#isOutToldOf;
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
    this.#answeredAt = clock.monotonic();
    this.#nextAt = this.#answeredAt + this.#patience.afterAnswer();
    this.#holds();
    if (isNews) log.info('The clock is synchronised', { ...this.#server, stratum, correction });
    this.#facts.synchronised(true);
    this.#isOutToldOf = false;
  }

  /** Says until when the last answer is good. */
  #holds(): void {
    this.#staleAt = this.#answeredAt + this.#patience.lasts;
  }

  #miss(answer: Exclude<TimeAnswer, { kind: 'time' }>): void {
    const { clock, log } = this.#facts;
    const Missed = this.#state.Missed + 1;
    const reason = answer.kind === 'slower' ? 'the server wants to be asked less often' : answer.reason;
    this.#state = { ...this.#state, Missed, Fault: [...reason].slice(0, 200).join('') };
    if (answer.kind === 'refused') {
      log.warn('The time server refuses to be asked: it is not asked any more', { ...this.#server, reason });
      return;
    }
    const wait = answer.kind === 'slower' ? this.#patience.afterSlower() : this.#patience.afterMiss(Missed);
    this.#nextAt = clock.monotonic() + wait;
    if (this.#staleAt !== undefined) this.#holds();
    if (Missed === missedToTell) {
      log.warn('The time server gives no time', { ...this.#server, missed: Missed, reason });
      this.#isOutToldOf = true;
    }
  }

  #grewOld(): void {
    this.#staleAt = undefined;
    this.#cancelStale = undefined;
    const { Missed, Fault } = this.#state;
    this.#state = { ...this.#state, Synchronised: false };
    this.#facts.log.warn('The clock is not synchronised any more', {
      ...this.#server,
      missed: Missed,
      reason: Fault,
    });
    this.#facts.synchronised(false);
    this.#facts.changed(false);
  }

  get #server() {
    return { server: this.#settings.server.join('.') };
  }
}
