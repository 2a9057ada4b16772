import { signal } from '@preact/signals';
import { describe, expect, test } from 'vitest';
import { mostSamples, Trend, temperatureTrend } from '../../src/overview/trend.js';

describe('a trend', () => {
  test('keeps each value with its time', () => {
    let now = 100;
    const trend = new Trend(() => now);
    trend.add(20);
    now = 160;
    trend.add(21);
    expect(trend.samples.value).toEqual([
      { at: 100, value: 20 },
      { at: 160, value: 21 },
    ]);
  });

  test('thins out its older half when it is full, and keeps first and last', () => {
    const trend = new Trend(() => 0);
    for (let value = 0; value <= mostSamples; value++) trend.add(value);
    const values = trend.samples.value.map(({ value }) => value);
    expect(values.length).toBeLessThan(mostSamples);
    expect(values[0]).toBe(0);
    expect(values.slice(-3)).toEqual([mostSamples - 2, mostSamples - 1, mostSamples]);
  });

  test('follows the temperature from the first time that it is asked for', () => {
    const temperature = signal<unknown>(undefined);
    const source = { value: () => temperature.value };
    const trend = temperatureTrend(source);
    temperature.value = 30;
    temperature.value = 31;
    expect(trend.samples.value.map(({ value }) => value)).toEqual([30, 31]);
    expect(temperatureTrend(source)).toBe(trend);
  });
});
