import { describe, expect, test } from 'vitest';
import { Debounced } from '../../src/inputs-and-outputs/port.js';

const never = Number.POSITIVE_INFINITY;

describe('a truth that has to last', () => {
  test('tells how long it still has to, and counts then', () => {
    const truth = new Debounced();
    expect(truth.follow(true, 100, 30)).toBe(30);
    expect([truth.follow(true, 112, 30), truth.value]).toEqual([18, false]);
    expect([truth.follow(true, 129.75, 30), truth.value]).toEqual([0.25, false]);
    truth.follow(true, 129.999, 30);
    expect(truth.value).toBe(false);
    expect([truth.follow(true, 130, 30), truth.value]).toEqual([never, true]);
  });

  test('counts within half a microsecond, so that the last bits of a clock book no timer', () => {
    const truth = new Debounced();
    // 0.1 + 0.2 - 0.3 is not 0.
    truth.follow(true, 0.1, 0.2);
    expect([truth.follow(true, 0.3, 0.2), truth.value]).toEqual([never, true]);
  });

  test('has nothing to wait for where it is what counts, or can never count', () => {
    const truth = new Debounced(true);
    expect(truth.follow(true, 0, 10)).toBe(never);
    expect(truth.follow(false, 0, never)).toBe(never);
    expect([truth.follow(false, 1e12, never), truth.value]).toEqual([never, true]);
  });

  test('counts at once without a delay', () => {
    const truth = new Debounced();
    truth.follow(true, 5, 0);
    expect(truth.value).toBe(true);
  });
});
