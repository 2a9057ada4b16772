import {
  basicSettings,
  DeviceStatus,
  extensions,
  FieldState,
  fieldEvaluation,
  filter,
  status,
} from '@azimuth/model';
import { DrivenCore } from '@azimuth/test-support/driven-core';
import { atService, TestDevice } from '@azimuth/test-support/test-device';
import { describe, expect, test } from 'vitest';
import { evaluation, group } from '../field-evaluation/field-test-device.js';

const { PerformanceProfileNumber } = basicSettings.members;
const { LFPparticle } = filter.members;
const { fields } = extensions.members;
const { FieldEvaluationResult } = fieldEvaluation.members;

/** Segments of 90 beams, 19 in the last one: profile 2, at 15 Hz. */
const beams = 829;
/** ms. */
const period = 1000 / 15;

async function measuring() {
  const core = new DrivenCore();
  const testDevice = await TestDevice.open({ core });
  const { device, clock, log } = testDevice;
  const definitions = { evaluations: [evaluation({ Id: 1 })], groups: [group(1, [1])] };
  device.write(fields, definitions, atService);
  const seen: string[] = [];
  device.features.measuring.watch({
    segment: ({ frame, index }) => seen.push(`${frame}.${index}`),
    scan: ({ number }) => seen.push(`scan ${number}`),
  });
  const { origin } = core.order;
  const first =
    origin.number + Math.ceil((device.features.measuring.microseconds() - origin.time) / core.period);
  /** Begins revolution `number` at its time. */
  function begin(number: number): void {
    core.begin(number);
    clock.advance(Math.max(0, (core.scan.time - device.features.measuring.microseconds()) / 1000));
  }
  return {
    ...{ testDevice, device, clock, core, begin, seen, first },
    measuring: device.features.measuring,
    errors: () => log.errors.map(({ message, facts }) => `${message}: ${String(facts.reason)}`),
    status: () => device.read(status.members.DeviceStatus),
    field: () => device.read(FieldEvaluationResult).EvaluationResultList[0]?.State,
    /** A complete revolution in these parts. */
    revolution(number: number, ends: readonly number[]): void {
      begin(number);
      for (const end of ends) core.pass(end);
    },
    seenSince(): string[] {
      return seen.splice(0);
    },
  };
}

const well = DeviceStatus.DS_NormalOperation;
const faulty = DeviceStatus.DS_RecoverableError;

describe('a scan that comes in parts', () => {
  test('sends each segment at once when its beams have come, and the scan with its last beam', async () => {
    const { core, begin, first, seenSince, measuring: state } = await measuring();
    begin(first);
    core.pass(0);
    core.pass(89);
    expect(seenSince()).toEqual([]);
    core.pass(90);
    expect(seenSince()).toEqual([`${first}.0`]);
    core.pass(90);
    core.pass(275);
    expect(seenSince()).toEqual([`${first}.1`, `${first}.2`]);
    expect([state.scans, state.lastScan]).toEqual([0, undefined]);
    core.pass();
    expect(seenSince()).toEqual(
      [3, 4, 5, 6, 7, 8, 9].map((index) => `${first}.${index}`).concat(`scan ${first}`),
    );
    expect([state.scans, state.lastScan?.number]).toEqual([1, first]);
    begin(first + 1);
    core.pass(90);
    expect(seenSince()).toEqual([`${first + 1}.0`]);
    expect(state.lastScan?.number).toBe(first);
  });

  test('needs no timer, and none is late: parts may come ahead of the clock by a little', async () => {
    const { core, clock, first, seenSince } = await measuring();
    core.begin(first);
    const before = clock.monotonic();
    core.pass(90);
    expect(seenSince()).toEqual([`${first}.0`]);
    expect(clock.monotonic()).toBe(before);
  });

  test('may be followed by whole scans, which wait until their beams are due', async () => {
    const { core, clock, begin, revolution, first, seenSince } = await measuring();
    revolution(first, [400, beams]);
    seenSince();
    begin(first + 1);
    core.pass();
    expect(seenSince()).toEqual([]);
    clock.advance(period);
    expect(seenSince()).toHaveLength(11);
  });

  test('keeps the settings with which it began', async () => {
    const { device, core, begin, first, seenSince } = await measuring();
    begin(first);
    core.pass(180);
    device.write(LFPparticle, { bEnable: true, uiThreshold: 100 }, atService);
    core.pass(270);
    expect(seenSince()).toEqual([0, 1, 2].map((index) => `${first}.${index}`));
    core.pass();
    seenSince();
    begin(first + 1);
    core.pass(90);
    // The particle filter needs the neighbour of the last beam.
    expect(seenSince()).toEqual([]);
    core.pass(91);
    expect(seenSince()).toEqual([`${first + 1}.0`]);
  });

  test('ends when the order changes or the measuring stops: that is no fault, and the next one begins anew', async () => {
    const {
      device,
      core,
      clock,
      begin,
      first,
      seenSince,
      errors,
      status: deviceStatus,
      measuring: state,
    } = await measuring();
    begin(first);
    core.pass(180);
    device.write(PerformanceProfileNumber, 9, atService);
    expect(core.orders).toHaveLength(2);
    clock.advance(20);
    const { origin, geometry } = core.order;
    begin(origin.number + 1);
    core.pass(geometry.beamsPerSegment);
    core.pass();
    state.request('stopped');
    core.pass(90);
    state.request('measuring');
    clock.advance(20);
    begin(core.order.origin.number + 1);
    core.pass();
    clock.advance(60);
    expect(seenSince().at(-1)).toBe(`scan ${core.scan.number}`);
    expect([errors(), deviceStatus(), state.skipped]).toEqual([[], well, 0]);
  });
});

