import {
  contaminationIndication,
  measurementDataOutput,
  operatingData,
  status,
  type Variable,
} from '@azimuth/model';
import { LogBook } from '@azimuth/test-support/log-book';
import { atService, TestDevice } from '@azimuth/test-support/test-device';
import { promisesSettled } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';
import type { Hardware, SystemPlug } from '../../src/index.js';

const { temperatureAlarmConfiguration, temperatureAlarmStatus } = status.members;
const { EncSetting, EncResolution, ActualEncPosition1Enable } = measurementDataOutput.members;

/** A board with the documented interface alone, and what the scanner announces. */
async function board(hardware: Partial<Hardware>) {
  const testDevice = await TestDevice.open({
    hardware: { log: new LogBook(), temperature: () => 20, ...hardware },
  });
  const { device } = testDevice;
  const announced: string[] = [];
  const watched: readonly Variable<unknown>[] = [
    operatingData.members.CurrentTempDev,
    temperatureAlarmStatus,
  ];
  device.announcements.subscribe((changed) => {
    for (const variable of changed) if (watched.includes(variable)) announced.push(variable.name);
  });
  return { testDevice, device, clock: testDevice.clock, announced };
}

test('the temperature alarm follows `temperature` alone', async () => {
  let celsius = 20;
  const { device, clock, announced } = await board({ temperature: () => celsius });
  expect(device.read(temperatureAlarmConfiguration)).toMatchObject({
    upperThreshold: 55,
    lowerThreshold: 50,
  });
  const raisedAt = (temperature: number) => {
    celsius = temperature;
    clock.advance(1000);
    return device.read(temperatureAlarmStatus);
  };
  expect([55, 56, 52, 50, 49].map(raisedAt)).toEqual([false, true, true, true, false]);
  expect(announced).toEqual([
    'CurrentTempDev',
    'CurrentTempDev',
    'temperatureAlarmStatus',
    'CurrentTempDev',
    'CurrentTempDev',
    'CurrentTempDev',
    'temperatureAlarmStatus',
  ]);
});

test('the encoder ticks with `encoder.speed` alone', async () => {
  let speed = 0;
  const { device, clock } = await board({ encoder: { speed: () => speed } });
  device.write(EncSetting, 2, atService);
  device.write(EncResolution, 1, atService);
  const readings: { ticks: number; speed: number }[] = [];
  device.features.encoder.watch(({ ticks, speed }) => readings.push({ ticks, speed }));
  clock.advance(1000);
  expect(readings.at(-1)).toEqual({ ticks: 0, speed: 0 });
  speed = 500;
  clock.advance(1000);
  // It is polled 25 times a second: the first 40 ms may be missing.
  expect(readings.at(-1)).toEqual({ ticks: 480, speed: 500 });
  speed = -500;
  clock.advance(1000);
  expect(readings.at(-1)).toEqual({ ticks: 480 + 20 - 480, speed: -500 });
});

test('the encoder ticks without polls, and at reference signals', async () => {
  let speed = 0;
  const { device, clock } = await board({ encoder: { speed: () => speed } });
  device.write(EncSetting, 2, atService);
  device.write(EncResolution, 1, atService);
  device.write(ActualEncPosition1Enable, true, atService);
  speed = 1000;
  clock.advance(1000);
  clock.advance(9000);
  device.features.encoder.reference(1);
  expect(device.features.encoder.reading.references[0]).toBe(9000);
});

test('contamination is indicated with `contamination` alone', async () => {
  let levels: readonly number[] = [];
  const { device, clock } = await board({ contamination: () => levels });
  const { ContaminationConfig, ContaminationResult } = contaminationIndication.members;
  device.write(ContaminationConfig, { ...device.read(ContaminationConfig), eStrategy: 2 }, atService);
  levels = Array.from({ length: 12 }, () => 0.6);
  clock.advance(10_000);
  expect(device.read(ContaminationResult).bWarningActive).toBe(true);
  levels = [];
  clock.advance(10_000);
  expect(device.read(ContaminationResult).bWarningActive).toBe(false);
});

test('a system plug that is put in is used with `systemPlug` alone', async () => {
  let written = 0;
  const plug: SystemPlug = {
    name: 'a plug',
    read: async () => undefined,
    write: async () => {
      written += 1;
    },
    setAside: async () => 'old',
    release: async () => undefined,
  };
  let inserted: SystemPlug | undefined;
  const { device, clock } = await board({ systemPlug: () => inserted });
  const before = device.features.cloning.status;
  inserted = plug;
  clock.advance(1000);
  await promisesSettled();
  expect(device.features.cloning.status).not.toEqual(before);
  expect(written).toBe(0);
});

test('hardware that reports its changes is not polled', async () => {
  let calls = 0;
  const { clock } = await board({
    onChange: () => undefined,
    temperature: () => {
      calls += 1;
      return 20;
    },
  });
  calls = 0;
  clock.advance(60_000);
  expect(calls).toBe(0);
});

test('nothing is polled while time is skipped, or after the end', async () => {
  let calls = 0;
  const { device, clock } = await board({
    temperature: () => {
      calls += 1;
      return 20;
    },
  });
  calls = 0;
  device.lifecycle.skipTime(() => clock.advance(86_400_000));
  expect(calls).toBeLessThan(5);
  clock.advance(10_000);
  expect(calls).toBeGreaterThanOrEqual(9);
  await device.close();
  calls = 0;
  clock.advance(10_000);
  expect(calls).toBe(0);
});
