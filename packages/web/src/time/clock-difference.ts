import type { DateTime } from '@azimuth/model';

/**
 * How far a device clock is ahead of the clock of this computer (ms). Both are taken as local time.
 * @param zone IANA zone of the device clock; that of this computer if it is not known
 */
export function aheadBy(device: DateTime, now: Date, zone?: string): number {
  return asUtc(device) - localMs(now, zone);
}

/** A difference for a person: `agrees within 2 s`, `65 s ahead`, `3.0 h behind`. */
export function differenceText(ms: number): string {
  const seconds = Math.abs(ms) / 1000;
  if (seconds <= 2) return 'agrees within 2 s';
  const where = ms > 0 ? 'ahead' : 'behind';
  if (seconds < 120) return `${Math.round(seconds)} s ${where}`;
  if (seconds < 7200) return `${(seconds / 60).toFixed(1)} min ${where}`;
  if (seconds < 172_800) return `${(seconds / 3600).toFixed(1)} h ${where}`;
  return `${(seconds / 86_400).toFixed(1)} days ${where}`;
}

/** `2027-01-31 12:00:05`. */
export function clockText(time: DateTime): string {
  return new Date(asUtc(time)).toISOString().slice(0, 19).replace('T', ' ');
}

/** The local time of this computer, as the interface writes a time. */
export function localTime(now: Date): DateTime {
  return {
    uiYear: now.getFullYear(),
    usiMonth: now.getMonth() + 1,
    usiDay: now.getDate(),
    usiHour: now.getHours(),
    usiMinute: now.getMinutes(),
    usiSec: now.getSeconds(),
    udiUSec: now.getMilliseconds() * 1000,
  };
}

function asUtc({ uiYear, usiMonth, usiDay, usiHour, usiMinute, usiSec, udiUSec }: DateTime): number {
  return Date.UTC(uiYear, usiMonth - 1, usiDay, usiHour, usiMinute, usiSec, udiUSec / 1000);
}

function localMs(now: Date, zone: string | undefined): number {
  if (zone === undefined) return asUtc(localTime(now));
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
  }).formatToParts(now);
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value);
  const whole = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  return whole + now.getMilliseconds();
}