test('invalid beams of all parts are reported as for a whole scan, with the first of them', async () => {
  const { core, begin, first, errors, status: deviceStatus } = await measuring();
  for (let number = first; number < first + 3; number++) {
    begin(number);
    core.scan.distance.fill(Number.NaN, 3 * 100, 3 * 200);
    core.pass(90);
    core.pass(180);
    expect(errors()).toEqual([]);
    core.pass();
  }
  expect(errors()).toEqual([expect.stringMatching(/beam 100: distances NaN, NaN, NaN mm/)]);
  expect(deviceStatus()).toBe(faulty);
});

describe('a scan whose rest does not come', () => {
  test('is told and counted when another one begins, and gives no scan', async () => {
    const {
      core,
      begin,
      revolution,
      first,
      seenSince,
      errors,
      field,
      status: deviceStatus,
      measuring: state,
    } = await measuring();
    revolution(first, [beams]);
    begin(first + 1);
    core.pass(200);
    seenSince();
    expect(deviceStatus()).toBe(well);
    begin(first + 2);
    core.pass(90);
    expect(errors()).toEqual([
      `The measuring core did not complete a scan: 200 of 829 beams of scan ${first + 1} came before scan ${first + 2}`,
    ]);
    expect([deviceStatus(), field(), state.skipped]).toEqual([faulty, FieldState.INACTIVE, 1]);
    core.pass();
    expect(seenSince()).toEqual(
      Array.from({ length: 10 }, (_, index) => `${first + 2}.${index}`).concat(`scan ${first + 2}`),
    );
    expect([deviceStatus(), state.skipped, state.scans]).toEqual([well, 1, 2]);
  });

  test('is silence within three revolutions if the core stops in the middle', async () => {
    const { core, clock, begin, revolution, first, errors, status: deviceStatus } = await measuring();
    for (const number of [first, first + 1]) revolution(number, [400, beams]);
    begin(first + 2);
    core.pass(400);
    clock.advance(1.9 * period);
    expect(deviceStatus()).toBe(well);
    clock.advance(1.1 * period);
    expect(deviceStatus()).toBe(faulty);
    expect(errors()).toEqual(['The measuring core is silent: no scan for 3 revolutions (200 ms)']);
    core.pass();
    expect(deviceStatus()).toBe(well);
  });

  test('is silence if the core passes the same beams again and again', async () => {
    const { core, clock, begin, revolution, first, status: deviceStatus } = await measuring();
    // Also directly after the start.
    revolution(first, [90, beams]);
    begin(first + 1);
    for (let time = 0; time < 3 * period; time += 5) {
      core.pass(400);
      clock.advance(5);
    }
    expect(deviceStatus()).toBe(faulty);
  });

  test('is a fault as long as no scan is complete', async () => {
    const { core, begin, first, errors, status: deviceStatus, field } = await measuring();
    for (let number = first; number < first + 30; number++) {
      begin(number);
      core.pass(90);
      core.pass(828);
      if (number > first) expect([deviceStatus(), field()]).toEqual([faulty, FieldState.INACTIVE]);
    }
    expect(errors()).toHaveLength(1);
  });
});

