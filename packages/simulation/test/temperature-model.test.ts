import { VirtualClock } from '@azimuth/device';
import { CountingClock } from '@azimuth/test-support/clocks';
import { describe, expect, test } from 'vitest';
import { TemperatureModel } from '../src/index.js';

const minute = 60_000;
const hour = 60 * minute;

function scanner(ambient?: number) {
  const clock = new VirtualClock();
  const reported: [number, number][] = [];
  const model: TemperatureModel = new TemperatureModel(
    clock,
    () => reported.push([clock.monotonic() / 1000, model.celsius]),
    ambient,
  );
  return { clock, model, reported };
}

describe('the temperature inside a virtual scanner', () => {
  test('is ambient at power-on, and 10.5 °C above after measuring for long', () => {
    const { clock, model } = scanner();
    const after = [0, 15, 15, 30, 24 * 60].map((minutes) => {
      clock.advance(minutes * minute);
      return model.celsius;
    });
    // 32.5 - 10.5 / e = 28.637, - 10.5 / e² = 31.079, - 10.5 / e⁴ = 32.308
    expect(after).toEqual([22, 28.6, 31.1, 32.3, 32.5]);
  });

  test.each([
    ['measuring', 32.5],
    ['stopped', 30],
    ['standby', 26],
  ] as const)('ends at a value that depends on the state: %s', (state, celsius) => {
    const { clock, model } = scanner();
    model.setState(state);
    clock.advance(24 * hour);
    expect(model.celsius).toBe(celsius);
  });

  test('falls from where it is when the scanner goes to standby', () => {
    const { clock, model } = scanner();
    clock.advance(24 * hour);
    model.setState('standby');
    expect(model.celsius).toBe(32.5);
    clock.advance(15 * minute);
    // 26 + 6.5 / e = 28.391
    expect(model.celsius).toBe(28.4);
    model.setState('standby');
    clock.advance(15 * minute);
    // 26 + 6.5 / e² = 26.880
    expect(model.celsius).toBe(26.9);
  });

  test('starts at the ambient temperature', () => {
    const { clock, model } = scanner(-10);
    expect(model.celsius).toBe(-10);
    clock.advance(24 * hour);
    expect(model.celsius).toBe(0.5);
  });

  test('stays where it is fixed, and changes from there', () => {
    const { clock, model, reported } = scanner();
    model.fix(61.25);
    clock.advance(24 * hour);
    expect(model.celsius).toBe(61.25);
    expect(reported).toEqual([[0, 61.25]]);
    model.fix(undefined);
    clock.advance(15 * minute);
    // 32.5 + 28.75 / e = 43.077
    expect(model.celsius).toBe(43.1);
  });

  test('is not changed by releasing it if it was not fixed', () => {
    const { clock, model } = scanner();
    clock.advance(15 * minute);
    model.fix(undefined);
    expect(model.celsius).toBe(28.6);
  });

  test('is reported every 10 s at most, and only if it has changed', () => {
    const { clock, reported } = scanner();
    clock.advance(60_000);
    // 32.5 - 10.5 exp(-t / 900 s) after 10, 20 ... 60 s: 22.116, 22.231, 22.344, 22.456, 22.568, 22.677
    expect(reported).toEqual([
      [10, 22.1],
      [20, 22.2],
      [30, 22.3],
      [40, 22.5],
      [50, 22.6],
      [60, 22.7],
    ]);
    reported.length = 0;
    clock.advance(24 * hour);
    expect(reported.at(-1)?.[1]).toBe(32.5);
    expect(new Set(reported.map(([, celsius]) => celsius)).size).toBe(reported.length);
  });

  test('is reported although the same state is set again and again', () => {
    const { clock, model, reported } = scanner();
    for (let second = 0; second < 10; second += 1) {
      model.setState('measuring');
      clock.advance(1000);
    }
    expect(reported).toEqual([[10, 22.1]]);
  });

  test('is reported to its last tenth', () => {
    const { clock, model, reported } = scanner(22.04);
    model.setState('standby');
    clock.advance(24 * hour);
    expect(reported.at(-1)?.[1]).toBe(26);
  });

  test.each([
    [
      'the final temperature is reached',
      (_: TemperatureModel, clock: VirtualClock) => clock.advance(2 * hour),
    ],
    ['it is fixed', (model: TemperatureModel) => model.fix(40)],
    ['it has ended', (model: TemperatureModel) => model.end()],
  ])('needs no timer when %s', (_, come) => {
    const clock = new CountingClock();
    const model = new TemperatureModel(clock, () => undefined);
    expect(clock.pending).toBe(1);
    come(model, clock);
    expect(clock.pending).toBe(0);
  });

  test('needs a timer again when the final temperature changes', () => {
    const clock = new CountingClock();
    const model = new TemperatureModel(clock, () => undefined);
    clock.advance(2 * hour);
    model.setState('standby');
    expect(clock.pending).toBe(1);
    model.fix(40);
    model.fix(undefined);
    expect(clock.pending).toBe(1);
  });
});
