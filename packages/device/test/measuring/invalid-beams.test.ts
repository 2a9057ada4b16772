import {
  contaminationIndication,
  DeviceStatus,
  extensions,
  FieldState,
  fieldEvaluation,
  filter,
  inputsAndOutputs,
  perpendicularDistance,
  SCdevicestate,
  status,
} from '@azimuth/model';
import { atService, TestDevice } from '@azimuth/test-support/test-device';
import { describe, expect, test } from 'vitest';
import type { Scan } from '../../src/index.js';
import type { OutputSegment } from '../../src/network-interface.js';
import { evaluation, group } from '../field-evaluation/field-test-device.js';
import { arc, nothing, ScriptedCore, type Sight } from '../field-evaluation/scripted-core.js';

const { fields } = extensions.members;
const { FieldEvaluationResult } = fieldEvaluation.members;
const { INACTIVE, FREE, INFRINGED, DETECTING_FREE } = FieldState;
const thing = arc(-5, 5, 2000);
const line = [
  { x: 500, y: 0 },
  { x: 500, y: 1000 },
];

type Spoil = (scan: Scan, place: number) => void;

/** A core with invalid beams. Straight ahead is beam 90. */
class SpoiltCore extends ScriptedCore {
  spoil: Spoil | undefined;
  beams: readonly number[] = [];

  override start(...[order, measured]: Parameters<ScriptedCore['start']>): void {
    super.start(order, (scan) => {
      for (const beam of this.spoil === undefined ? [] : this.beams) this.spoil?.(scan, 3 * beam);
      measured(scan);
    });
  }
}

const everyBeam = Array.from({ length: 181 }, (_, beam) => beam);

async function spoilt({ sight = thing }: { sight?: Sight } = {}) {
  const core = new SpoiltCore();
  core.sight = sight;
  core.beams = everyBeam;
  const testDevice = await TestDevice.open({ core });
  const { device, clock, log } = testDevice;
  device.write(
    fields,
    {
      evaluations: [evaluation({ Id: 1 }), evaluation({ Id: 2, Type: 1, ReferenceLine: line })],
      groups: [group(1, [1]), group(2, [2])],
    },
    atService,
  );
  const segments: OutputSegment[] = [];
  device.features.measuring.watch({
    segment: (segment) =>
      segments.push({ ...segment, distance: segment.distance.slice(), rssi: segment.rssi.slice() }),
  });
  const seen: number[] = [];
  device.announcements.subscribe((changed) => {
    if (changed.includes(FieldEvaluationResult)) seen.push(state());
  });
  const state = () => device.read(FieldEvaluationResult).EvaluationResultList[0]?.State ?? -1;
  return {
    ...{ testDevice, device, clock, core, segments, seen, state },
    distances: () =>
      device.read(perpendicularDistance.members.perpendicularDistanceResult).evaluations.length,
    deviceStatus: () => device.read(status.members.DeviceStatus),
    errors: () => log.errors,
  };
}

/** Impossible values. A scripted echo has 2000 mm and RSSI 1000. */
const impossible: readonly (readonly [string, Spoil])[] = [
  ['NaN', (scan, at) => scan.distance.fill(Number.NaN, at, at + 1)],
  ['NaN in the second echo', (scan, at) => scan.distance.fill(Number.NaN, at + 1, at + 2)],
  ['NaN in the third echo', (scan, at) => scan.distance.fill(Number.NaN, at + 2, at + 3)],
  ['infinite', (scan, at) => scan.distance.fill(Number.POSITIVE_INFINITY, at, at + 1)],
  ['negatively infinite', (scan, at) => scan.distance.fill(Number.NEGATIVE_INFINITY, at, at + 1)],
  ['negative', (scan, at) => scan.distance.fill(-2000, at, at + 1)],
  ['above 16 bits', (scan, at) => scan.distance.fill(65_536, at, at + 1)],
  [
    'an RSSI without a distance',
    (scan, at) => {
      scan.distance.fill(0, at, at + 3);
      scan.rssi.fill(0, at, at + 3).fill(7, at, at + 1);
    },
  ],
  [
    'an echo behind a gap',
    (scan, at) => {
      scan.distance.fill(0, at, at + 1).fill(2000, at + 1, at + 2);
      scan.rssi.fill(0, at, at + 1).fill(500, at + 1, at + 2);
    },
  ],
];

