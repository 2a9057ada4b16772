import { ianaZones, TimeRole } from './groups/index.js';
import type { DateTime } from './types/struct.js';

/** Difference (ms) up to which a clock is right: reading it takes a while, and a time may have only whole seconds. */
export const clockTolerance = 5000;

/** Quarter of an hour (ms). Time zones differ by whole quarters, and change their offset at them. */
const quarter = 900_000;

/** Largest difference between two time zones (ms). */
const furthestZone = 26 * 3_600_000;

/** A device clock and the clock that it is compared with. */
export interface ClockReading {
  /** LSPdatetime. */
  readonly device: DateTime;
  /** Time on this computer when LSPdatetime was received. */
  readonly now: Date;
  /** TSCRole; undefined if it is not known. */
  readonly role: number | undefined;
  /** TSCTCtimezone; undefined if it is not known. */
  readonly zone: keyof typeof ianaZones | undefined;
  /** True if a time server or a PTP master has set the clock; undefined if the scanner does not tell. */
  readonly synchronised: boolean | undefined;
}

/** Difference between a device clock and the clock of this computer. */
export interface ClockComparison {
  /** Difference in ms; negative if the device clock is behind. */
  readonly aheadMs: number;
  /** `other zone`: the difference is that of two time zones. */
  readonly verdict: 'right' | 'other zone' | 'wrong';
  /** IANA zone in which the clocks were compared; undefined for the zone of this computer. */
  readonly zone: string | undefined;
}

/**
 * Compares a device clock with this computer. A synchronised clock shows the time in its zone. A clock that was set by
 * hand shows the local time of a computer.
 */
export function compareClock({ device, now, role, zone, synchronised }: ClockReading): ClockComparison {
  const follows = synchronised ?? (role !== undefined && role !== TimeRole.TX_NONE);
  const name = follows && zone !== undefined ? ianaZones[zone] : undefined;
  const aheadMs = aheadBy(device, now, name);
  return { aheadMs, verdict: verdictOn(aheadMs), zone: name };
}

function verdictOn(aheadMs: number): ClockComparison['verdict'] {
  if (Math.abs(aheadMs) <= clockTolerance) return 'right';
  const zones = Math.round(aheadMs / quarter) * quarter;
  const isZone = Math.abs(zones) <= furthestZone && Math.abs(aheadMs - zones) <= clockTolerance;
  return zones !== 0 && isZone ? 'other zone' : 'wrong';
}

/** Returns the local time of this computer, as the interface writes a time. */
export function localTime(now: Date): DateTime {
  return dateTimeOf((now.getTime() - now.getTimezoneOffset() * 60_000) * 1000);
}

/** Returns a time as the interface writes it. @param microseconds since 1970, as if it were UTC */
export function dateTimeOf(microseconds: number): DateTime {
  const date = new Date(Math.floor(microseconds / 1000));
  return {
    uiYear: date.getUTCFullYear(),
    usiMonth: date.getUTCMonth() + 1,
    usiDay: date.getUTCDate(),
    usiHour: date.getUTCHours(),
    usiMinute: date.getUTCMinutes(),
    usiSec: date.getUTCSeconds(),
    udiUSec: microseconds - Math.floor(microseconds / 1_000_000) * 1_000_000,
  };
}

/** Returns a time as ms since 1970, as if it were UTC. */
export function asUtc({ uiYear, usiMonth, usiDay, usiHour, usiMinute, usiSec, udiUSec }: DateTime): number {
  return Date.UTC(uiYear, usiMonth - 1, usiDay, usiHour, usiMinute, usiSec, udiUSec / 1000);
}

function aheadBy(device: DateTime, now: Date, zone: string | undefined): number {
  const utc = now.getTime();
  return asUtc(device) - (zone === undefined ? asUtc(localTime(now)) : utc + zoneOffset(zone)(utc));
}

/** Returns the milliseconds that local time is ahead of UTC, at a time in ms since 1970 UTC. */
export type ZoneOffset = (utc: number) => number;

/**
 * Returns the offset of a zone with its daylight saving, by the rules of the platform.
 * @param name of the IANA database
 * @throws RangeError for a name that it does not know
 */
export function zoneOffset(name: string): ZoneOffset {
  const calendar = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  // Cached, because the calendar is slow, and its result is valid for a quarter of an hour.
  let known = Number.NaN;
  let offset = 0;
  return (utc) => {
    const begin = Math.floor(utc / quarter) * quarter;
    if (begin !== known) {
      offset = localOf(calendar, begin) - begin;
      known = begin;
    }
    return offset;
  };
}

function localOf(calendar: Intl.DateTimeFormat, utc: number): number {
  const parts = new Map(calendar.formatToParts(utc).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
}
