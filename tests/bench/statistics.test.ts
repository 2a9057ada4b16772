import { describe, expect, it } from 'vitest';
import { inRounds, median, ratio, spread } from '../../bench/src/statistics.js';

describe('statistics', () => {
  it('finds the middle of an odd number of values, in whatever order', () => {
    expect(median([9, 1, 5])).toBe(5);
  });

  it('takes the mean of the two in the middle of an even number', () => {
    expect(median([10, 1, 2, 4])).toBe(3);
  });

  it('has no median of nothing', () => {
    expect(() => median([])).toThrow('nothing');
  });

  it('tells median, least and most, and keeps the rounds in order', () => {
    expect(spread([3, 1, 2])).toEqual({ median: 2, min: 1, max: 3, values: [3, 1, 2] });
  });

  it('forms a ratio in each round: a slow round of both leaves it as it is', () => {
    expect(ratio([100, 10, 90], [200, 20, 100])).toEqual({
      median: 0.5,
      min: 0.5,
      max: 0.9,
      values: [0.5, 0.5, 0.9],
    });
  });

  it('compares the same number of rounds only', () => {
    expect(() => ratio([1, 2], [1])).toThrow('2 rounds against 1');
  });
});

describe('rounds', () => {
  it('let another subject be first each time', async () => {
    const order: string[] = [];
    await inRounds(['a', 'b', 'c'], 4, async (subject, round) => {
      order.push(`${round}${subject}`);
    });
    expect(order).toEqual(['0a', '0b', '0c', '1b', '1c', '1a', '2c', '2a', '2b', '3a', '3b', '3c']);
  });
});