describe.each(impossible)('a beam with %s', (_, spoil) => {
  test('leaves a field unknown, never free, and is an error from the third scan on, until it is right', async () => {
    const { clock, core, state, seen, segments, distances, deviceStatus, errors, device } = await spoilt();
    clock.advance(460);
    expect([state(), distances()]).toEqual([INFRINGED, 1]);
    seen.length = 0;
    core.spoil = spoil;
    // One scan with invalid beams, complete 50 ms after it begins.
    clock.advance(100);
    expect([state(), distances(), deviceStatus()]).toEqual([INACTIVE, 0, DeviceStatus.DS_NormalOperation]);
    segments.length = 0;
    clock.advance(900);
    expect(segments.length).toBeGreaterThan(5);
    expect(segments.every(({ distance }) => distance.every((mm) => mm === 0))).toBe(true);
    expect(segments.every(({ rssi }) => rssi.every((strength) => strength === 0))).toBe(true);
    expect([state(), deviceStatus()]).toEqual([INACTIVE, DeviceStatus.DS_RecoverableError]);
    expect(device.read(status.members.SCdevicestate)).toBe(SCdevicestate.Error);
    expect(device.features.deviceStatus.conditions.inForce).toEqual({
      DS_RecoverableError: ['failing: values of the measuring core'],
    });
    expect(errors().map(({ message }) => message)).toEqual([
      'The measuring core passes values that no measurement can have',
    ]);
    expect(String(errors()[0]?.facts.reason)).toMatch(/^beam 0: distances /);
    core.spoil = undefined;
    clock.advance(200);
    expect([state(), distances(), deviceStatus()]).toEqual([INFRINGED, 1, DeviceStatus.DS_NormalOperation]);
    expect(seen).not.toContain(FREE);
    expect(errors()).toHaveLength(1);
  });
});

test('a beam without an echo is valid', async () => {
  const { clock, state, deviceStatus, errors } = await spoilt({ sight: nothing });
  clock.advance(2000);
  expect([state(), deviceStatus(), errors()]).toEqual([FREE, DeviceStatus.DS_NormalOperation, []]);
});

test.each([null, '', false, '3000', Symbol('no echo')])(
  'a distance %j in an array of any type is no echo that is missing',
  async (distance) => {
    const { clock, core, state, seen, deviceStatus } = await spoilt();
    clock.advance(460);
    seen.length = 0;
    core.spoil = (scan) => {
      const distances: unknown[] = [...scan.distance].map((mm, place) => (place % 3 === 0 ? distance : mm));
      Object.assign(scan, { distance: distances, rssi: new Uint16Array(scan.rssi.length) });
    };
    core.beams = [0];
    clock.advance(1000);
    expect([state(), deviceStatus()]).toEqual([INACTIVE, DeviceStatus.DS_RecoverableError]);
    expect(seen).not.toContain(FREE);
  },
);

test('numbers that are not of 16 bits are found in arrays of any type', async () => {
  const { clock, core, state, deviceStatus } = await spoilt({ sight: arc(0, 0, 2000) });
  for (const wrong of [Number.NaN, -1, 65_536, Number.POSITIVE_INFINITY]) {
    core.spoil = (scan) => {
      if (scan.rssi instanceof Uint16Array) Object.assign(scan, { rssi: [...scan.rssi] });
      scan.rssi[270] = wrong;
    };
    clock.advance(1000);
    expect([wrong, state(), deviceStatus()]).toEqual([wrong, INACTIVE, DeviceStatus.DS_RecoverableError]);
    core.spoil = undefined;
    clock.advance(1000);
  }
});

test('two scans in a row are not reported, and leave only the fields unknown that need the beam', async () => {
  const { clock, core, state, deviceStatus, errors } = await spoilt({ sight: nothing });
  core.spoil = (scan, at) => scan.distance.fill(Number.NaN, at, at + 1);
  // The object is behind the field, which is ahead.
  core.beams = [0];
  clock.advance(180);
  expect([state(), deviceStatus(), errors()]).toEqual([FREE, DeviceStatus.DS_NormalOperation, []]);
  core.beams = [90];
  core.spoil = undefined;
  clock.advance(200);
  core.spoil = (scan, at) => scan.distance.fill(Number.NaN, at, at + 1);
  clock.advance(200);
  expect([state(), deviceStatus(), errors()]).toEqual([INACTIVE, DeviceStatus.DS_NormalOperation, []]);
  core.spoil = undefined;
  clock.advance(100);
  expect(state()).toBe(FREE);
});

test('an object that valid beams show infringes a field, whatever the others have, but gives no distance', async () => {
  const { clock, core, state, distances } = await spoilt();
  core.spoil = (scan, at) => scan.distance.fill(Number.NaN, at, at + 1);
  core.beams = [80, 100];
  clock.advance(1000);
  expect([state(), distances()]).toEqual([INFRINGED, 0]);
});

test('a field does not become free while every other scan has invalid beams', async () => {
  const { clock, core, device, seen } = await spoilt();
  const evaluations = [evaluation({ Id: 1, TimeForFreeState: 150 })];
  device.write(fields, { evaluations, groups: [group(1, [1])] }, atService);
  clock.advance(460);
  expect(seen.at(-1)).toBe(INFRINGED);
  core.sight = nothing;
  core.beams = [90];
  let scans = 0;
  core.spoil = (scan, at) => {
    scans += 1;
    if (scans % 2 === 0) scan.distance.fill(Number.NaN, at, at + 1);
  };
  seen.length = 0;
  clock.advance(2000);
  expect(new Set(seen)).toEqual(new Set([INACTIVE, DETECTING_FREE]));
  core.spoil = undefined;
  clock.advance(300);
  expect(seen.at(-1)).toBe(FREE);
});

