import { operatingData, status } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { Bench } from '../bench.js';
import { LogBook } from '../log-book.js';

const { temperatureAlarmConfiguration, temperatureAlarmStatus } = status.members;

/** A scanner whose temperature can be set, and every announcement of its alarm. */
async function warmable() {
  let celsius = 30;
  const bench = await Bench.open({ host: { log: new LogBook(), temperature: () => celsius } });
  const { device } = bench;
  const announced: boolean[] = [];
  device.announcements.subscribe((changed) => {
    if (changed.includes(temperatureAlarmStatus)) announced.push(device.read(temperatureAlarmStatus));
  });
  return {
    bench,
    device,
    announced,
    warmTo(to: number) {
      celsius = to;
      device.temperatureChanged();
      return device.read(temperatureAlarmStatus);
    },
  };
}

describe('the temperature alarm', () => {
  test('comes above the upper threshold, goes below the lower one, and stays as it was between', async () => {
    const { warmTo, announced } = await warmable();
    expect([30, 52, 55, 55.1, 52, 50, 49.9, 52].map((celsius) => warmTo(celsius))).toEqual([
      false,
      false,
      false,
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(announced).toEqual([true, false]);
  });

  test('follows new thresholds at once', async () => {
    const { device, warmTo } = await warmable();
    expect(warmTo(45)).toBe(false);
    const set = (upperThreshold: number, lowerThreshold: number) =>
      device.parameters.change((change) =>
        change.set(temperatureAlarmConfiguration, { upperThreshold, lowerThreshold }),
      );
    set(40, 35);
    expect(device.read(temperatureAlarmStatus)).toBe(true);
    set(60, 50);
    expect(device.read(temperatureAlarmStatus)).toBe(false);
  });

  test('does not flutter where the lower threshold lies above the upper one', async () => {
    const { device, warmTo, announced } = await warmable();
    device.parameters.change((change) =>
      change.set(temperatureAlarmConfiguration, { upperThreshold: 40, lowerThreshold: 60 }),
    );
    expect([41, 50, 41, 39].map((celsius) => warmTo(celsius))).toEqual([true, true, true, false]);
    expect(announced).toEqual([true, false]);
  });

  test('goes with the temperature that CurrentTempDev tells', async () => {
    const { device, warmTo } = await warmable();
    warmTo(61.25);
    expect(device.read(operatingData.members.CurrentTempDev)).toBe(61.25);
  });

  test('does not exist below 2.2.0', async () => {
    const { device } = await Bench.open({ release: '2.1.0' });
    expect(device.endpoints.has('temperatureAlarmStatus')).toBe(false);
    device.temperatureChanged();
  });
});
