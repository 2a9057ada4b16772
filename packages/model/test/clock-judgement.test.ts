import { describe, expect, test } from 'vitest';
import { type ClockReading, compareClock, localTime, TimeRole, TimeZone } from '../src/index.js';

/** 12:00:00 in Berlin. */
const now = new Date(Date.UTC(2027, 0, 31, 11, 0, 0));
const noon = { uiYear: 2027, usiMonth: 1, usiDay: 31, usiHour: 12, usiMinute: 0, usiSec: 0, udiUSec: 0 };
const berlin = { device: noon, now, role: TimeRole.TX_CLIENT, zone: TimeZone.AMSTERDAM_BERLIN_ROM };

describe('a clock', () => {
  test.each([
    ['that is synchronised', { synchronised: true }],
    ['that follows a server and does not tell whether', { synchronised: undefined }],
  ])('%s is compared with the time in its zone', (_, more) => {
    expect(compareClock({ ...berlin, ...more })).toEqual({
      aheadMs: 0,
      verdict: 'right',
      zone: 'Europe/Berlin',
    });
  });

  test.each([
    ['that is not synchronised', { synchronised: false }],
    ['that nothing sets', { role: TimeRole.TX_NONE, synchronised: undefined }],
    ['of which only the time is known', { role: undefined, zone: undefined, synchronised: undefined }],
  ])('%s is compared with the local time of this computer, whatever its zone', (_, more) => {
    const reading: ClockReading = { ...berlin, device: localTime(now), ...more };
    expect(compareClock(reading)).toEqual({ aheadMs: 0, verdict: 'right', zone: undefined });
  });

  const off = (seconds: number) => {
    const device = localTime(new Date(now.getTime() + seconds * 1000));
    return compareClock({ device, now, role: 0, zone: undefined, synchronised: false }).verdict;
  };
  test.each([
    [5, 'right'],
    [-5, 'right'],
    [6, 'wrong'],
    [900, 'other zone'],
    [-897, 'other zone'],
    [-7203, 'other zone'],
    [7220, 'wrong'],
    [27 * 3600, 'wrong'],
  ])('that is %i s ahead is %s', (seconds, verdict) => {
    expect(off(seconds)).toBe(verdict);
  });
});
