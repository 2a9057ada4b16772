import { zoneOffset } from '@azimuth/model';

const day = 86_400_000;

/** A time of each day in a time zone. */
export interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
  /** IANA name, for example `Europe/Berlin`. */
  readonly zone: string;
}

/**
 * Returns the last moment at which a clock on the wall showed this time. If a time does not exist on a day, because the
 * clock is put forward, it is as much later.
 * @param at milliseconds since 1970-01-01 UTC; the moment may be this one
 * @param delay milliseconds that are added to the time on each day; less than a day
 */
export function lastNight(at: number, time: TimeOfDay, delay: number): number {
  const offsetOf = zoneOffset(time.zone);
  const today = Math.floor((at + offsetOf(at)) / day);
  // A delay may reach into the next day.
  const nights = [today + 1, today, today - 1, today - 2].map(
    (each) => nightOf(each, time, offsetOf) + delay,
  );
  return nights.find((night) => night <= at) ?? at;
}

/** Returns the next such moment after another one. */
export function nextNight(at: number, time: TimeOfDay, delay: number): number {
  const offsetOf = zoneOffset(time.zone);
  const today = Math.floor((at + offsetOf(at)) / day);
  const nights = [today - 1, today, today + 1, today + 2].map(
    (each) => nightOf(each, time, offsetOf) + delay,
  );
  return nights.find((night) => night > at) ?? at + day;
}

/** @param date days since 1970-01-01 in the time zone */
function nightOf(date: number, { hour, minute }: TimeOfDay, offsetOf: (utc: number) => number): number {
  const local = date * day + hour * 3_600_000 + minute * 60_000;
  const guess = local - offsetOf(local);
  return local - offsetOf(guess);
}

/** Returns the date in the time zone: `2026-05-04`. */
export function dateIn(zone: string, at: number): string {
  return new Date(at + zoneOffset(zone)(at)).toISOString().slice(0, 10);
}
