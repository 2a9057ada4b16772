import { PtpState, type TimeState, type ZoneOffset } from '@azimuth/model';
import {
  decodePtp,
  type OtherPtpMessage,
  type PortIdentity,
  PtpFlag,
  type PtpMessage,
} from '@azimuth/telegrams/ptp';
import type { DeviceTime } from '../../clock/device-time.js';
import { Timeout } from '../../clock/timeout.js';
import { faultText } from '../../fault-text.js';
import type { Clock, Log, Random } from '../../interfaces/environment.js';
import type { PtpConnection, PtpDatagram, PtpNetwork } from '../../interfaces/time-sources.js';
import type { Estimate } from './clock-filter.js';
import { type ForeignMaster, ForeignMasters, isSame } from './foreign-masters.js';
import { shortestSelection } from './limits.js';
import { MasterClock } from './master-clock.js';
import { Servo, slewTimeFor } from './servo.js';

/** ms for which the clock counts as synchronised without a master. */
const longestHoldover = 300_000;

/** ms after which a new master without time is reported. */
const calibrationTime = 10_000;

/** Shortest interval (ms) of corrections, and of announcements while nothing but numbers changes. */
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
  /** Called when the state has changed. `moved`: the device clock has jumped. */
  readonly changed: (moved: boolean) => void;
  /** Called when a master has set or slewed the clock, and when the clock is no longer synchronised. */
  readonly synchronised: (change: 'set' | 'slewed' | 'lost') => void;
}

/**
 * The port of an ordinary clock that is only a slave (IEEE 1588-2019, 9.2.5).
 *
 * | from | by | to |
 * |---|---|---|
 * | closed | the sockets are open | listening |
 * | listening, uncalibrated, slave | a better master is heard | uncalibrated |
 * | uncalibrated | the master has corrected the clock | slave |
 * | slave | the master gives no time any more | uncalibrated |
 * | uncalibrated, slave | the master is lost, or time is skipped | listening |
 * | any but ended | the sockets have failed | closed |
 * | any | the end | ended |
 */
type PortState =
  | { readonly state: 'closed' | 'listening' | 'ended' }
  | {
      readonly state: 'uncalibrated' | 'slave';
      readonly master: ForeignMaster;
      readonly clock: MasterClock;
    };

