import { measurementDataOutput } from '@azimuth/model';
import { LogBook } from '@azimuth/test-support/log-book';
import { atService, TestDevice } from '@azimuth/test-support/test-device';
import { until } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';
import { VirtualHardware } from '../../src/virtual-hardware.js';
import { SceneCore, type SceneFile } from '../../src/world/index.js';
import { sceneOf } from '../scene/measured-scene.js';

const { EncSetting, EncResolution } = measurementDataOutput.members;
const off = 0;
const increment = 1;
const phase = 2;

/** 1 m/s for 10 s along x, then as `repeat` says. A body with headings goes back backwards. */
function drives(repeat: 'stop' | 'loop' | 'back-and-forth', heading?: number): SceneFile {
  const waypoints = [
    { t: 0, x: 0, y: 0, heading },
    { t: 10, x: 10, y: 0, heading },
  ];
  return { scanner: { x: 0.4, heading: 30, path: { waypoints, repeat } } };
}

/** A scanner that measures nothing, with an encoder of 1 mm a tick. */
async function onVehicle(file: SceneFile, { late = false, mode = phase } = {}) {
  const hardware = new VirtualHardware(new LogBook());
  const core = new SceneCore({ scene: sceneOf(file), seed: 1 });
  const testDevice = await TestDevice.open({ hardware, core: late ? async () => core : core });
  const { device, clock } = testDevice;
  core.world.begin(clock, clock.monotonic());
  device.write(EncResolution, 1, atService);
  device.write(EncSetting, mode, atService);
  const { encoder } = device.features;
  return { hardware, core, device, clock, encoder };
}

test('the encoder of a vehicle counts the way of its path, while nothing is measured', async () => {
  const { clock, encoder, device } = await onVehicle(drives('stop'));
  expect(encoder.reading).toMatchObject({ ticks: 0 });
  clock.advance(2500);
  expect(device.features.measuring.core).toBeDefined();
  expect(encoder.reading).toMatchObject({ ticks: 2500, speed: 1000, time: 2_500_000 });
  clock.advance(60_000);
  expect(encoder.reading).toMatchObject({ ticks: 10_000, speed: 0 });
});

test.each([
  ['a loop: the jump is no way', drives('loop'), phase, 12_500, 1000],
  ['there and back, turned round: forwards', drives('back-and-forth'), phase, 12_500, 1000],
  ['there and back, backwards', drives('back-and-forth', 0), phase, 7500, -1000],
  ['there and back, backwards, with a single signal', drives('back-and-forth', 0), increment, 12_500, 1000],
  ['always backwards', drives('stop', 180), phase, 2 ** 32 - 10_000, 0],
])('it counts %s', async (_, file, mode, ticks, speed) => {
  const { clock, encoder } = await onVehicle(file, { mode });
  for (let second = 0; second < 12; second++) {
    clock.advance(1000);
    expect(encoder.reading.frame).toBe(0);
  }
  clock.advance(500);
  expect(encoder.reading).toMatchObject({ ticks, speed });
});

test('each reading has the ticks of its own time, with a finer resolution from then on', async () => {
  const { clock, encoder, device } = await onVehicle(drives('stop'));
  const readings: (readonly [number, number])[] = [];
  encoder.watch(({ ticks, time }) => readings.push([ticks, time]));
  clock.advance(200);
  expect(readings).toEqual([40, 80, 120, 160, 200].map((ms) => [ms, 1000 * ms]));
  device.write(EncResolution, 0.1, atService);
  clock.advance(40);
  expect(readings.at(-1)).toEqual([200 + 400, 240_000]);
});

test('the way counts from the moment at which the encoder is on, also if the core is made later', async () => {
  const { clock, encoder, device } = await onVehicle(drives('stop'), { late: true });
  clock.advance(1000);
  expect(encoder.reading.ticks).toBe(0);
  expect(device.features.measuring.core).toBeUndefined();
  encoder.watch(() => undefined);
  await until(() => device.features.measuring.core !== undefined);
  expect(encoder.reading.ticks).toBe(1000);
  device.write(EncSetting, off, atService);
  clock.advance(1000);
  device.write(EncSetting, phase, atService);
  expect(encoder.reading.ticks).toBe(1000);
  clock.advance(500);
  expect(encoder.reading.ticks).toBe(1500);
});

test('a speed that is set counts in place of the way, until it is automatic again', async () => {
  const { clock, encoder, hardware } = await onVehicle(drives('stop'));
  clock.advance(1000);
  hardware.setEncoderSpeed(-200);
  clock.advance(1000);
  expect(encoder.reading).toMatchObject({ ticks: 800, speed: -200 });
  hardware.setEncoderSpeed(0);
  clock.advance(1000);
  hardware.setEncoderSpeed(undefined);
  expect(encoder.reading).toMatchObject({ ticks: 800, speed: 1000 });
  clock.advance(1000);
  expect(encoder.reading).toMatchObject({ ticks: 1800, speed: 1000 });
});

test('another scene continues the ticks, and a boot resets them', async () => {
  const { clock, encoder, core, device } = await onVehicle(drives('stop'));
  clock.advance(1000);
  core.replace(sceneOf(drives('stop', 180)));
  expect(encoder.reading.ticks).toBe(1000);
  clock.advance(500);
  expect(encoder.reading.ticks).toBe(500);
  device.features.encoder.reset();
  expect(encoder.reading.ticks).toBe(0);
});

test('without a vehicle the encoder stands still', async () => {
  const { clock, encoder } = await onVehicle({});
  clock.advance(5000);
  expect(encoder.reading).toMatchObject({ ticks: 0, speed: 0 });
});
