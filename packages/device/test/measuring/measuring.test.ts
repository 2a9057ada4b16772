import {
  basicSettings,
  DeviceStatus,
  dataReduction,
  filter,
  type Release,
  status,
  type Variable,
} from '@azimuth/model';
import { FlatCore } from '@azimuth/test-support/flat-core';
import { atService, TestDevice } from '@azimuth/test-support/test-device';
import { describe, expect, test } from 'vitest';
import { Scan } from '../../src/index.js';
import type { OutputSegment } from '../../src/network-interface.js';

const { AutoStartMeasure, PerformanceProfileNumber, SensitivityMode, EnableLongRangeMode } =
  basicSettings.members;
const { FREchoFilter } = filter.members;
const { LFPintervalFilter, LFPangleRangeFilter } = dataReduction.members;

/** Recorded values of a segment: its arrays are reused. */
interface Seen {
  readonly frame: number;
  readonly index: number;
  readonly beams: number;
  readonly echoes: number;
  /** Time of arrival, in µs since the scanner came up. */
  readonly at: number;
  readonly firstBeamTime: number;
  readonly lastBeamTime: number;
}

async function scanner(release?: Release) {
  const core = new FlatCore();
  const testDevice = await TestDevice.open({ core, release });
  const { device, clock } = testDevice;
  const seen: Seen[] = [];
  const look = () =>
    device.features.measuring.watch({
      segment: ({ frame, index, beams, echoes, firstBeamTime, lastBeamTime }: OutputSegment) =>
        seen.push({
          frame,
          index,
          beams,
          echoes,
          firstBeamTime,
          lastBeamTime,
          at: Math.round(device.features.measuring.microseconds()),
        }),
    });
  const write = (variable: Variable<unknown>, value: unknown) => device.write(variable, value, atService);
  const deviceStatus = () => device.read(status.members.DeviceStatus);
  return { testDevice, device, clock, core, seen, look, write, deviceStatus };
}

/** The frames of the received segments, in order, each once. */
function framesOf(seen: readonly Seen[]): readonly number[] {
  return [...new Set(seen.map(({ frame }) => frame))];
}

describe('without listeners', () => {
  test('nothing is computed', async () => {
    const { clock, core, device } = await scanner();
    clock.advance(60_000);
    expect(core.computed).toBe(0);
    expect(core.orders).toHaveLength(0);
    expect(device.features.measuring.scans).toBe(0);
  });

  test('computing ends with the last listener, and continues with the number of the current revolution', async () => {
    const { clock, core, seen, look } = await scanner();
    const first = look();
    const second = look();
    clock.advance(1010);
    // 15 turns a second, the first at once.
    expect(core.computed).toBe(16);
    first();
    clock.advance(1000);
    expect(core.computed).toBe(31);
    second();
    seen.length = 0;
    clock.advance(10_000);
    expect(core.computed).toBe(31);
    expect(seen).toEqual([]);
    look();
    clock.advance(1000);
    // 12 010 ms are 180.15 turns; the one that begins next is number 182.
    expect(framesOf(seen)[0]).toBe(182);
    expect(core.computed).toBe(46);
  });

  test('the core is not even made', async () => {
    let made = 0;
    const testDevice = await TestDevice.open({
      core: async () => {
        made += 1;
        return new FlatCore();
      },
    });
    testDevice.clock.advance(10_000);
    expect(made).toBe(0);
    const scans: number[] = [];
    testDevice.device.features.measuring.watch({ scan: ({ number }) => scans.push(number) });
    await expect.poll(() => testDevice.device.features.measuring.core).toBeDefined();
    testDevice.clock.advance(100);
    expect(made).toBe(1);
    expect(scans.length).toBeGreaterThan(0);
  });
});

