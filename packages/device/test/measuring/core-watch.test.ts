import {
  basicSettings,
  DeviceStatus,
  extensions,
  FieldState,
  fieldEvaluation,
  SCdevicestate,
  status,
} from '@azimuth/model';
import { FlatCore } from '@azimuth/test-support/flat-core';
import { atService, TestDevice } from '@azimuth/test-support/test-device';
import { promisesSettled } from '@azimuth/test-support/waiting';
import { describe, expect, test } from 'vitest';
import { type MeasuringCore, type MeasuringOrder, Scan, VirtualClock } from '../../src/index.js';
import { evaluation, group } from '../field-evaluation/field-test-device.js';

const { fields } = extensions.members;
const { PerformanceProfileNumber } = basicSettings.members;
const { FieldEvaluationResult } = fieldEvaluation.members;
const { INACTIVE, FREE } = FieldState;
/** ms, at the factory setting of 15 Hz. */
const period = 1000 / 15;

async function watched(core: MeasuringCore, clock?: VirtualClock) {
  const testDevice = await TestDevice.open({ core }, undefined, clock);
  const { device, log } = testDevice;
  const definitions = { evaluations: [evaluation({ Id: 1 })], groups: [group(1, [1])] };
  device.write(fields, definitions, atService);
  const frames: number[] = [];
  device.features.measuring.watch({ scan: ({ number }) => frames.push(number) });
  return {
    ...{ testDevice, device, frames },
    clock: testDevice.clock,
    errors: () => log.errors.map(({ message, facts }) => `${message}: ${String(facts.reason)}`),
    state: () => ({
      status: device.read(status.members.DeviceStatus),
      ready: device.read(status.members.SCdevicestate) === SCdevicestate.Ready,
      field: device.read(FieldEvaluationResult).EvaluationResultList[0]?.State,
    }),
  };
}

const well = { status: DeviceStatus.DS_NormalOperation, ready: true, field: FREE };
const faulty = { status: DeviceStatus.DS_RecoverableError, ready: false, field: INACTIVE };

function fail(): never {
  throw new Error('no motor');
}

type Distort = (scan: Scan, order: MeasuringOrder) => void;

/** A core whose scans are distorted for a time. Its echoes are behind the field. */
class DistortedCore extends FlatCore {
  distort: Distort | undefined;
  isSilent = false;

  constructor() {
    super();
    this.distance = 20_000;
  }

  override start(order: MeasuringOrder, measured: (scan: Scan) => void): void {
    super.start(order, (scan) => {
      const passed = Object.assign(new Scan(scan.geometry), scan);
      this.distort?.(passed, order);
      if (!this.isSilent) measured(passed);
    });
  }
}

const utc = Date.UTC(2026, 0, 15, 12);
const pass = { last: 0 };

