import { PtpState, type TimeState, type ZoneOffset } from '@azimuth/model';
import {
  decodePtp,
  type OtherPtpMessage,
  type PortIdentity,
  PtpFlag,
  type PtpMessage,
} from '@azimuth/telegrams/ptp';
import type { DeviceTime } from '../../clock/device-time.js';
import type { Clock, Log, Random } from '../../interfaces/environment.js';
import type { PtpConnection, PtpDatagram, PtpNetwork } from '../../interfaces/time-sources.js';
import type { Estimate } from './clock-filter.js';
import { type ForeignMaster, ForeignMasters, isSame } from './foreign-masters.js';
import { shortestSelection } from './limits.js';
import { MasterClock } from './master-clock.js';
import { Servo, slewTimeFor } from './servo.js';
import { Timeout } from './timeout.js';

/** ms for which the clock counts as synchronised without a master. */
const longestHoldover = 300_000;

/** ms after which a new master that gives no time is reported. */
const calibrationTime = 10_000;

/** ms: the shortest interval of corrections, and of announcements while nothing but numbers changes. */
const correctionInterval = 125;
const announcementInterval = 1000;

interface Options {
  readonly clock: Clock;
  readonly time: DeviceTime;
  readonly log: Log;
  readonly random: Random;
  readonly network: PtpNetwork;
  readonly self: PortIdentity;
  /** The zone of local time. */
  readonly zone: () => ZoneOffset;
  /** Called when the state has changed; `moved` if the device clock has jumped. */
  readonly changed: (moved: boolean) => void;
  /** Called when a master has set or slewed the clock, and when it is not synchronised any more. */
  readonly synchronised: (change: 'set' | 'slewed' | 'lost') => void;
}

/** A clock that follows the best PTP master that it hears, and is never a master itself (IEEE 1588-2019, 9.2). */
export class PtpSlave {
  readonly #options: Options;
  readonly #masters = new ForeignMasters();
  readonly #servo: Servo;
  readonly #connection: PtpConnection;
  readonly #timers: { readonly lost: Timeout; readonly silence: Timeout; readonly validity: Timeout };
  #selected: ForeignMaster | undefined;
  #selectedAt = Number.NEGATIVE_INFINITY;
  #clock: MasterClock | undefined;
  #isOpen = false;
  #isCalibrated = false;
  #isSynchronised = false;
  #isPaused = false;
  #hasEnded = false;
  #validUntil = 0;
  #correctedAt = Number.NEGATIVE_INFINITY;
  #announcedAt = Number.NEGATIVE_INFINITY;
  #last = { offset: 0, delay: 0, at: 0 };
  #fault = '';
  /** The message with which the present problem was logged. */
  #logged: string | undefined;