describe('a core that cannot be made', () => {
  test('is logged, and made again', async () => {
    let attempts = 0;
    const { device, clock, log } = await TestDevice.open({
      core: async () => {
        attempts += 1;
        if (attempts === 1) throw new Error('no such sensor');
        return new FlatCore();
      },
    });
    const stop = device.features.measuring.watch({ scan: () => undefined });
    await expect.poll(() => JSON.stringify(log.lines)).toContain('no such sensor');
    stop();
    device.features.measuring.watch({ scan: () => undefined });
    await expect.poll(() => device.features.measuring.core).toBeDefined();
    clock.advance(100);
    expect(device.features.measuring.scans).toBeGreaterThan(0);
  });
});

describe('segments', () => {
  test('come as their last beam is measured: profile 2, 15 Hz and a third of a degree', async () => {
    const { clock, seen, look } = await scanner();
    look();
    clock.advance(66);
    expect(seen).toHaveLength(10);
    expect(seen.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(seen.map(({ beams }) => beams)).toEqual([90, 90, 90, 90, 90, 90, 90, 90, 90, 19]);
    expect(new Set(seen.map(({ frame }) => frame))).toEqual(new Set([1]));
    // 1080 beams in 66 667 µs, hidden ones included: 61.73 µs each. Beam 89 is measured after 5494 µs.
    expect(seen[0]).toMatchObject({ firstBeamTime: 0, lastBeamTime: 5494 });
    expect(seen[9]).toMatchObject({ firstBeamTime: 50_000, lastBeamTime: 51_111 });
    for (const { at, lastBeamTime } of seen) expect(Math.abs(at - lastBeamTime)).toBeLessThanOrEqual(1);
  });

  test.each([
    [1, 15, 10],
    [2, 15, 10],
    [3, 20, 10],
    [4, 20, 10],
    [5, 25, 10],
    [6, 30, 5],
    [7, 40, 5],
    [8, 50, 5],
    [9, 15, 10],
    [10, 40, 5],
    [11, 15, 10],
  ])(
    'of profile %i: %i scans a second of %i segments, none missing in a minute',
    async (profile, rate, count) => {
      const { clock, seen, look, write } = await scanner();
      write(PerformanceProfileNumber, profile);
      look();
      // The turn of the profile before ends first.
      clock.advance(1000);
      seen.length = 0;
      clock.advance(60_000);
      const complete = framesOf(seen).slice(1, -1);
      const first = complete[0] ?? 0;
      expect(complete).toEqual(complete.map((_, index) => first + index));
      expect(complete.length).toBeGreaterThanOrEqual(60 * rate - 2);
      expect(complete.length).toBeLessThanOrEqual(60 * rate);
      const inside = seen.filter(({ frame }) => complete.includes(frame));
      expect(inside.map(({ index }) => index)).toEqual(inside.map((_, place) => place % count));
      expect(inside).toHaveLength(complete.length * count);
    },
  );
});

describe('a change while it measures', () => {
  test('of the profile lets the turn end as it began, and counts on', async () => {
    const { clock, seen, look, write, core } = await scanner();
    look();
    clock.advance(20);
    write(PerformanceProfileNumber, 8);
    clock.advance(200);
    const ofFirst = seen.filter(({ frame }) => frame === 1);
    expect(ofFirst).toHaveLength(10);
    const ofSecond = seen.filter(({ frame }) => frame === 2);
    expect(ofSecond.map(({ beams }) => beams)).toEqual([240, 240, 240, 240, 145]);
    expect(ofSecond[0]?.firstBeamTime).toBe(66_667);
    expect(framesOf(seen)).toEqual(framesOf(seen).map((_, index) => 1 + index));
    expect(core.orders.map(({ geometry }) => geometry.frequency)).toEqual([15, 50]);
  });

  test('of sensitivity and range reaches the core, without a reboot', async () => {
    const { clock, look, write, core } = await scanner();
    look();
    write(SensitivityMode, 2);
    write(EnableLongRangeMode, true);
    clock.advance(100);
    expect(core.orders.at(-1)).toMatchObject({ sensitivity: 2, longRange: true });
  });

  test('of a filter shows in the next turn', async () => {
    const { clock, seen, look, write } = await scanner();
    look();
    clock.advance(66);
    write(FREchoFilter, 0);
    clock.advance(66);
    expect(seen.filter(({ frame }) => frame === 1).map(({ echoes }) => echoes)).toEqual(Array(10).fill(3));
    expect(seen.filter(({ frame }) => frame === 2).map(({ echoes }) => echoes)).toEqual(Array(10).fill(1));
  });

  test('the interval filter leaves out scans for streams only', async () => {
    const { clock, seen, look, write, device } = await scanner();
    write(LFPintervalFilter, { bEnable: true, uiReductionFactor: 3 });
    look();
    const scans: number[] = [];
    device.features.measuring.watch({ scan: ({ number }) => scans.push(number) });
    clock.advance(66.66 * 7);
    expect(framesOf(seen)).toEqual([3, 6]);
    expect(scans).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  test('the angle range leaves out hidden segments', async () => {
    const { clock, seen, look, write } = await scanner();
    const range = { fThetaStart: -100_000, fThetaStop: 100_000, fPhiStart: -900_000, fPhiStop: 900_000 };
    write(LFPangleRangeFilter, { bEnable: true, ...range, uiBeamIncrement: 1 });
    look();
    clock.advance(66);
    // -138° + 30° × 4 = -18°: from there to +12° is the only segment that is seen, after 360 of 1080 beams a turn.
    expect(seen).toMatchObject([{ index: 0, firstBeamTime: 22_222 }]);
  });
});

describe('starting and stopping', () => {
  test('shows in DeviceStatus and in the data', async () => {
    const { testDevice, clock, seen, look, deviceStatus, core } = await scanner();
    look();
    clock.advance(500);
    expect(deviceStatus()).toBe(DeviceStatus.DS_NormalOperation);
    expect(await testDevice.respond('mStopMeasure')).toEqual({ ErrorCode: 0 });
    expect(deviceStatus()).toBe(DeviceStatus.DS_SuspendedOperation);
    const before = seen.length;
    const computed = core.computed;
    clock.advance(5000);
    expect(seen).toHaveLength(before);
    expect(core.computed).toBe(computed);
    expect(await testDevice.respond('mStartMeasure')).toEqual({ ErrorCode: 0 });
    expect(deviceStatus()).toBe(DeviceStatus.DS_NormalOperation);
    clock.advance(500);
    expect(seen.length).toBeGreaterThan(before);
    const frames = framesOf(seen);
    expect(frames).toEqual([...frames].sort((one, other) => one - other));
  });

  test('standby stops measuring, and only starting ends it', async () => {
    const { testDevice, clock, seen, look, deviceStatus, device } = await scanner();
    look();
    expect(await testDevice.respond('mStandby')).toEqual({ ErrorCode: 0 });
    expect(deviceStatus()).toBe(DeviceStatus.DS_SuspendedOperation);
    expect(await testDevice.respond('mStopMeasure')).toEqual({ ErrorCode: 0 });
    expect(device.features.measuring.state).toBe('standby');
    clock.advance(1000);
    expect(seen).toEqual([]);
    await testDevice.respond('mStartMeasure');
    clock.advance(1000);
    expect(seen.length).toBeGreaterThan(0);
  });

  test('is not permitted while firmware is written', async () => {
    const { testDevice, device } = await scanner();
    device.features.deviceStatus.conditions.set('DS_ServiceMode', 'update', true);
    for (const method of ['mStartMeasure', 'mStopMeasure', 'mStandby'] as const) {
      expect(await testDevice.respond(method)).toEqual({ ErrorCode: 1 });
    }
    expect(device.features.measuring.state).toBe('measuring');
    device.features.deviceStatus.conditions.set('DS_ServiceMode', 'update', false);
    expect(await testDevice.respond('mStopMeasure')).toEqual({ ErrorCode: 0 });
  });

  test('nothing is measured while measuring is suspended for another reason', async () => {
    const { device, clock, seen, look } = await scanner();
    look();
    device.features.deviceStatus.conditions.set('DS_RecoverableError', 'test', true);
    device.features.deviceStatus.conditions.set('DS_SuspendedOperation', 'diagnosis', true);
    clock.advance(1000);
    expect(seen).toEqual([]);
    device.features.deviceStatus.conditions.set('DS_SuspendedOperation', 'diagnosis', false);
    clock.advance(1000);
    expect(seen.length).toBeGreaterThan(0);
  });

  test('a boot starts it as AutoStartMeasure says', async () => {
    const { testDevice, clock, seen, look, write, deviceStatus } = await scanner();
    look();
    write(AutoStartMeasure, false);
    await testDevice.respond('WriteEeprom');
    await testDevice.reboot();
    seen.length = 0;
    expect(deviceStatus()).toBe(DeviceStatus.DS_SuspendedOperation);
    clock.advance(1000);
    expect(seen).toEqual([]);
    await testDevice.respond('mStartMeasure');
    expect(deviceStatus()).toBe(DeviceStatus.DS_NormalOperation);
    clock.advance(1000);
    expect(seen.length).toBeGreaterThan(0);
    write(AutoStartMeasure, true);
    await testDevice.respond('WriteEeprom');
    await testDevice.reboot();
    expect(deviceStatus()).toBe(DeviceStatus.DS_NormalOperation);
  });

  test('a boot counts scans and time from the beginning', async () => {
    const { testDevice, clock, seen, look } = await scanner();
    look();
    clock.advance(1000);
    await testDevice.reboot();
    seen.length = 0;
    clock.advance(60);
    expect(seen[0]).toMatchObject({ frame: 1, index: 0, firstBeamTime: 0 });
  });

  test('nothing comes while the scanner is down', async () => {
    const { testDevice, clock, seen, look } = await scanner();
    look();
    clock.advance(100);
    testDevice.device.lifecycle.reboot();
    seen.length = 0;
    clock.advance(1000);
    expect(seen).toEqual([]);
  });
});

test('a viewer that fails keeps nothing from the others', async () => {
  const { testDevice, device, clock, seen, look } = await scanner();
  device.features.measuring.watch({
    segment: () => {
      throw new Error('full');
    },
  });
  look();
  clock.advance(66);
  expect(seen).toHaveLength(10);
  expect(JSON.stringify(testDevice.log.lines)).toContain('full');
});

test('time that is skipped holds no scans, and the mirror is taken to have turned on', async () => {
  const { device, clock, seen, look, core } = await scanner();
  look();
  clock.advance(100);
  const computed = core.computed;
  device.lifecycle.skipTime(() => clock.advance(400 * 24 * 3_600_000));
  expect(core.computed).toBe(computed);
  seen.length = 0;
  clock.advance(200);
  // 400 days and 100 ms are 518 400 001.5 turns.
  expect(framesOf(seen)[0]).toBe(518_400_003);
});

describe('a core that fails', () => {
  /** A scanner whose core is a FlatCore with parts that were made to fail. */
  async function broken(core: FlatCore) {
    const testDevice = await TestDevice.open({ core });
    const frames: number[] = [];
    const stop = testDevice.device.features.measuring.watch({ scan: ({ number }) => frames.push(number) });
    const deviceStatus = () => testDevice.device.read(status.members.DeviceStatus);
    const errors = () => testDevice.log.errors.map(({ message }) => message);
    return {
      testDevice,
      clock: testDevice.clock,
      device: testDevice.device,
      frames,
      stop,
      deviceStatus,
      errors,
    };
  }

  test('in start is logged, and shows as DeviceStatus 7', async () => {
    const core = new FlatCore();
    core.start = () => {
      throw new Error('no laser');
    };
    const { clock, deviceStatus, errors } = await broken(core);
    clock.advance(1000);
    expect(deviceStatus()).toBe(DeviceStatus.DS_RecoverableError);
    expect(errors()).toEqual(['The measuring core does not start']);
  });

  test('in stop is logged', async () => {
    const core = new FlatCore();
    const { clock, stop, deviceStatus, errors } = await broken(core);
    clock.advance(100);
    core.stop = () => {
      throw new Error('stuck');
    };
    stop();
    expect(errors()).toEqual(['The measuring core does not stop']);
    expect(deviceStatus()).toBe(DeviceStatus.DS_RecoverableError);
  });

  test.each<[string, (scan: Scan) => Scan]>([
    ['a number that is none', (scan) => Object.assign(scan, { number: Number.NaN })],
    ['a number that came before', (scan) => Object.assign(scan, { number: 1 })],
    ['a time that is none', (scan) => Object.assign(scan, { time: Number.NaN })],
    ['too few distances', (scan) => Object.assign(scan, { distance: new Float32Array(3) })],
    ['too many strengths', (scan) => Object.assign(scan, { rssi: new Uint16Array(9000) })],
    ['no beams', (scan) => Object.assign(scan, { geometry: { ...scan.geometry, beams: 0 } })],
    ['no rate', (scan) => Object.assign(scan, { geometry: { ...scan.geometry, frequency: 0 } })],
  ])('with %s is logged once, and valid scans continue', async (_, spoil) => {
    const core = new FlatCore();
    const { clock, frames, deviceStatus, errors } = await broken(core);
    clock.advance(250);
    expect(frames).toEqual([1, 2, 3]);
    const sound = core.prepared;
    core.prepared = (scan) => spoil(Object.assign(new Scan(scan.geometry), scan));
    clock.advance(500);
    expect(frames).toEqual([1, 2, 3, 4]);
    expect(deviceStatus()).toBe(DeviceStatus.DS_RecoverableError);
    expect(errors()).toHaveLength(1);
    core.prepared = sound;
    clock.advance(150);
    expect(frames.length).toBeGreaterThan(4);
    expect(deviceStatus()).toBe(DeviceStatus.DS_NormalOperation);
  });

  test('in motion leaves the scanner at rest', async () => {
    const core = new FlatCore();
    core.motion = () => {
      throw new Error('no gyroscope');
    };
    const { clock, device, deviceStatus, errors } = await broken(core);
    device.features.imu.watch(() => undefined);
    device.features.measuring.down();
    clock.advance(1000);
    expect(device.features.imu.reading.motion.acceleration).toEqual([0, 0, 9.81]);
    expect(deviceStatus()).toBe(DeviceStatus.DS_RecoverableError);
    expect(errors()).toEqual(['The measuring core cannot report its motion']);
  });

  test('and hands something over after it was stopped is not heard', async () => {
    const core = new FlatCore();
    const { clock, device, frames } = await broken(core);
    clock.advance(100);
    const before = frames.length;
    // A core that turns on after stop, and was started again for another order.
    core.stop = () => undefined;
    device.write(SensitivityMode, 2, atService);
    clock.advance(1000);
    expect(frames).toEqual([...new Set(frames)]);
    expect(frames.length - before).toBe(15);
  });
});

describe('a core with a rate of its own', () => {
  test('is counted on at that rate, whatever changes', async () => {
    const core = new FlatCore();
    core.frequency = 50;
    const { testDevice, clock, device } = await (async () => {
      const opened = await TestDevice.open({ core });
      return { testDevice: opened, clock: opened.clock, device: opened.device };
    })();
    const frames: number[] = [];
    device.features.measuring.watch({ scan: ({ number }) => frames.push(number) });
    clock.advance(1000);
    device.write(SensitivityMode, 0, atService);
    clock.advance(1000);
    await testDevice.respond('mStopMeasure');
    clock.advance(1000);
    await testDevice.respond('mStartMeasure');
    clock.advance(1000);
    const { length } = frames;
    expect(length).toBeGreaterThan(145);
    // Numbers went on during the stop by the turns of the mirror: 50 in a second.
    const gaps = frames.slice(1).map((number, index) => number - (frames[index] ?? 0));
    expect(gaps.filter((gap) => gap !== 1)).toHaveLength(1);
    expect(Math.max(...gaps)).toBeGreaterThanOrEqual(50);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(52);
  });
});

test('turns that are left out are counted', async () => {
  const core = new FlatCore();
  const { clock, device } = await TestDevice.open({ core });
  device.features.measuring.watch({ scan: () => undefined });
  clock.advance(100);
  core.prepared = (scan) => Object.assign(scan, { number: scan.number + 1 });
  clock.advance(100);
  expect(device.features.measuring.skipped).toBe(1);
});
