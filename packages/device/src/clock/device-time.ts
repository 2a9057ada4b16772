import { type DateTime, dateTimeOf, Fault, type ZoneOffset } from '@azimuth/model';
import type { Clock } from '../interfaces/environment.js';

/** The end of 2105, the last year of the interface. */
const lastMicrosecond = Date.UTC(2106, 0) * 1000 - 1;

/** A clock that runs evenly, as it is seen from the monotonic clock. */
interface ClockLine {
  /** ms of the monotonic clock, */
  readonly at: number;
  /** and UTC then, in ms since 1970. */
  readonly utc: number;
  /** ms a ms by which UTC runs faster than the monotonic clock. */
  readonly rate: number;
}

/**
 * The device clock: a calendar date and time. It starts from the host's local time, and can be set by hand or by a time
 * server until the next boot (there is no battery). Between two boots it runs evenly, even if the host's clock is set.
 */
export class DeviceTime {
  readonly #clock: Clock;
  /** ms that the host's UTC was ahead of the monotonic clock at the boot: the host's clock may be set later. */
  #hostAhead: number;
  /** Whole µs that the device clock is ahead of the host's; fractions of milliseconds would not be exact. */
  #ahead = 0;
  /** While it is steered, and until it is set otherwise, it follows the monotonic clock, with a speed of its own. */
  #line: ClockLine | undefined;
  /** The zone of the local time; undefined for that of the host, until a time server sets the clock. */
  #zone: ZoneOffset | undefined;
  #isFromServer = false;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#hostAhead = clock.utc() - clock.monotonic();
  }

  /** Milliseconds of the device's local time since 1970-01-01, counted as if there were no time zones. */
  get local(): number {
    return this.#localMicroseconds / 1000;
  }

  /** Whole seconds of `local`. */
  get second(): number {
    return Math.floor(this.local / 1000);
  }

  get #localMicroseconds(): number {
    const ahead = this.#zone === undefined ? this.#clock.localOffset(this.#hostUtc) : this.#zone(this.utc);
    if (this.#line !== undefined) return Math.round((this.utc + ahead) * 1000);
    return Math.round((this.#hostUtc + ahead) * 1000) + this.#ahead;
  }

  /** Milliseconds since 1970-01-01 UTC by the device clock. */
  get utc(): number {
    if (this.#line !== undefined) return utcOn(this.#line, this.#clock.monotonic());
    return this.#hostUtc + this.#ahead / 1000;
  }

  /** UTC in ms by the host's clock as it was at the boot: it runs evenly. */
  get #hostUtc(): number {
    return this.#clock.monotonic() + this.#hostAhead;
  }

  /** The device clock as a line through a time of the monotonic clock (ms). */
  lineAt(at: number): ClockLine {
    const line = this.#line;
    if (line !== undefined) return { at, utc: utcOn(line, at), rate: line.rate };
    return { at, utc: this.utc + at - this.#clock.monotonic(), rate: 0 };
  }

  /** `utc` at a time of the monotonic clock (ms). */
  utcAt(at: number): number {
    return this.lineAt(at).utc;
  }

  /**
   * Steers the clock: it follows this line from now on.
   * @param zone of local time; left out, it stays
   */
  discipline(line: ClockLine, zone?: ZoneOffset): void {
    this.#line = line;
    if (zone === undefined) return;
    this.#zone = zone;
    this.#isFromServer = true;
  }

  /** Local date and time. It stops at the end of 2105. */
  now(): DateTime {
    return dateTimeOf(Math.min(this.#localMicroseconds, lastMicrosecond));
  }

  /**
   * Sets the clock to the time of a server, with local time in a zone. Returns by how many ms the clock has changed.
   * @param ahead ms that the server's UTC is ahead of the host's
   */
  synchronise(ahead: number, zone: ZoneOffset): number {
    this.#letGo();
    const before = this.#ahead;
    // The host's clock may have been set since the boot.
    this.#ahead = Math.round((ahead + this.#clock.utc() - this.#hostUtc) * 1000);
    this.#zone = zone;
    this.#isFromServer = true;
    return (this.#ahead - before) / 1000;
  }

  /** Changes the zone of a time that came from a server; does nothing if the clock was set by hand since. */
  setZone(zone: ZoneOffset): void {
    if (this.#isFromServer) this.#zone = zone;
  }

  /**
   * Sets the clock until the next boot, or until a time server sets it.
   * @throws Fault 6 for a date that does not exist, or one before 1970
   */
  set(to: DateTime): void {
    const midnight = Date.UTC(to.uiYear, to.usiMonth - 1, to.usiDay);
    const date = new Date(midnight);
    if (to.uiYear < 1970)
      throw new Fault('outOfRange', 'DateTime.uiYear', `expected 1970 to 2105, got ${to.uiYear}`);
    if (date.getUTCMonth() !== to.usiMonth - 1 || date.getUTCDate() !== to.usiDay) {
      throw new Fault('outOfRange', 'DateTime', `no calendar has day ${to.usiDay} of month ${to.usiMonth}`);
    }
    const time = ((to.usiHour * 60 + to.usiMinute) * 60 + to.usiSec) * 1000;
    if (this.#zone !== undefined) {
      // A clock that was set by hand does not follow daylight saving.
      const offset = this.#zone(this.utc);
      this.#zone = () => offset;
    }
    this.#isFromServer = false;
    this.#letGo();
    this.#ahead += (midnight + time) * 1000 + to.udiUSec - this.#localMicroseconds;
  }

  /** Jumps by so many ms, but not to a time before 1970. */
  step(milliseconds: number): void {
    const by = Math.max(milliseconds, -Math.min(this.utc, this.local));
    if (this.#line !== undefined) this.#line = { ...this.#line, utc: this.#line.utc + by };
    else this.#ahead += Math.round(by * 1000);
  }

  /** A boot: back to the host's time, as it is now. */
  reset(): void {
    this.#hostAhead = this.#clock.utc() - this.#clock.monotonic();
    this.#ahead = 0;
    this.#line = undefined;
    this.#zone = undefined;
    this.#isFromServer = false;
  }

  /** From here on it runs as fast as the host's clock, whatever steered it. */
  #letGo(): void {
    if (this.#line === undefined) return;
    this.#ahead = Math.round((this.utc - this.#hostUtc) * 1000);
    this.#line = undefined;
  }

  /** Date and time as LastParaDate and LastParaTime print them: `DD.MM.YYYY` and `HH:MM`. */
  stamp(): { date: string; time: string } {
    const { uiYear, usiMonth, usiDay, usiHour, usiMinute } = this.now();
    return {
      date: `${two(usiDay)}.${two(usiMonth)}.${String(uiYear).padStart(4, '0')}`,
      time: `${two(usiHour)}:${two(usiMinute)}`,
    };
  }
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

function utcOn({ at, utc, rate }: ClockLine, now: number): number {
  return utc + (now - at) * (1 + rate);
}
