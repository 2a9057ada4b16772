import { describe, expect, test } from 'vitest';
import { geometryOf, type MeasuringOrder, RevolutionTimer, VirtualClock } from '../../src/index.js';
import { RevolutionCount } from '../../src/measuring/revolutions.js';

interface Turn {
  readonly number: number;
  readonly time: number;
  /** Time of the call in µs. */
  readonly at: number;
}

/** A mirror at 20 Hz on virtual time. */
function rotating(origin = { number: 1, time: 0 }, clock = new VirtualClock()) {
  const now = () => clock.monotonic() * 1000;
  const order: MeasuringOrder = {
    geometry: geometryOf({ frequency: 2000, resolution: 2500 }),
    sensitivity: 1,
    longRange: false,
    origin,
    now,
    bootedAt: 0,
    clock,
  };
  const turns: Turn[] = [];
  const timer = new RevolutionTimer(order, (number, time) => turns.push({ number, time, at: now() }));
  return { clock, turns, timer };
}

describe('the turning mirror', () => {
  test('begins with the turn of the origin, and turns evenly', () => {
    const { clock, turns } = rotating();
    clock.advance(120);
    expect(turns).toEqual([
      { number: 1, time: 0, at: 0 },
      { number: 2, time: 50_000, at: 50_000 },
      { number: 3, time: 100_000, at: 100_000 },
    ]);
  });

  test('continues as if it had turned since the origin', () => {
    const clock = new VirtualClock();
    clock.advance(1030);
    const { turns } = rotating({ number: 7, time: 0 }, clock);
    clock.advance(100);
    // 1030 ms are 20.6 turns: the one that begins next is the 21st after number 7.
    expect(turns.map(({ number, time }) => [number, time])).toEqual([
      [28, 1_050_000],
      [29, 1_100_000],
    ]);
  });

  test('begins with the turn of the origin if the clock has its zero in the µs before', () => {
    const clock = new VirtualClock();
    clock.advance(0.0009);
    const { turns } = rotating({ number: 1, time: 0 }, clock);
    clock.advance(60);
    expect(turns).toMatchObject([
      { number: 1, time: 0 },
      { number: 2, time: 50_000 },
    ]);
  });

  test('waits for an origin that is still to come', () => {
    const { clock, turns } = rotating({ number: 5, time: 30_000 });
    clock.advance(29.9);
    expect(turns).toEqual([]);
    clock.advance(0.1);
    expect(turns).toMatchObject([{ number: 5, time: 30_000 }]);
  });

  test('drifts nowhere in a day', () => {
    const clock = new VirtualClock();
    const order = {
      geometry: geometryOf({ frequency: 1500, resolution: 3333 }),
      sensitivity: 1 as const,
      longRange: false,
      origin: { number: 1, time: 0 },
      now: () => clock.monotonic() * 1000,
      bootedAt: 0,
      clock,
    };
    let last = { number: 0, time: 0 };
    let count = 0;
    new RevolutionTimer(order, (number, time) => {
      last = { number, time };
      count += 1;
    });
    clock.advance(24 * 3_600_000 - 1);
    // 15 turns a second for 86 400 s, the first at zero.
    expect(count).toBe(1_296_000);
    expect(last.number).toBe(1_296_000);
    expect(last.time).toBeCloseTo(86_400_000_000 - 1_000_000 / 15, 3);
  });

  test('measures late turns one after the other, and leaves out what is later than three', () => {
    // A clock whose process was paused: due callbacks run when it continues.
    const clock = new VirtualClock();
    let behind = 0;
    const slow = {
      monotonic: () => clock.monotonic() + behind,
      utc: () => clock.utc(),
      localOffset: () => 0,
      after: (milliseconds: number, callback: () => void) => clock.after(milliseconds, callback),
      catchUp: () => undefined,
    };
    const turns: number[] = [];
    const order = {
      geometry: geometryOf({ frequency: 2000, resolution: 2500 }),
      sensitivity: 1 as const,
      longRange: false,
      origin: { number: 1, time: 0 },
      now: () => slow.monotonic() * 1000,
      bootedAt: 0,
      clock: slow,
    };
    new RevolutionTimer(order, (number) => turns.push(number));
    clock.advance(0);
    behind = 120;
    clock.advance(50);
    // 170 ms have passed: the turn of 50 ms is 2.4 turns late, and comes, as do those of 100 and 150 ms.
    expect(turns).toEqual([1, 2, 3, 4]);
    behind += 500;
    clock.advance(50);
    // The turn of 200 ms is ten turns late at 700 ms. It is measured, then the one that begins now, and the next.
    clock.advance(50);
    expect(turns).toEqual([1, 2, 3, 4, 5, 15, 16]);
  });

  test('ends at once', () => {
    const { clock, turns, timer } = rotating();
    clock.advance(60);
    timer.end();
    clock.advance(1000);
    expect(turns).toHaveLength(2);
  });
});

/** 20 Hz: 50 000 µs a turn. */
function turning(): RevolutionCount {
  const turns = new RevolutionCount();
  turns.restart(20);
  return turns;
}

describe('the count of turns', () => {
  test('begins with the first one at zero', () => {
    expect(turning().known).toEqual({ number: 1, time: 0 });
  });

  test('knows when the next revolution begins, even if none was used for long', () => {
    const turns = turning();
    expect([0, 1, 49_999, 50_000, 1_020_000].map((now) => turns.nextAfter(now))).toEqual([
      50_000, 50_000, 50_000, 100_000, 1_050_000,
    ]);
    turns.changeFrequency(1_020_000, 50);
    expect([1_021_000, 1_060_000].map((now) => turns.nextAfter(now))).toEqual([1_050_000, 1_070_000]);
    expect(new RevolutionCount().nextAfter(7)).toBe(7);
  });

  test('lets the turn under way end before a change of the rate', () => {
    const turns = turning();
    turns.changeFrequency(120_000, 50);
    expect(turns.known).toEqual({ number: 4, time: 150_000 });
  });

  test('continues from there at the new rate', () => {
    const turns = turning();
    turns.changeFrequency(120_000, 50);
    // Half a turn of 20 000 µs after the third one: the fourth of them is next.
    turns.changeFrequency(150_000 + 50_000, 20);
    expect(turns.known).toEqual({ number: 7, time: 210_000 });
  });

  test('has the same turn to come after a second change in one turn', () => {
    const turns = turning();
    turns.changeFrequency(120_000, 50);
    turns.changeFrequency(121_000, 15);
    turns.changeFrequency(122_000, 50);
    expect(turns.known).toEqual({ number: 4, time: 150_000 });
  });

  test('goes on from a turn that has begun, at the rate that it had', () => {
    const turns = turning();
    turns.began({ number: 100, time: 1_000_000 }, 40);
    turns.changeFrequency(1_030_000, 20);
    expect(turns.known).toEqual({ number: 102, time: 1_050_000 });
  });

  test('starts again now, with the next number', () => {
    const turns = turning();
    turns.start(120_000, 20);
    // The third turn was under way.
    expect(turns.known).toEqual({ number: 4, time: 120_000 });
  });

  test('does nothing before the first boot', () => {
    const turns = new RevolutionCount();
    turns.changeFrequency(1000, 50);
    expect(turns.known).toEqual({ number: 1, time: 0 });
  });
});
