import { VirtualClock } from '@azimuth/device';
import { describe, expect, test } from 'vitest';
import { CountingClock } from '../../device/test/inputs-and-outputs/odd-clocks.js';
import { TemperatureModel } from '../src/index.js';

const minute = 60_000;
const hour = 60 * minute;

function scanner(ambient?: number) {
  const clock = new VirtualClock();
  const told: [number, number][] = [];
  const model: TemperatureModel = new TemperatureModel(
    clock,
    () => told.push([clock.monotonic() / 1000, model.celsius]),
    ambient,
  );
  return { clock, model, told };
}

describe('the temperature inside a virtual scanner', () => {
  test('is that of its surroundings when power comes, and 10.5 °C above when it has measured for long', () => {
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
  ] as const)('is in the end by what it does: %s', (state, celsius) => {
    const { clock, model } = scanner();
    model.works(state);
    clock.advance(24 * hour);
    expect(model.celsius).toBe(celsius);
  });

  test('falls from where it is when the scanner goes to standby', () => {
    const { clock, model } = scanner();
    clock.advance(24 * hour);
    model.works('standby');
    expect(model.celsius).toBe(32.5);
    clock.advance(15 * minute);
    // 26 + 6.5 / e = 28.391
    expect(model.celsius).toBe(28.4);
    model.works('standby');
    clock.advance(15 * minute);
    // 26 + 6.5 / e² = 26.880
    expect(model.celsius).toBe(26.9);
  });

  test('goes with its surroundings', () => {
    const { clock, model } = scanner(-10);
    expect(model.celsius).toBe(-10);
    clock.advance(24 * hour);
    expect(model.celsius).toBe(0.5);
    model.surround(45);
    clock.advance(15 * minute);
    // 55.5 - 55 / e = 35.267
    expect(model.celsius).toBe(35.3);
  });

  test('stays where it is fixed, and goes on from there', () => {
    const { clock, model, told } = scanner();
    model.fix(61.25);
    clock.advance(24 * hour);
    expect(model.celsius).toBe(61.25);
    expect(told).toEqual([[0, 61.25]]);
    model.fix(undefined);
    clock.advance(15 * minute);
    // 32.5 + 28.75 / e = 43.077
    expect(model.celsius).toBe(43.1);
  });

  test('is not touched by letting it go where it was not fixed', () => {
    const { clock, model } = scanner();
    clock.advance(15 * minute);
    model.fix(undefined);
    expect(model.celsius).toBe(28.6);
  });

  test('is told every 10 s at most, and only where it is another one', () => {
    const { clock, told } = scanner();
    clock.advance(60_000);
    // 32.5 - 10.5 exp(-t / 900 s) after 10, 20 ... 60 s: 22.116, 22.231, 22.344, 22.456, 22.568, 22.677
    expect(told).toEqual([
      [10, 22.1],
      [20, 22.2],
      [30, 22.3],
      [40, 22.5],
      [50, 22.6],
      [60, 22.7],
    ]);
    told.length = 0;
    clock.advance(24 * hour);
    expect(told.at(-1)?.[1]).toBe(32.5);
    expect(new Set(told.map(([, celsius]) => celsius)).size).toBe(told.length);
  });

  test('is told though somebody says again and again what the scanner does', () => {
    const { clock, model, told } = scanner();
    for (let second = 0; second < 10; second += 1) {
      model.works('measuring');
      clock.advance(1000);
    }
    expect(told).toEqual([[10, 22.1]]);
  });

  test('is told to its last tenth', () => {
    const { clock, model, told } = scanner(22.04);
    model.works('standby');
    clock.advance(24 * hour);
    expect(told.at(-1)?.[1]).toBe(26);
    told.length = 0;
    // 26.08: it has arrived there before it goes.
    model.surround(22.08);
    clock.advance(10_000);
    expect(told.map(([, celsius]) => celsius)).toEqual([26.1]);
  });

  test.each([
    ['it has arrived', (_: TemperatureModel, clock: VirtualClock) => clock.advance(2 * hour)],
    ['it is fixed', (model: TemperatureModel) => model.fix(40)],
    ['it has ended', (model: TemperatureModel) => model.end()],
  ])('needs no timer when %s', (_, come) => {
    const clock = new CountingClock();
    const model = new TemperatureModel(clock, () => undefined);
    expect(clock.booked).toBe(1);
    come(model, clock);
    expect(clock.booked).toBe(0);
  });

  test('needs a timer again when the goal is another one', () => {
    const clock = new CountingClock();
    const model = new TemperatureModel(clock, () => undefined);
    clock.advance(2 * hour);
    model.works('standby');
    expect(clock.booked).toBe(1);
    model.fix(40);
    model.fix(undefined);
    expect(clock.booked).toBe(1);
  });
});