/** A clock that follows the best PTP master on the network, and is never a master itself (IEEE 1588-2019, 9.2). */
export class PtpSlave {
  readonly #options: Options;
  readonly #masters = new ForeignMasters();
  readonly #servo: Servo;
  readonly #connection: PtpConnection;
  readonly #timers: { readonly lost: Timeout; readonly silence: Timeout; readonly validity: Timeout };
  #port: PortState = { state: 'closed' };
  #isPaused = false;
  /** End of the time in which the clock counts as synchronised. Undefined while it is not synchronised. */
  #validUntil: number | undefined;
  #selectedAt = Number.NEGATIVE_INFINITY;
  #correctedAt = Number.NEGATIVE_INFINITY;
  #announcedAt = Number.NEGATIVE_INFINITY;
  #last = { offset: 0, delay: 0, at: 0 };
  /** The present problem, and its message in the log. */
  #problem: { readonly message: string; readonly reason: string } | undefined;

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
      Fault: faultText(this.#problem?.reason ?? ''),
      Ptp: {
        State: this.#state,
        ...this.#masterState,
        PathDelay: toMicroseconds(delay),
        Drift: toMicroseconds(drift),
      },
    };
  }

  /** Stops listening until `resume`, because time is about to be skipped. */
  pause(): void {
    this.#isPaused = true;
    this.#forgetMaster();
    this.#masters.clear();
    this.#timers.lost.stop();
    this.#timers.validity.stop();
  }

  /** Continues. Masters do not know the skipped time, so the next correction is a step. */
  resume(): void {
    this.#isPaused = false;
    this.#servo.restart();
    this.#awaitExpiry();
  }

  /** Ends it for good. The rate of the clock stays. */
  end(): void {
    this.pause();
    this.#port = { state: 'ended' };
    this.#servo.coast(this.#now);
    this.#connection.close();
  }

  get #now(): number {
    return this.#options.clock.monotonic();
  }

  get #isSynchronised(): boolean {
    return this.#validUntil !== undefined;
  }

  /** The selected master, with its clock. */
  get #followed() {
    const port = this.#port;
    return port.state === 'uncalibrated' || port.state === 'slave' ? port : undefined;
  }

  get #state(): TimeState['Ptp']['State'] {
    switch (this.#port.state) {
      case 'listening':
        return PtpState.LISTENING;
      case 'uncalibrated':
        return PtpState.UNCALIBRATED;
      case 'slave':
        return PtpState.SLAVE;
      default:
        return this.#problem === undefined ? PtpState.DISABLED : PtpState.FAULTY;
    }
  }

  get #masterState() {
    const { master, clock } = this.#followed ?? {};
    const { announce, source, from = '0.0.0.0' } = master ?? {};
    return {
      Grandmaster: announce?.grandmaster ?? '',
      Master: source === undefined ? '' : `${source.clock}-${source.port}`,
      MasterAddress: from.split('.').map(Number),
      Priority1: announce?.priority1 ?? 0,
      ClockClass: announce?.clockClass ?? 0,
      Priority2: announce?.priority2 ?? 0,
      StepsRemoved: announce === undefined ? 0 : announce.stepsRemoved + 1,
      UtcOffset: clock?.utcOffset.seconds ?? 0,
      Leap: clock?.utcOffset.leap ?? 0,
    };
  }

  #opened(): void {
    if (this.#port.state === 'ended') return;
    // After a change of the address, the sockets open again and the state stays.
    if (this.#port.state === 'closed') this.#port = { state: 'listening' };
    this.#problem = undefined;
    this.#announce(false);
  }

  #failed(reason: string): void {
    if (this.#port.state === 'ended') return;
    this.#masters.clear();
    this.#forgetMaster();
    this.#port = { state: 'closed' };
    this.#report('The PTP ports cannot be opened; the scanner tries again', reason);
  }

  #received({ bytes, received, from, isUnicast }: PtpDatagram): void {
    if (this.#isPaused || this.#port.state === 'closed' || this.#port.state === 'ended') return;
    const message = messageIn(bytes);
    if (message === undefined || !this.#concerns(message)) return;
    if (message.kind === 'announce') {
      if ((message.flags & PtpFlag.alternateMaster) !== 0) return;
      const sendsUnicast = isUnicast || (message.flags & PtpFlag.unicast) !== 0;
      this.#masters.addAnnounce(message, from, sendsUnicast, this.#now);
      this.#select();
      return;
    }
    const followed = this.#followed;
    if (followed !== undefined && isSame(followed.master, { source: message.source, from }))
      followed.clock.received(message, received);
  }

  /**
   * True if the message is of domain 0 and the default profile, and neither from this scanner nor from a clock that
   * follows it.
   */
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
    const followed = this.#followed;
    const present = followed && this.#masters.of(followed.master);
    const best = this.#masters.best(followed?.master);
    // The next selection waits, even if this master vanishes at once: unstable masters must not fill the log.
    const canSelect = now - this.#selectedAt >= shortestSelection;
    const isBest = best !== undefined && present !== undefined && isSame(best, present);
    if (best !== undefined && canSelect && !isBest) {
      this.#follow(best, now);
    } else if (followed !== undefined && present !== undefined) {
      this.#port = { ...followed, master: present };
      followed.clock.announced(present.announce);
    } else if (followed !== undefined) {
      this.#forgetMaster();
      this.#report('The PTP master is lost', 'no PTP master is heard');
    }
  }

  #follow(master: ForeignMaster, now: number): void {
    this.#selectedAt = now;
    const known = this.#followed?.clock;
    known?.follow(master);
    this.#port = { state: 'uncalibrated', master, clock: known ?? this.#clockOf(master) };
    const { grandmaster, priority1, clockClass, priority2 } = master.announce;
    const facts = { address: master.from, grandmaster, priority1, clockClass, priority2 };
    this.#options.log.info('The scanner follows a PTP master', facts);
    this.#problem = undefined;
    this.#servo.coast(now);
    this.#timers.silence.set(calibrationTime, () => this.#silent());
    this.#announce(false);
  }

  #clockOf(master: ForeignMaster): MasterClock {
    const { clock, random, self, time } = this.#options;
    const facts = {
      ...{ clock, random, self, connection: this.#connection, drift: this.#servo.drift },
      utc: () => (this.#isSynchronised ? time.utc : undefined),
      measured: (estimate: Estimate, at: number) => this.#correct(estimate, at),
      shifted: (ms: number) => this.#shift(ms),
    };
    return new MasterClock(facts, master);
  }

  #forgetMaster(): void {
    const followed = this.#followed;
    followed?.clock.stop();
    if (followed !== undefined) this.#port = { state: 'listening' };
    this.#timers.silence.stop();
    this.#servo.coast(this.#now);
    if (this.#isSynchronised) this.#options.synchronised('slewed');
  }

  #silent(): void {
    const followed = this.#followed;
    if (followed !== undefined) this.#port = { ...followed, state: 'uncalibrated' };
    this.#servo.coast(this.#now);
    if (this.#isSynchronised) this.#options.synchronised('slewed');
    this.#report('The PTP master does not give the time', followed?.clock.missing ?? '');
    this.#timers.silence.set(calibrationTime, () => this.#silent());
  }

  #correct(estimate: Estimate, now: number): void {
    const followed = this.#followed;
    const interval = followed?.clock.interval ?? announcementInterval;
    this.#timers.silence.set(slewTimeFor(interval), () => this.#silent());
    if (now - this.#correctedAt < correctionInterval) return;
    this.#correctedAt = now;
    const { offset, isStep } = this.#servo.correct(estimate, now, interval, this.#options.zone);
    const wasSynchronised = this.#isSynchronised;
    const wasCalibrated = followed?.state === 'slave';
    if (followed !== undefined) this.#port = { ...followed, state: 'slave' };
    this.#last = { offset, delay: estimate.delay, at: Math.max(0, Math.floor(this.#options.time.utc)) };
    this.#validUntil = now + longestHoldover;
    this.#awaitExpiry();
    this.#problem = undefined;
    if (!wasSynchronised || isStep) {
      const correction = toMicroseconds(offset);
      this.#options.log.info('The clock is synchronised', { address: followed?.master.from, correction });
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
    if (this.#validUntil === undefined) return;
    this.#timers.validity.set(this.#validUntil - this.#now, () => this.#expired());
  }

  #expired(): void {
    this.#validUntil = undefined;
    this.#servo.restart();
    this.#options.log.warn('The clock is no longer synchronised', {
      reason: this.#problem?.reason ?? '',
    });
    this.#options.synchronised('lost');
    this.#announce(false);
  }

  #announce(moved: boolean): void {
    this.#announcedAt = this.#now;
    this.#options.changed(moved);
  }

  /** Reports a problem. The log gets it only once, until it is over. */
  #report(message: string, reason: string): void {
    if (message !== this.#problem?.message) this.#options.log.warn(message, { reason });
    this.#problem = { message, reason };
    this.#announce(false);
  }
}

/** Rounds to the third digit, the resolution of the time stamps. */
function toMicroseconds(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

function messageIn(bytes: Uint8Array): PtpMessage | OtherPtpMessage | undefined {
  try {
    return decodePtp(bytes);
  } catch {
    // The message is of no use to a slave.
    return undefined;
  }
}