const distortions: readonly (readonly [string, Distort, RegExp])[] = [
  [
    'a time that goes back',
    (scan) => Object.assign(scan, { time: 4_000_000 - scan.time }),
    /its time goes back/,
  ],
  [
    'a time that stands still',
    (scan) => {
      pass.last = pass.last === 0 ? scan.time : pass.last;
      Object.assign(scan, { time: pass.last });
    },
    /its time stands still/,
  ],
  [
    'a time ahead by more than a period',
    (scan) => Object.assign(scan, { time: scan.time + 80_000 }),
    /its time: expected µs since the scanner came up, at most \d+, got \d+/,
  ],
  [
    'UTC instead of the uptime',
    (scan) => Object.assign(scan, { time: utc * 1000 + scan.time }),
    /its time: expected µs since the scanner came up, .*: that is UTC$/,
  ],
  ['UTC in ms', (scan) => Object.assign(scan, { time: utc + scan.time / 1000 }), /: that is UTC in ms$/],
  [
    'a number that jumps by more than the time explains',
    (scan) => Object.assign(scan, { number: scan.number + 1000 * scan.number }),
    /its number jumps from \d+ to \d+ in 67 ms, at 15 Hz/,
  ],
  [
    'the rate of another profile',
    (scan) => Object.assign(scan, { geometry: { ...scan.geometry, frequency: 30 } }),
    /its rate: expected 15 Hz, as ordered, got 30 Hz in its geometry/,
  ],
  [
    'a billion beams',
    (scan) => {
      const places = { length: 3e9 };
      Object.assign(scan, {
        geometry: { ...scan.geometry, beams: 1e9, beamsPerSegment: 1e9 },
        ...{ distance: places, rssi: places, flags: places },
      });
    },
    /its geometry: expected at most 65535 beams in 1000 segments, got 1000000000 beams/,
  ],
  [
    'a million segments',
    (scan) => Object.assign(scan, { geometry: { ...scan.geometry, beams: 60_000, beamsPerSegment: 1 } }),
    /its geometry: expected at most 65535 beams in 1000 segments, got 60000 beams, 1 a segment/,
  ],
  [
    'beams of many turns',
    (scan) => Object.assign(scan, { geometry: { ...scan.geometry, step: 90 } }),
    /its \d+ beams begin at -138°, 90° apart/,
  ],
  ...(['firstAngle', 'step', 'frequency'] as const).map((member) => {
    const distort: Distort = (scan) =>
      Object.assign(scan, { geometry: { ...scan.geometry, [member]: String(scan.geometry[member]) } });
    return [`${member} as a text`, distort, /its geometry: expected numbers, got .*"/] as const;
  }),
];

describe.each(distortions)('%s', (_, distort, why) => {
  test('is one line that says which, and the fields are unknown, until it is right again', async () => {
    pass.last = 0;
    const core = new DistortedCore();
    const { clock, errors, state } = await watched(core);
    clock.advance(2000);
    expect(state()).toEqual(well);
    core.distort = distort;
    clock.advance(2000);
    expect(state()).toEqual(faulty);
    expect(errors()).toEqual([expect.stringMatching(why)]);
    core.distort = undefined;
    clock.advance(2000);
    expect(state()).toEqual(well);
    expect(errors()).toHaveLength(1);
  });
});

test('a rate other than the ordered one is found by the times', async () => {
  const core = new DistortedCore();
  const { clock, errors, state, frames } = await watched(core);
  clock.advance(1000);
  expect(state()).toEqual(well);
  // Half of the revolutions, which are counted one by one.
  let whole = 0;
  const { length } = frames;
  core.prepared = (scan) => {
    whole += 1;
    core.isSilent = whole % 2 === 1;
    return scan;
  };
  core.distort = (scan) => Object.assign(scan, { number: length + 1 + Math.floor(whole / 2) });
  clock.advance(3000);
  expect(state()).toEqual(faulty);
  expect(errors()).toEqual([
    expect.stringMatching(/its rate: expected 15 Hz, as ordered, got \d revolutions in \d+ ms/),
  ]);
});

test('a number that has jumped for good counts when three scans follow it', async () => {
  const core = new DistortedCore();
  const { clock, errors, state, frames } = await watched(core);
  clock.advance(1000);
  core.distort = (scan) => Object.assign(scan, { number: scan.number + 1_000_000 });
  clock.advance(1000);
  expect(state()).toEqual(well);
  expect(errors()).toEqual([expect.stringMatching(/its number jumps/)]);
  expect(frames.at(-1)).toBeGreaterThan(1_000_000);
});

test('another clock that is behind is found after a second', async () => {
  const core = new DistortedCore();
  core.distort = (scan) => Object.assign(scan, { time: scan.time - 20_000_000 });
  const { device, clock, log } = await TestDevice.open({ core });
  clock.advance(60_000);
  const frames: number[] = [];
  device.features.measuring.watch({ scan: ({ number }) => frames.push(number) });
  clock.advance(900);
  expect(log.errors).toEqual([]);
  clock.advance(1000);
  expect(device.read(status.members.DeviceStatus)).toBe(DeviceStatus.DS_RecoverableError);
  expect(log.errors.map(({ facts }) => facts.reason)).toEqual([
    expect.stringMatching(/its time: expected µs since the scanner came up, .*: another clock$/),
  ]);
  const { length } = frames;
  clock.advance(1000);
  expect(frames).toHaveLength(length);
});

describe('a core that is silent', () => {
  test('for three revolutions is reported once, until it passes a scan', async () => {
    const core = new DistortedCore();
    const { clock, errors, state } = await watched(core);
    clock.advance(2000);
    core.isSilent = true;
    // The last scan came up to a period ago.
    clock.advance(1.9 * period);
    expect(state()).toEqual(well);
    clock.advance(1.2 * period);
    expect(state()).toEqual(faulty);
    clock.advance(60_000);
    expect(errors()).toEqual(['The measuring core is silent: no scan for 3 revolutions (200 ms)']);
    core.isSilent = false;
    clock.advance(200);
    expect(state()).toEqual(well);
  });

  test('and that nobody uses any more recovers nevertheless, and rests then', async () => {
    const core = new DistortedCore();
    const { device, clock, log } = await TestDevice.open({ core });
    const deviceStatus = () => device.read(status.members.DeviceStatus);
    const unwatch = device.features.measuring.watch({ scan: () => undefined });
    clock.advance(1000);
    core.isSilent = true;
    clock.advance(1000);
    unwatch();
    clock.advance(60_000);
    expect(deviceStatus()).toBe(DeviceStatus.DS_RecoverableError);
    // A pause, and stopped measuring, do not end it, and it recovers after them.
    device.lifecycle.skipTime(() => clock.advance(3_600_000));
    device.features.measuring.request('stopped');
    clock.advance(1000);
    expect(core.stops).toBe(core.orders.length);
    device.features.measuring.request('measuring');
    clock.advance(1000);
    expect(deviceStatus()).toBe(DeviceStatus.DS_RecoverableError);
    core.isSilent = false;
    clock.advance(200);
    expect(deviceStatus()).toBe(DeviceStatus.DS_NormalOperation);
    const { scans } = device.features.measuring;
    clock.advance(60_000);
    expect(core.stops).toBe(core.orders.length);
    expect(device.features.measuring.scans).toBe(scans);
    expect(log.errors).toHaveLength(1);
  });

  test('from the beginning', async () => {
    const { clock, errors, state } = await watched({ start: () => undefined, stop: () => undefined });
    clock.advance(1000);
    expect(state()).toEqual(faulty);
    expect(errors()).toEqual(['The measuring core is silent: no scan for 3 revolutions (200 ms)']);
  });

  test('is no fault while the scanner does not measure, or is paused', async () => {
    const core = new DistortedCore();
    const { clock, device, errors, state } = await watched(core);
    clock.advance(1000);
    device.features.measuring.request('stopped');
    clock.advance(60_000);
    device.features.measuring.request('measuring');
    clock.advance(1000);
    device.lifecycle.skipTime(() => clock.advance(3_600_000));
    clock.advance(1000);
    expect([state(), errors()]).toEqual([well, []]);
  });

  test('is no fault at the end of a recording, but fields are unknown', async () => {
    const core = Object.assign(new DistortedCore(), { finished: true });
    const { clock, errors, state } = await watched(core);
    clock.advance(1000);
    core.isSilent = true;
    clock.advance(1000);
    expect([state(), errors()]).toEqual([{ ...well, field: INACTIVE }, []]);
  });

  test('is no fault when the order changes to a faster rate', async () => {
    const { testDevice, clock, errors, state } = await watched(new DistortedCore());
    for (const profile of [9, 1, 9, 2, 3, 4]) {
      testDevice.device.write(PerformanceProfileNumber, profile, atService);
      clock.advance(333);
    }
    expect([state(), errors()]).toEqual([well, []]);
  });
});

describe('a busy process', () => {
  /** A clock whose timers are all late at once: due callbacks run when the process is free again. */
  class BusyClock extends VirtualClock {
    isBusy = false;
    readonly #waiting: (() => void)[] = [];

    override after(milliseconds: number, callback: () => void): () => void {
      return super.after(milliseconds, () => {
        if (this.isBusy) this.#waiting.push(callback);
        else callback();
      });
    }

    free(): void {
      this.isBusy = false;
      for (const callback of this.#waiting.splice(0)) callback();
    }
  }

  test('is no silence of a core whose scans wait, too', async () => {
    const clock = new BusyClock();
    let pass: (scan: Scan) => void = () => undefined;
    let begun: MeasuringOrder | undefined;
    /** A sensor that measures by itself: its scans come through a socket. */
    const sensor: MeasuringCore = {
      start: (order, measured) => {
        begun = order;
        pass = measured;
      },
      stop: () => undefined,
    };
    const { errors, state } = await watched(sensor, clock);
    if (begun === undefined) throw new Error('it was not started');
    const scan = new Scan(begun.geometry);
    const scanAt = (number: number) =>
      pass(Object.assign(scan, { number, time: (number - 1) * period * 1000 }));
    for (let number = 1; number < 30; number++) {
      clock.advance(period);
      scanAt(number);
    }
    expect(state()).toEqual(well);
    clock.isBusy = true;
    clock.advance(40 * period);
    // Timers come first, then data from sockets.
    clock.free();
    for (let number = 30; number < 70; number++) scanAt(number);
    clock.advance(period);
    scanAt(70);
    expect([state(), errors()]).toEqual([well, []]);
    clock.advance(1000);
    expect(state()).toEqual(faulty);
  });
});

describe('`start`', () => {
  test('that never resolves is reported after 3 s', async () => {
    const core: MeasuringCore = { start: () => new Promise<void>(() => undefined), stop: () => undefined };
    const { clock, errors, state } = await watched(core);
    clock.advance(2000);
    expect(state()).toEqual({ ...well, field: INACTIVE });
    clock.advance(2000);
    expect(state()).toEqual(faulty);
    expect(errors()).toEqual([
      'The measuring core does not start: `start` has not resolved for more than 3 s',
    ]);
  });

  test('that needs some seconds is no fault', async () => {
    const core = new DistortedCore();
    const { start } = core;
    let ready: () => void = () => undefined;
    const motor: MeasuringCore = {
      start: async (order, measured) => {
        await new Promise<void>((resolve) => {
          ready = resolve;
        });
        start.call(core, order, measured);
      },
      stop: () => core.stop(),
    };
    const { clock, errors, state } = await watched(motor);
    clock.advance(2500);
    ready();
    await promisesSettled();
    clock.advance(1000);
    expect([state(), errors()]).toEqual([well, []]);
  });

  test('whose promise lasts as long as the scans is no fault', async () => {
    const core = new DistortedCore();
    const { start } = core;
    const endless: MeasuringCore = {
      start: (order, measured) => {
        start.call(core, order, measured);
        return new Promise<void>(() => undefined);
      },
      stop: () => core.stop(),
    };
    const { clock, errors, state } = await watched(endless);
    clock.advance(60_000);
    expect([state(), errors()]).toEqual([well, []]);
  });

  test.each<[string, MeasuringCore['start']]>([
    ['throws', () => fail()],
    ['rejects', async () => fail()],
  ])('that %s is one line, and its silence no second one', async (_, start) => {
    const { clock, errors, state } = await watched({ start, stop: () => undefined });
    await promisesSettled();
    clock.advance(60_000);
    expect(state()).toEqual(faulty);
    expect(errors()).toEqual(['The measuring core does not start: Error: no motor']);
  });
});

test('a core that is never created is reported after 30 s, and nothing waits for it', async () => {
  const testDevice = await TestDevice.open({ core: () => new Promise<never>(() => undefined) });
  const { device, clock, log } = testDevice;
  device.features.measuring.watch({ scan: () => undefined });
  clock.advance(29_000);
  expect(device.read(status.members.DeviceStatus)).toBe(DeviceStatus.DS_NormalOperation);
  clock.advance(2000);
  expect(device.read(status.members.DeviceStatus)).toBe(DeviceStatus.DS_RecoverableError);
  expect(log.errors).toHaveLength(1);
  await testDevice.reboot();
  expect(device.lifecycle.phase).toBe('up');
});

describe('a motion that is none', () => {
  const wrong: readonly (readonly [string, () => unknown])[] = [
    [
      'NaN',
      () => ({ acceleration: [0, 0, Number.NaN], angularVelocity: [0, 0, 0], orientation: [1, 0, 0, 0] }),
    ],
    [
      'a number too few',
      () => ({ acceleration: [0, 0], angularVelocity: [0, 0, 0], orientation: [1, 0, 0, 0] }),
    ],
    ['a word', () => 'still'],
    ['a promise', () => Promise.reject(new Error('no gyroscope'))],
    ['an endless promise', () => new Promise(() => undefined)],
  ];

  test.each(wrong)('%s counts as rest, and is reported once', async (_, motion) => {
    const core = new FlatCore();
    Object.assign(core, { motion });
    const { device, log } = await TestDevice.open({ core });
    await device.features.measuring.coreMade();
    for (let time = 0; time < 3; time++) {
      expect(device.features.imu.reading.motion.acceleration).toEqual([0, 0, 9.81]);
    }
    expect(device.read(status.members.DeviceStatus)).toBe(DeviceStatus.DS_RecoverableError);
    expect(log.errors.map(({ message }) => message)).toEqual(['The measuring core cannot report its motion']);
  });
});
