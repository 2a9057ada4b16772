import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ClockMapping } from '../src/clock-mapping.js';

/** Exchanges pings with a core whose clock is the scanner's times `rate`, plus an offset. */
function exchange(
  mapping: ClockMapping,
  {
    from = 0,
    seconds,
    rate = 1,
    offset = 0,
    delay,
  }: {
    from?: number;
    seconds: number;
    rate?: number;
    offset?: number;
    /** ms on the way to the core, and back. */
    delay: (ping: number) => readonly [number, number];
  },
): void {
  for (let ping = 0; ping < seconds; ping += 1) {
    const sent = from + 1000 * ping;
    const [there, back] = delay(ping);
    const time = BigInt(Math.round(((sent + there) * rate + offset) * 1e6));
    mapping.add(sent, time, sent + there + back);
  }
}

describe('the clock of a core', () => {
  test('is unknown before the first ping', () => {
    const mapping = new ClockMapping();
    expect(mapping.isKnown).toBe(false);
    expect(mapping.error).toBe(Number.POSITIVE_INFINITY);
  });

  test('is mapped by the exchange with the shortest round trip, and its error is half of that', () => {
    const mapping = new ClockMapping();
    exchange(mapping, { seconds: 8, offset: 5e9, delay: (ping) => (ping === 3 ? [0.01, 0.03] : [0.1, 4]) });
    const mapped = mapping.scannerTime(BigInt(5e15 + 3e9));
    expect(Math.abs(mapped - 3000)).toBeLessThanOrEqual(0.02);
    expect(mapping.error).toBeGreaterThanOrEqual(0.02);
    expect(mapping.error).toBeLessThan(0.5);
  });

  test.each([-300, -40, 80, 300])('that is %d ppm slower is followed', (ppm) => {
    const mapping = new ClockMapping();
    exchange(mapping, { seconds: 90, rate: 1 - ppm * 1e-6, delay: () => [0.05, 0.05] });
    expect(mapping.drift * 1e6).toBeCloseTo(ppm, 0);
    const later = 92_000;
    const mapped = mapping.scannerTime(BigInt(Math.round(later * (1 - ppm * 1e-6) * 1e6)));
    expect(Math.abs(mapped - later)).toBeLessThan(0.06);
  });

  test('is mapped within the stated error, whatever the delays', () => {
    fc.assert(
      fc.property(
        fc
          .array(fc.tuple(fc.double({ min: 0, max: 5 }), fc.double({ min: 0, max: 5 })), {
            minLength: 40,
            maxLength: 60,
          })
          .filter((delays) => delays.flat().every(Number.isFinite)),
        fc.integer({ min: -50, max: 50 }),
        (delays, ppm) => {
          const mapping = new ClockMapping();
          const rate = 1 + ppm * 1e-6;
          exchange(mapping, {
            seconds: delays.length,
            rate,
            offset: 1e6,
            delay: (ping) => delays[ping] ?? [0, 0],
          });
          const now = 1000 * (delays.length - 1);
          const mapped = mapping.scannerTime(BigInt(Math.round((now * rate + 1e6) * 1e6)));
          expect(Math.abs(mapped - now)).toBeLessThanOrEqual(mapping.error + 0.001);
        },
      ),
    );
  });

  test('and its inverse agree', () => {
    const mapping = new ClockMapping();
    exchange(mapping, { seconds: 60, rate: 1.0002, offset: 123_456_789, delay: () => [0.1, 0.1] });
    for (const time of [-5000, 0, 59_000, 100_000])
      expect(mapping.scannerTime(mapping.coreTime(time))).toBeCloseTo(time, 2);
  });

  test('that is set is mapped anew at once, even if it was known better before', () => {
    const mapping = new ClockMapping();
    exchange(mapping, { seconds: 20, delay: () => [0.01, 0.01] });
    expect(mapping.add(20_000, BigInt(26_000e6), 20_000.4)).toBe(false);
    expect(mapping.scannerTime(BigInt(26_000e6))).toBeCloseTo(20_000.2, 3);
    expect(mapping.add(21_000, BigInt(27_000e6), 21_000.4)).toBe(true);
  });

  test('is exact to a microsecond after years', () => {
    const mapping = new ClockMapping();
    const years = 10n * 365n * 86_400n * 1_000_000_000n;
    mapping.add(1000, years, 1000.1);
    expect(mapping.scannerTime(years + 2_500_000n)).toBeCloseTo(1002.55, 3);
  });
});
