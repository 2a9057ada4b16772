import { LogBook } from '@azimuth/test-support/log-book';
import { describe, expect, test } from 'vitest';
import { TelegramTime, type TelegramUtc } from '../../src/measuring/telegram-time.js';
import { Scan } from '../../src/scan/scan.js';
import { halfTurn } from '../field-evaluation/scripted-core.js';

const utc = 1_800_000_000_000_000;

/** UTC that is so many µs ahead of the time since the scanner came up. */
function ahead(microseconds: number): TelegramUtc {
  return { at: 0, ahead: microseconds, rate: 0, isSlewed: false };
}

describe('the time of telegrams', () => {
  test('has one error in all telegrams of a scan, also if a fault begins or ends in the middle', () => {
    const time = new TelegramTime(new LogBook());
    const faults = { clockError: () => 70, scanError: () => 5000, corrected() {}, boot() {} };
    const scanAt = (number: number) => Object.assign(new Scan(halfTurn), { number, time: number * 66_667 });
    const right = { offset: 0, error: 0, scanError: 0 };
    const wrong = { offset: 70, error: 70, scanError: 5000 };
    expect(time.stampsOf(scanAt(1))).toEqual(right);
    time.disturb(faults);
    expect([time.stampsOf(scanAt(1)), time.stampsOf(scanAt(2))]).toEqual([right, wrong]);
    time.disturb(undefined);
    expect([time.stampsOf(scanAt(2)), time.stampsOf(scanAt(3))]).toEqual([wrong, right]);
    // After a boot, numbers begin again.
    time.disturb(faults);
    time.boot();
    expect(time.stampsOf(scanAt(3))).toEqual(wrong);
  });

  test('is another one from the moment on that was named, for what was measured before and comes late, too', () => {
    const time = new TelegramTime(new LogBook());
    time.follow(ahead(utc), 200_000);
    time.follow(ahead(utc + 50), 400_000);
    time.follow(undefined, 600_000);
    const offsets = [199_999, 200_000, 399_999, 400_000, 599_999, 600_000, 9e9].map((at) =>
      time.offsetAt(at),
    );
    expect(offsets).toEqual([0, utc, utc, utc + 50, utc + 50, 0, 0]);
  });

  test('is the last value, if it was set twice in one revolution', () => {
    const log = new LogBook();
    const time = new TelegramTime(log);
    time.follow(ahead(utc), 200_000);
    time.follow(undefined, 200_000);
    expect([time.offsetAt(199_999), time.offsetAt(200_000)]).toEqual([0, 0]);
    expect(log.lines).toHaveLength(2);
  });

  test('is logged when it changes, in whole µs', () => {
    const log = new LogBook();
    const time = new TelegramTime(log);
    time.follow(undefined, 1000);
    time.follow(ahead(utc + 0.25), 2000);
    time.follow(ahead(utc - 0.25), 3000);
    time.follow(ahead(utc - 1500.25), 4000);
    expect(log.lines.map(({ message, facts }) => [message, facts])).toEqual([
      ['From the next scan on, times in telegrams are µs since 1970-01-01 UTC', {}],
      ['From the next scan on, times in telegrams are corrected', { correction: -1.5 }],
    ]);
    expect(time.offsetAt(3000)).toBe(utc);
  });

  test('does not wait where no scan comes, and begins anew with a boot', () => {
    const time = new TelegramTime(new LogBook());
    time.follow(ahead(utc), 200_000);
    time.noScan(150_000);
    time.noScan(180_000);
    expect([time.offsetAt(149_999), time.offsetAt(150_000)]).toEqual([0, utc]);
    time.boot();
    expect(time.offsetAt(150_000)).toBe(0);
  });

  test('remembers a few changes, however many there were', () => {
    const time = new TelegramTime(new LogBook());
    for (let change = 1; change <= 1000; change++) time.follow(ahead(utc + change), change * 1000);
    expect(time.offsetAt(1_000_000)).toBe(utc + 1000);
    expect(time.offsetAt(997_500)).toBe(utc + 997);
  });

  test('follows a clock that is steered, without steps, and the log does not tell it', () => {
    const log = new LogBook();
    const time = new TelegramTime(log);
    time.follow({ at: 100_000, ahead: utc, rate: 0, isSlewed: false }, 200_000);
    const slewed = { at: 1_200_000, ahead: utc, rate: 1e-4, isSlewed: true };
    time.follow(slewed, 1_200_000);
    time.follow({ ...slewed, at: 2_200_000, ahead: utc + 100, rate: -1e-4 }, 2_300_000);
    const offsets = [1_199_999, 1_200_000, 1_700_000, 2_200_000, 2_300_000, 2_400_000].map(
      (at) => time.offsetAt(at) - utc,
    );
    expect(offsets).toEqual([0, 0, 50, 100, 90, 80]);
    expect(log.lines).toHaveLength(1);
  });
});