  constructor(options: Options) {
    const { clock, network, time } = options;
    this.#options = options;
    this.#servo = new Servo(time);
    this.#timers = { lost: new Timeout(clock), silence: new Timeout(clock), validity: new Timeout(clock) };
    this.#connection = network.open({
      opened: () => this.#opened(),
      failed: (reason) => this.#failed(reason),
      received: (datagram) => this.#received(datagram),
    });
  }

  get state(): Pick<TimeState, 'Synchronised' | 'Offset' | 'RoundTrip' | 'LastExchange' | 'Fault' | 'Ptp'> {
    const { offset, delay, at } = this.#last;
    const drift = this.#servo.drift * 1e6;
    return {
      Synchronised: this.#isSynchronised,
      Offset: toMicroseconds(offset),
      RoundTrip: toMicroseconds(2 * delay),
      LastExchange: at,
      Fault: [...this.#fault].slice(0, 200).join(''),
      Ptp: {
        State: this.#state,
        ...this.#masterState,
        PathDelay: toMicroseconds(delay),
        Drift: toMicroseconds(drift),
      },
    };
  }

  /** Time is about to be skipped: hears nothing until `resume`. */
  pause(): void {
    this.#isPaused = true;
    this.#forgetMaster();
    this.#masters.clear();
    this.#timers.lost.stop();
    this.#timers.validity.stop();
  }

  /** The masters know nothing of the skipped time: the next correction is a step. */
  resume(): void {
    this.#isPaused = false;
    this.#servo.restart();
    this.#awaitExpiry();
  }

  /** Ends it for good. The clock runs on as fast as it did. */
  end(): void {
    this.#hasEnded = true;
    this.pause();
    this.#servo.coast(this.#now);
    this.#connection.close();
  }

  get #now(): number {
    return this.#options.clock.monotonic();
  }

  get #state(): TimeState['Ptp']['State'] {
    if (!this.#isOpen) return this.#fault === '' ? PtpState.DISABLED : PtpState.FAULTY;
    if (this.#selected === undefined) return PtpState.LISTENING;
    return this.#isCalibrated ? PtpState.SLAVE : PtpState.UNCALIBRATED;
  }

  get #masterState() {
    const selected = this.#selected;
    const offset = this.#clock?.utcOffset;
    const { announce, source, from = '0.0.0.0' } = selected ?? {};
    return {
      Grandmaster: announce?.grandmaster ?? '',
      Master: source === undefined ? '' : `${source.clock}-${source.port}`,
      MasterAddress: from.split('.').map(Number),
      Priority1: announce?.priority1 ?? 0,
      ClockClass: announce?.clockClass ?? 0,
      Priority2: announce?.priority2 ?? 0,
      StepsRemoved: announce === undefined ? 0 : announce.stepsRemoved + 1,
      UtcOffset: offset?.seconds ?? 0,
      Leap: offset?.leap ?? 0,
    };
  }

  #opened(): void {
    if (this.#hasEnded) return;
    this.#isOpen = true;
    this.#works();
    this.#announce(false);
  }

  #failed(reason: string): void {
    if (this.#hasEnded) return;
    this.#isOpen = false;
    this.#masters.clear();
    this.#forgetMaster();
    this.#report('The PTP ports cannot be opened; the scanner tries again', reason);
  }

  #received({ bytes, received, from, isUnicast }: PtpDatagram): void {
    if (this.#isPaused || !this.#isOpen) return;
    const message = messageIn(bytes);
    if (message === undefined || !this.#concerns(message)) return;
    if (message.kind === 'announce') {
      if ((message.flags & PtpFlag.alternateMaster) !== 0) return;
      const isAlone = isUnicast || (message.flags & PtpFlag.unicast) !== 0;
      this.#masters.take(message, from, isAlone, this.#now);
      this.#select();
    } else if (this.#selected !== undefined && isSame(this.#selected, { source: message.source, from })) {
      this.#clock?.received(message, received);
    }
  }

  /** Is it of domain 0 and the default profile, and neither of this scanner nor of a clock that follows it? */
  #concerns(message: PtpMessage | OtherPtpMessage): message is PtpMessage {
    const { self } = this.#options;
    if (message.kind === 'other' || message.domain !== 0 || message.sdoId !== 0) return false;
    if (message.source.clock === self.clock) return false;
    return message.kind !== 'announce' || message.grandmaster !== self.clock;
  }

  #select(): void {
    const now = this.#now;
    this.#masters.forgetLost(now);
    const { nextLostAt } = this.#masters;
    if (nextLostAt === undefined) this.#timers.lost.stop();
    else this.#timers.lost.set(nextLostAt - now, () => this.#select());
    const present = this.#selected === undefined ? undefined : this.#masters.of(this.#selected);
    const best = this.#masters.best(this.#selected);
    // The next one is selected later, even if this one vanishes at once: masters that come and go must not fill the log.
    const isSettled = now - this.#selectedAt >= shortestSelection;
    const isBest = best !== undefined && present !== undefined && isSame(best, present);
    if (best !== undefined && isSettled && !isBest) {
      this.#follow(best, now);
    } else if (present !== undefined) {
      this.#selected = present;
      this.#clock?.announced(present.announce);
    } else if (this.#selected !== undefined) {
      this.#lost();
    }
  }

  #follow(master: ForeignMaster, now: number): void {
    const { clock, random, self, log } = this.#options;
    this.#selected = master;
    this.#selectedAt = now;
    this.#isCalibrated = false;
    if (this.#clock !== undefined) this.#clock.follow(master);
    else {
      const connection = this.#connection;
      const utc = () => (this.#isSynchronised ? this.#options.time.utc : undefined);
      const measured = (estimate: Estimate, at: number) => this.#correct(estimate, at);
      const shifted = (ms: number) => this.#shift(ms);
      const { drift } = this.#servo;
      this.#clock = new MasterClock(
        { clock, random, self, connection, drift, utc, measured, shifted },
        master,
      );
    }
    const { grandmaster, priority1, clockClass, priority2 } = master.announce;
    const facts = { address: master.from, grandmaster, priority1, clockClass, priority2 };
    log.info('The scanner follows a PTP master', facts);
    this.#works();
    this.#servo.coast(now);
    this.#timers.silence.set(calibrationTime, () => this.#silent());
    this.#announce(false);
  }

  #lost(): void {
    this.#forgetMaster();
    this.#report('The PTP master is lost', 'no PTP master is heard');
  }

  #forgetMaster(): void {
    this.#selected = undefined;
    this.#isCalibrated = false;
    this.#clock?.stop();
    this.#clock = undefined;
    this.#timers.silence.stop();
    this.#servo.coast(this.#now);
    if (this.#isSynchronised) this.#options.synchronised('slewed');
  }

  #silent(): void {
    this.#isCalibrated = false;
    this.#servo.coast(this.#now);
    if (this.#isSynchronised) this.#options.synchronised('slewed');
    this.#report('The PTP master does not give the time', this.#clock?.missing ?? '');
    this.#timers.silence.set(calibrationTime, () => this.#silent());
  }

  #correct(estimate: Estimate, now: number): void {
    const interval = this.#clock?.interval ?? announcementInterval;
    this.#timers.silence.set(slewTimeFor(interval), () => this.#silent());
    if (now - this.#correctedAt < correctionInterval) return;
    this.#correctedAt = now;
    const { offset, isStep } = this.#servo.correct(estimate, now, interval, this.#options.zone);
    const wasSynchronised = this.#isSynchronised;
    const wasCalibrated = this.#isCalibrated;
    this.#isSynchronised = true;
    this.#isCalibrated = true;
    this.#last = { offset, delay: estimate.delay, at: Math.max(0, Math.floor(this.#options.time.utc)) };
    this.#validUntil = now + longestHoldover;
    this.#awaitExpiry();
    this.#works();
    if (!wasSynchronised || isStep) {
      const correction = toMicroseconds(offset);
      this.#options.log.info('The clock is synchronised', { address: this.#selected?.from, correction });
    }
    this.#options.synchronised(isStep || !wasSynchronised ? 'set' : 'slewed');
    if (isStep || !wasSynchronised || !wasCalibrated) this.#announce(isStep);
    else if (now - this.#announcedAt >= announcementInterval) this.#announce(false);
  }

  #shift(ms: number): void {
    this.#servo.shift(this.#now, ms);
    this.#options.log.info('The master has another offset from UTC, or there was a leap second', {
      change: ms / 1000,
    });
    if (this.#isSynchronised) this.#options.synchronised('set');
    this.#announce(true);
  }

  #awaitExpiry(): void {
    if (this.#isSynchronised) this.#timers.validity.set(this.#validUntil - this.#now, () => this.#expired());
  }

  #expired(): void {
    this.#isSynchronised = false;
    this.#servo.restart();
    this.#options.log.warn('The clock is no longer synchronised', { reason: this.#fault });
    this.#options.synchronised('lost');
    this.#announce(false);
  }

  #announce(moved: boolean): void {
    this.#announcedAt = this.#now;
    this.#options.changed(moved);
  }

  #works(): void {
    this.#fault = '';
    this.#logged = undefined;
  }

  /** Tells what is wrong; in the log only once, until it works again. */
  #report(message: string, reason: string): void {
    if (message !== this.#logged) this.#options.log.warn(message, { reason });
    this.#logged = message;
    this.#fault = reason;
    this.#announce(false);
  }
}

/** Rounded to the third digit: more is not in the time stamps. */
function toMicroseconds(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

function messageIn(bytes: Uint8Array): PtpMessage | OtherPtpMessage | undefined {
  try {
    return decodePtp(bytes);
  } catch {
    // Nothing that a slave could use.
    return undefined;
  }
}
