import { type DateTime, Fault } from '@azimuth/model';
import type { Clock } from '../interfaces/clock.js';
import type { ZoneOffset } from './zone-offset.js';

/** The end of the last year that the interface can tell, 2105. */
const lastMicrosecond = Date.UTC(2106, 0) * 1000 - 1;

/**
 * The device clock: a calendar date and time. It starts from the host's local time, can be set by hand or by a time
 * server, and has forgotten that after a boot (there is no battery).
 */
export class DeviceTime {
  readonly #clock: Clock;
  /** Microseconds that the device clock was set ahead of the host's: whole, as milliseconds with fractions are not. */
  #ahead = 0;
  /** Of the zone that it is shown in; undefined for the host's, as long as no time server has set it. */
  #zone: ZoneOffset | undefined;
  #isServers = false;

  constructor(clock: Clock) {
    this.#clock = clock;
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
    const utc = this.#clock.utc();
    const ahead = this.#zone === undefined ? this.#clock.localOffset(utc) : this.#zone(this.utc);
    return Math.round((utc + ahead) * 1000) + this.#ahead;
  }

  /** Milliseconds since 1970-01-01 UTC, as the device believes. */
  get utc(): number {
    return this.#clock.utc() + this.#ahead / 1000;
  }

  /** What it tells stands still at the end of what can be told. */
  now(): DateTime {
    const local = Math.min(this.#localMicroseconds, lastMicrosecond);
    const date = new Date(Math.floor(local / 1000));
    return {
      uiYear: date.getUTCFullYear(),
      usiMonth: date.getUTCMonth() + 1,
      usiDay: date.getUTCDate(),
      usiHour: date.getUTCHours(),
      usiMinute: date.getUTCMinutes(),
      usiSec: date.getUTCSeconds(),
      udiUSec: local - Math.floor(local / 1_000_000) * 1_000_000,
    };
  }

  /**
   * Takes over the time of a server, shown in a zone. Answers how many ms that has moved the clock.
   * @param ahead ms that the server's UTC is ahead of the host's
   */
  synchronise(ahead: number, zone: ZoneOffset): number {
    const before = this.#ahead;
    this.#ahead = Math.round(ahead * 1000);
    this.#zone = zone;
    this.#isServers = true;
    return (this.#ahead - before) / 1000;
  }

  /** Shows the time of a server in another zone; a clock that was set by hand since stays as it is. */
  showIn(zone: ZoneOffset): void {
    if (this.#isServers) this.#zone = zone;
  }

  /**
   * Sets the clock until the next boot, or until a time server sets it.
   * @throws Fault 6 for a date that no calendar has, or one before 1970.
   */
  set(to: DateTime): void {
    const midnight = Date.UTC(to.uiYear, to.usiMonth - 1, to.usiDay);
    const date = new Date(midnight);
    if (to.uiYear < 1970)
      throw new Fault('outOfRange', 'DateTime.uiYear', `${to.uiYear} is not in 1970..2105`);
    if (date.getUTCMonth() !== to.usiMonth - 1 || date.getUTCDate() !== to.usiDay) {
      throw new Fault('outOfRange', 'DateTime', `no calendar has day ${to.usiDay} of month ${to.usiMonth}`);
    }
    const time = ((to.usiHour * 60 + to.usiMinute) * 60 + to.usiSec) * 1000;
    if (this.#zone !== undefined) {
      // It runs on as an ordinary clock: no daylight saving moves what a person has set.
      const offset = this.#zone(this.utc);
      this.#zone = () => offset;
    }
    this.#isServers = false;
    this.#ahead += (midnight + time) * 1000 + to.udiUSec - this.#localMicroseconds;
  }

  /** A boot: back to the host's time. */
  reset(): void {
    this.#ahead = 0;
    this.#zone = undefined;
    this.#isServers = false;
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
