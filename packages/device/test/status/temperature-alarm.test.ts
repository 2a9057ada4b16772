import { operatingData, status } from '@azimuth/model';
import { LogBook } from '@azimuth/test-support/log-book';
import { TestDevice } from '@azimuth/test-support/test-device';
import { describe, expect, test } from 'vitest';
import { Announcements } from '../../src/announcements.js';
import { Parameters } from '../../src/parameters/parameters.js';
import { TemperatureAlarm } from '../../src/status/status.js';

const { temperatureAlarmConfiguration, temperatureAlarmStatus } = status.members;

/** A scanner whose temperature can be set, and every announcement of its alarm. */
async function warmable() {
  let celsius = 30;
  const testDevice = await TestDevice.open({ hardware: { log: new LogBook(), temperature: () => celsius } });
  const { device } = testDevice;
  const announced: boolean[] = [];
  device.announcements.subscribe((changed) => {
    if (changed.includes(temperatureAlarmStatus)) announced.push(device.read(temperatureAlarmStatus));
  });
  return {
    testDevice,
    device,
    announced,
    warmTo(to: number) {
      celsius = to;
      device.features.temperatureAlarm.temperatureChanged();
      return device.read(temperatureAlarmStatus);
    },
  };
}

/** The alarm without a scanner around it. */
function alone() {
  let celsius = 30;
  const announcements = new Announcements();
  const parameters = new Parameters(announcements);
  const alarm = new TemperatureAlarm({
    parameters,
    hardware: { temperature: () => celsius },
    announcements,
  });
  parameters.boot(
    [temperatureAlarmConfiguration],
    ({ type }) => type.initial,
    {},
    (fault) => {
      throw fault;
    },
  );
  const announced: boolean[] = [];
  announcements.subscribe((changed) => {
    if (changed.includes(temperatureAlarmStatus)) announced.push(alarm.raised);
  });
  const warmTo = (to: number) => {
    celsius = to;
    alarm.update();
    return alarm.raised;
  };
  return { alarm, parameters, announced, warmTo };
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

  test('follows the temperature of CurrentTempDev', async () => {
    const { device, warmTo } = await warmable();
    warmTo(61.25);
    expect(device.read(operatingData.members.CurrentTempDev)).toBe(61.25);
  });

  test('does not exist below 2.2.0', async () => {
    const { device } = await TestDevice.open({ release: '2.1.0' });
    expect(device.served.endpoints.has('temperatureAlarmStatus')).toBe(false);
    device.features.temperatureAlarm.temperatureChanged();
  });

  test('is not raised by a boot between the thresholds, and is by one above them', () => {
    const { alarm, announced, warmTo } = alone();
    warmTo(56);
    warmTo(52);
    expect(alarm.raised).toBe(true);
    alarm.boot();
    expect(alarm.raised).toBe(false);
    warmTo(56);
    alarm.boot();
    expect([alarm.raised, announced]).toEqual([true, [true, false, true]]);
  });

  test('comes and goes where the thresholds are as near as they may be', () => {
    const { parameters, warmTo } = alone();
    parameters.change((change) =>
      change.set(temperatureAlarmConfiguration, { upperThreshold: 50, lowerThreshold: 49 }),
    );
    expect([50, 50.5, 49, 48.5].map((celsius) => warmTo(celsius))).toEqual([false, true, true, false]);
  });

  test('works at the ends of what thresholds can be', () => {
    const { parameters, warmTo } = alone();
    parameters.change((change) =>
      change.set(temperatureAlarmConfiguration, { upperThreshold: 127, lowerThreshold: -128 }),
    );
    expect([127, 127.5, -128, -128.5].map((celsius) => warmTo(celsius))).toEqual([false, true, true, false]);
  });

  test('does not change if the host has no temperature', () => {
    const { warmTo } = alone();
    expect([Number.NaN, 60, Number.NaN].map((celsius) => warmTo(celsius))).toEqual([false, true, true]);
  });

  test('is gone in a release that lacks it', () => {
    const { alarm, parameters, warmTo } = alone();
    warmTo(60);
    parameters.boot(
      [],
      ({ type }) => type.initial,
      {},
      () => undefined,
    );
    alarm.boot();
    expect([alarm.raised, warmTo(70)]).toEqual([false, false]);
  });
});