describe.each<[string, (core: DrivenCore) => void, RegExp]>([
  [
    'beams that go back',
    (core) => core.pass(399),
    /its measured beams: expected a whole number from 400 to 829 in scan \d+, got 399$/,
  ],
  [
    'more beams than there are',
    (core) => core.pass(830),
    /expected a whole number from 400 to 829 in scan \d+, got 830$/,
  ],
  ['NaN', (core) => core.pass(Number.NaN), /got NaN$/],
  ['a part of a beam', (core) => core.pass(400.5), /got 400\.5$/],
  ['a text', (core) => Reflect.apply(core.pass, core, ['500']), /got 500$/],
  [
    'another time',
    (core) => {
      core.scan.time += 1;
      core.pass(500);
    },
    /its time changes from [\d.]+ to [\d.]+ µs after 400 beams of scan \d+$/,
  ],
  [
    'another geometry',
    (core) => {
      Object.assign(core, {
        scan: Object.assign(Object.create(null), core.scan, {
          geometry: { ...core.scan.geometry, step: 0.3 },
        }),
      });
      core.pass(500);
    },
    /its geometry changes after 400 beams of scan \d+$/,
  ],
])('%s in the middle of a scan', (_, spoil, why) => {
  test('is told, the rest of the scan is not used, and the next scan is', async () => {
    const {
      core,
      begin,
      first,
      seenSince,
      errors,
      status: deviceStatus,
      measuring: state,
    } = await measuring();
    begin(first);
    const { scan } = core;
    core.pass(400);
    spoil(core);
    core.pass(600);
    expect(errors()).toEqual([expect.stringMatching(why)]);
    core.scan = scan;
    core.pass(700);
    core.pass();
    expect(seenSince()).toEqual([0, 1, 2, 3].map((index) => `${first}.${index}`));
    expect(deviceStatus()).toBe(faulty);
    begin(first + 1);
    core.pass(400);
    core.pass();
    expect([deviceStatus(), errors().length, state.scans, state.skipped]).toEqual([well, 1, 1, 1]);
  });
});

test('a scan whose first part cannot be used is not used at all, and is told once', async () => {
  const { core, begin, revolution, first, seenSince, errors, status: deviceStatus } = await measuring();
  revolution(first, [90, beams]);
  seenSince();
  begin(first + 1);
  core.scan.time += 10_000_000;
  for (const end of [90, 180, beams]) core.pass(end);
  expect(seenSince()).toEqual([]);
  expect([deviceStatus(), errors()]).toEqual([faulty, [expect.stringMatching(/its time: expected µs/)]]);
  begin(first + 2);
  core.pass(90);
  core.pass();
  expect(deviceStatus()).toBe(well);
});

test('a number that has jumped for good counts when three scans in parts follow it', async () => {
  const { core, begin, revolution, first, seenSince, status: deviceStatus } = await measuring();
  revolution(first, [400, beams]);
  for (let more = 1; more < 6; more++) {
    begin(first + more);
    core.scan.number += 1_000_000;
    for (const end of [90, 400, beams]) core.pass(end);
  }
  expect(seenSince().at(-1)).toBe(`scan ${first + 1_000_005}`);
  expect(deviceStatus()).toBe(well);
});

test('a core that passes nonsense between two parts completes its scan nevertheless', async () => {
  const { core, begin, first, seenSince, errors, status: deviceStatus } = await measuring();
  begin(first);
  core.pass(400);
  const { scan } = core;
  for (const nonsense of [undefined, null, {}, 'scan']) {
    Object.assign(core, { scan: nonsense });
    core.pass(500);
  }
  core.scan = scan;
  core.pass();
  expect(errors()).toHaveLength(1);
  expect(seenSince()).toHaveLength(11);
  expect(deviceStatus()).toBe(well);
});
