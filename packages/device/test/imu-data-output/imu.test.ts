import { imuDataOutput } from '@azimuth/model';
import { LateClock } from '@azimuth/test-support/clocks';
import { FlatCore } from '@azimuth/test-support/flat-core';
import { TestDevice } from '@azimuth/test-support/test-device';
import { expect, test } from 'vitest';
import type { ImuReading } from '../../src/network-interface.js';

const { InertialMeasurementUnit } = imuDataOutput.members;

test('a scanner at rest feels gravity alone', async () => {
  const { device, clock } = await TestDevice.open({ core: new FlatCore() });
  clock.advance(1234.5678);
  expect(device.read(InertialMeasurementUnit)).toEqual({
    Acceleration: [0, 0, 9.81],
    AngularVelocity: [0, 0, 0],
    Orientation: [1, 0, 0, 0],
    TimeStamp: 1_234_568,
  });
});

test('the motion of the core is read, and passed to listeners a hundred times a second', async () => {
  const core = new FlatCore();
  core.turning = {
    acceleration: [0.5, 0, 9.81],
    angularVelocity: [0, 0, 0.1],
    orientation: [0.6, 0, 0, 0.8],
  };
  const { device, clock } = await TestDevice.open({ core });
  expect(device.read(InertialMeasurementUnit)).toMatchObject({
    Acceleration: [0.5, 0, 9.81],
    AngularVelocity: [0, 0, 0.1],
    Orientation: [0.6, 0, 0, 0.8],
  });
  const readings: ImuReading[] = [];
  device.features.imu.watch((reading) => readings.push(reading));
  clock.advance(1000);
  expect(readings).toHaveLength(100);
  expect(readings[99]).toEqual({ motion: core.turning, time: 1_000_000 });
});

test('readings are ten milliseconds apart by the clock of the scanner, however late its timers are', async () => {
  const { device, clock } = await TestDevice.open({}, undefined, new LateClock());
  const times: number[] = [];
  device.features.imu.watch(({ time }) => times.push(time));
  clock.advance(200);
  expect(times.length).toBeGreaterThan(5);
  expect(times).toEqual(times.map((_, index) => (index + 1) * 10_000));
});
