import { describe, expect, test } from 'vitest';
import { TurnCount } from '../../src/measuring/turn-count.js';

/** 20 Hz: 50 000 µs a turn. */
function turning(): TurnCount {
  const turns = new TurnCount();
  turns.restart(20);
  return turns;
}

describe('the count of turns', () => {
  test('begins with the first one at zero', () => {
    expect(turning().known).toEqual({ number: 1, time: 0 });
  });

  test('knows when the next turn begins, however many nobody looked at', () => {
    const turns = turning();
    expect([0, 1, 49_999, 50_000, 1_020_000].map((now) => turns.nextAfter(now))).toEqual([
      50_000, 50_000, 50_000, 100_000, 1_050_000,
    ]);
    turns.changeRate(1_020_000, 50);
    expect([1_021_000, 1_060_000].map((now) => turns.nextAfter(now))).toEqual([1_050_000, 1_070_000]);
    expect(new TurnCount().nextAfter(7)).toBe(7);
  });

  test('lets the turn under way end before a change of the rate', () => {
    const turns = turning();
    turns.changeRate(120_000, 50);
    expect(turns.known).toEqual({ number: 4, time: 150_000 });
  });

  test('goes on from there at the new rate', () => {
    const turns = turning();
    turns.changeRate(120_000, 50);
    // Half a turn of 20 000 µs after the third one: the fourth of them is next.
    turns.changeRate(150_000 + 50_000, 20);
    expect(turns.known).toEqual({ number: 7, time: 210_000 });
  });

  test('has the same turn to come after a second change in one turn', () => {
    const turns = turning();
    turns.changeRate(120_000, 50);
    turns.changeRate(121_000, 15);
    turns.changeRate(122_000, 50);
    expect(turns.known).toEqual({ number: 4, time: 150_000 });
  });

  test('goes on from a turn that has begun, at the rate that it had', () => {
    const turns = turning();
    turns.began({ number: 100, time: 1_000_000 }, 40);
    turns.changeRate(1_030_000, 20);
    expect(turns.known).toEqual({ number: 102, time: 1_050_000 });
  });

  test('starts again now, with the next number', () => {
    const turns = turning();
    turns.start(120_000, 20);
    // The third turn was under way.
    expect(turns.known).toEqual({ number: 4, time: 120_000 });
  });

  test('does nothing before the first boot', () => {
    const turns = new TurnCount();
    turns.changeRate(1000, 50);
    expect(turns.known).toEqual({ number: 1, time: 0 });
  });
});