describe('an output that follows a field', () => {
  async function withOutput() {
    const scanner = await spoilt();
    const { PortConfiguration, OutputState } = inputsAndOutputs.members;
    const { device } = scanner;
    const [source] = device.read(PortConfiguration)[1]?.OutputSettings.Sources ?? [];
    const sources = (...names: readonly string[]) =>
      names.map((Name) => ({ ...source, Name, Invert: false, Reserved5: 0, Reserved6: 0 }));
    const ports = device.read(PortConfiguration).map((port, index) => ({
      ...port,
      PortType: 1,
      OutputSettings: { ...port.OutputSettings, Sources: index === 1 ? sources('FE01') : sources('DRDY') },
    }));
    device.write(PortConfiguration, ports, atService);
    const isHigh = (port: number) => device.read(OutputState).aDigitalOut[port - 1]?.IOState.eIOState === 1;
    return { ...scanner, field: () => isHigh(2), ready: () => isHigh(3) };
  }

  test('stays active until the scanner is not ready any more', async () => {
    const { clock, core, field, ready } = await withOutput();
    clock.advance(460);
    expect([field(), ready()]).toEqual([true, true]);
    core.spoil = (scan, at) => scan.distance.fill(Number.NaN, at, at + 1);
    // Two scans with invalid beams.
    clock.advance(200);
    expect([field(), ready()]).toEqual([true, true]);
    clock.advance(100);
    expect([field(), ready()]).toEqual([false, false]);
    core.spoil = undefined;
    clock.advance(200);
    expect([field(), ready()]).toEqual([true, true]);
  });
});

test('teach-in makes no field of beams that were never valid', async () => {
  const { testDevice, clock, core, device } = await spoilt({ sight: () => [3000] });
  device.write(fields, { evaluations: [], groups: [] }, atService);
  core.spoil = (scan, at) => scan.distance.fill(Number.NaN, at, at + 1);
  core.beams = [10, 11];
  await testDevice.respond('StartTeachIn');
  clock.advance(1000);
  await expect(testDevice.call('StopTeachIn')).rejects.toThrow(
    '2 beams had no valid values since StartTeachIn',
  );
  expect(device.read(fields).evaluations).toEqual([]);
  await testDevice.respond('StartTeachIn');
  clock.advance(300);
  // One valid scan is enough.
  core.spoil = undefined;
  clock.advance(300);
  await testDevice.respond('StopTeachIn');
  expect(device.read(fields).evaluations).toHaveLength(1);
});

test('the particle filter removes no echo beside an invalid beam', async () => {
  const { clock, core, device } = await spoilt({ sight: nothing });
  const { LFPparticle } = filter.members;
  device.write(LFPparticle, { ...device.read(LFPparticle), bEnable: true }, atService);
  const ahead: number[] = [];
  device.features.measuring.watch({ scan: ({ distance }) => void ahead.push(distance[3 * 90] ?? -1) });
  /** Echoes of the beam straight ahead for an object that is there for one scan. */
  const shown = () => {
    core.sight = nothing;
    clock.advance(500);
    core.sight = arc(0, 0, 2000);
    ahead.length = 0;
    while (ahead.length === 0) clock.advance(10);
    return ahead;
  };
  expect(shown()).toEqual([0]);
  core.spoil = (scan, at) => scan.distance.fill(Number.NaN, at, at + 1);
  core.beams = [89, 91];
  expect(shown()).toEqual([2000]);
});

test('dirt that the hardware reports changes no scan', async () => {
  const core = new ScriptedCore();
  core.sight = () => [2000];
  let dirt: readonly number[] = [];
  const { clock, device, log } = await TestDevice.open({
    core,
    hardware: {
      log: { info() {}, warn() {}, error() {} },
      temperature: () => 20,
      contamination: () => dirt,
    },
  });
  const { ContaminationConfig, ContaminationResult } = contaminationIndication.members;
  device.write(ContaminationConfig, { ...device.read(ContaminationConfig), eStrategy: 2 }, atService);
  const strengths = new Set<number>();
  device.features.measuring.watch({
    scan: ({ rssi }) => void strengths.add(rssi[0] ?? 0).add(rssi[270] ?? 0),
  });
  dirt = Array.from({ length: 12 }, () => 0.94);
  clock.advance(10_000);
  // The indication follows it without a call.
  expect(device.read(ContaminationResult)).toEqual({ bWarningActive: true, bErrorActive: true });
  // 4 × 257 is the nearest strength to 1000 that a telegram can state.
  expect([...strengths]).toEqual([1028]);
  expect(log.errors).toEqual([]);
});
