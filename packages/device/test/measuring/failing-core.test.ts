import { DeviceStatus, status } from '@azimuth/model';
import { FlatCore } from '@azimuth/test-support/flat-core';
import { TestDevice } from '@azimuth/test-support/test-device';
import { promisesSettled } from '@azimuth/test-support/waiting';
import { describe, expect, test } from 'vitest';
import type { MeasuringOrder, Scan } from '../../src/index.js';

const inCallback = 'The measuring core fails in a callback';

/** A core that does something of its own at the clock that it is given, every 20 ms. */
class BusyCore extends FlatCore {
  act: () => void | Promise<void> = () => undefined;
  acts = 0;

  override start(order: MeasuringOrder, measured: (scan: Scan) => void): void {
    super.start(order, measured);
    const book = () =>
      void order.clock.after(20, () => {
        book();
        this.acts += 1;
        return this.act();
      });
    book();
  }
}

async function watched<C extends FlatCore>(core: C) {
  const testDevice = await TestDevice.open({ core });
  const frames: number[] = [];
  testDevice.device.features.measuring.watch({ scan: ({ number }) => frames.push(number) });
  return {
    ...testDevice,
    testDevice,
    core,
    frames,
    deviceStatus: () => testDevice.device.read(status.members.DeviceStatus),
    errors: () => testDevice.log.errors.map(({ message }) => message),
  };
}

const fails = () => {
  throw new Error('no laser');
};

describe('a core that throws in a timer of its own', () => {
  test.each<[string, () => void | Promise<void>]>([
    ['at once', fails],
    ['in a promise', async () => fails()],
  ])('%s is logged once, and its scans continue with DeviceStatus 7', async (_, act) => {
    const { clock, core, frames, deviceStatus, errors, device, log } = await watched(new BusyCore());
    clock.advance(100);
    expect(deviceStatus()).toBe(DeviceStatus.DS_NormalOperation);
    core.act = act;
    clock.advance(1000);
    await promisesSettled();
    expect(core.acts).toBeGreaterThan(40);
    expect(frames.length).toBeGreaterThanOrEqual(16);
    expect(errors()).toEqual([inCallback]);
    expect(String(log.errors[0]?.facts.reason)).toMatch(/no laser\n +at /);
    expect(deviceStatus()).toBe(DeviceStatus.DS_RecoverableError);
    expect(device.features.deviceStatus.conditions.inForce).toEqual({
      DS_RecoverableError: ['failing: callback of the measuring core'],
    });
    // The error is the core's.
    expect(device.errors.counts.total).toBe(0);
  });

  test('is well again when nothing has failed for 10 s', async () => {
    const { clock, core, deviceStatus, errors } = await watched(new BusyCore());
    core.act = fails;
    clock.advance(20);
    core.act = () => undefined;
    clock.advance(9_000);
    expect(deviceStatus()).toBe(DeviceStatus.DS_RecoverableError);
    clock.advance(2_000);
    expect(deviceStatus()).toBe(DeviceStatus.DS_NormalOperation);
    core.act = fails;
    clock.advance(20);
    expect(errors()).toEqual([inCallback, inCallback]);
  });

  test('that alternates with success is logged once', async () => {
    const { clock, core, deviceStatus, errors } = await watched(new BusyCore());
    core.act = () => {
      if (core.acts % 2 === 0) fails();
    };
    clock.advance(60_000);
    expect(errors()).toEqual([inCallback]);
    expect(deviceStatus()).toBe(DeviceStatus.DS_RecoverableError);
  });

  test('is well again after a boot, as long as it does not fail anew', async () => {
    const { testDevice, clock, core, deviceStatus } = await watched(new BusyCore());
    core.act = fails;
    clock.advance(100);
    core.act = () => undefined;
    await testDevice.reboot();
    clock.advance(100);
    expect(deviceStatus()).toBe(DeviceStatus.DS_NormalOperation);
  });
});

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['a word', 'scan'],
  ['an object without anything', {}],
])('a core that hands over %s hears nothing of that, and its next scan is taken', async (_, nonsense) => {
  const core = new FlatCore();
  const testDevice = await TestDevice.open({ core });
  const { device, clock } = testDevice;
  const frames: number[] = [];
  let thrown = 0;
  const { start } = core;
  core.start = (order, measured) =>
    start.call(core, order, (scan) => {
      try {
        Reflect.apply(measured, undefined, [nonsense]);
      } catch {
        thrown += 1;
      }
      measured(scan);
    });
  device.features.measuring.watch({ scan: ({ number }) => frames.push(number) });
  clock.advance(1000);
  expect(thrown).toBe(0);
  expect(frames.length).toBeGreaterThanOrEqual(15);
  expect(testDevice.log.errors).toHaveLength(1);
});

test.each<[string, (core: FlatCore) => void, string]>([
  [
    'start',
    (core) => {
      core.start = async () => fails();
    },
    'The measuring core does not start',
  ],
  [
    'stop',
    (core) => {
      core.stop = async () => fails();
    },
    'The measuring core does not stop',
  ],
])('a core whose %s is asynchronous and fails is logged like any other', async (_, spoil, expected) => {
  const core = new FlatCore();
  spoil(core);
  const testDevice = await TestDevice.open({ core });
  testDevice.device.features.measuring.watch({})();
  await promisesSettled();
  expect(testDevice.log.errors.map(({ message }) => message)).toEqual([expected]);
  expect(testDevice.device.read(status.members.DeviceStatus)).toBe(DeviceStatus.DS_RecoverableError);
});

test('a core that throws a value without a text is logged like any other', async () => {
  const { clock, core, deviceStatus, errors } = await watched(new BusyCore());
  core.act = () => {
    throw Object.create(null);
  };
  clock.advance(100);
  await promisesSettled();
  expect(errors()).toEqual([inCallback]);
  expect(deviceStatus()).toBe(DeviceStatus.DS_RecoverableError);
});

describe('the error of the times of a core', () => {
  class ClockedCore extends FlatCore {
    stated: () => number | undefined = () => undefined;

    get timeError(): number | undefined {
      return this.stated();
    }
  }

  test.each<[string, () => number | undefined, number | undefined]>([
    ['is what it states', () => 0.02, 0.02],
    ['is unknown if it states none', () => undefined, undefined],
    ['is unknown if it states no number', () => Number.NaN, undefined],
    ['is unknown if it throws', fails, undefined],
  ])('%s', async (_, stated, expected) => {
    const { core, device } = await watched(new ClockedCore());
    core.stated = stated;
    expect(device.features.measuring.timeError).toBe(expected);
  });
});
