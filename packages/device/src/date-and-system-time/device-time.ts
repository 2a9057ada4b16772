import { type DateTime, Fault } from '@azimuth/model';
import type { Clock } from '../ports/clock.js';

/**
 * The device clock: a calendar date and time. It starts from the host's local time, can be set, and has forgotten
 * that after a boot (there is no battery).
 */
export class DeviceTime {
  readonly #clock: Clock;
  /** Microseconds that the device clock was set ahead of the host's: whole, as milliseconds with fractions are not. */
  #ahead = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds of the device's local time since 1970-01-01, counted as if there were no time zones. */
  get local(): number {
    return this.#localMicroseconds / 1000;
  }

  get #localMicroseconds(): number {
    const utc = this.#clock.utc();
    return Math.round((utc + this.#clock.localOffset(utc)) * 1000) + this.#ahead;
  }

  /** Milliseconds since 1970-01-01 UTC, as the device believes. */
  get utc(): number {
    return this.#clock.utc() + this.#ahead / 1000;
  }

  now(): DateTime {
    const local = this.#localMicroseconds;
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
   * Sets the clock until the next boot.
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
    this.#ahead += (midnight + time) * 1000 + to.udiUSec - this.#localMicroseconds;
  }

  /** A boot: back to the host's time. */
  reset(): void {
    this.#ahead = 0;
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
