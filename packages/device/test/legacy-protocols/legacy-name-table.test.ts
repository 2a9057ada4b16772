import { readFileSync } from 'node:fs';
import { dataReduction, legacyOnlyNames, measurementDataOutput, type Release } from '@azimuth/model';
import { TestDevice } from '@azimuth/test-support/test-device';
import { describe, expect, test } from 'vitest';
import { legacyBeams, legacyNames } from '../../src/legacy-protocols/index.js';
import type { LegacyVariable } from '../../src/legacy-protocols/legacy-name.js';
import { legacyNamesOf } from '../../src/legacy-protocols/legacy-name-table.js';

const { LFPangleRangeFilter } = dataReduction.members;
const { ScanDataConfig } = measurementDataOutput.members;

function variable(name: string): LegacyVariable {
  const entry = legacyNames.get(name);
  if (entry?.kind !== 'variable') throw new TypeError(`${name} is no variable`);
  return entry;
}

describe('LMPoutputRange', () => {
  const range = variable('LMPoutputRange');

  test('tells the beams that are sent, counted from the right-hand side', async () => {
    const { device } = await TestDevice.open();
    expect(range.read(device)).toEqual({ count: 1, step: 3333, start: -480_000, stop: 2_280_000 });
    const filter = device.parameters.read(LFPangleRangeFilter);
    // The range is -10.1 to 10.1 degrees: the beams at -10 and 10 are the first and the last visible one.
    device.parameters.change((change) =>
      change.set(LFPangleRangeFilter, {
        ...filter,
        bEnable: true,
        fThetaStart: -101_000,
        fThetaStop: 101_000,
      }),
    );
    expect(range.read(device)).toEqual({ count: 1, step: 3333, start: 800_000, stop: 1_000_000 });
    // Every 10th of 61 beams, the last one among them.
    const every = (uiBeamIncrement: number) =>
      device.parameters.change((change) =>
        change.set(LFPangleRangeFilter, {
          ...filter,
          bEnable: true,
          fThetaStart: -100_000,
          fThetaStop: 100_000,
          uiBeamIncrement,
        }),
      );
    every(10);
    expect(range.read(device)).toEqual({ count: 1, step: 33_330, start: 800_000, stop: 1_000_000 });
    expect(legacyBeams(device.parameters)).toMatchObject({ increment: 10, start: 800_000 });
    // Every 19th is the most that fits into 16 bits of a step: beams 0, 19, 38 and 57, which is 19 degrees further.
    every(20);
    expect(range.read(device)).toEqual({ count: 1, step: 63_327, start: 800_000, stop: 990_000 });
  });

  test('sets LFPangleRangeFilter within the field of view, and leaves the rest of it', async () => {
    const { device } = await TestDevice.open();
    range.write?.(device, { count: 1, step: 1, start: -600_000, stop: 900_000 });
    expect(device.parameters.read(LFPangleRangeFilter)).toEqual({
      bEnable: true,
      fThetaStart: -1_380_000,
      fThetaStop: 0,
      fPhiStart: -900_000,
      fPhiStop: 900_000,
      uiBeamIncrement: 1,
    });
    expect(range.read(device)).toMatchObject({ start: -480_000, stop: 900_000 });
    expect(() => range.write?.(device, { count: 1, step: 1, start: 9, stop: 9 })).toThrow('no part');
    expect(() => range.write?.(device, { count: 1, step: 1, start: 2_400_000, stop: 2_500_000 })).toThrow();
  });
});

describe('LMDscandatacfg', () => {
  const config = variable('LMDscandatacfg');

  const factory = {
    ...{ reserved1: 0, reserved2: 0, remission: 1, reserved3: 0, reserved4: 0 },
    ...{ encoder: 0, encoderHigh: 0, reserved5: false, deviceName: false, reserved6: false, time: false },
    reserved7: 1,
  };

  test('is ScanDataConfig, member by member', async () => {
    const { device } = await TestDevice.open();
    const before = device.parameters.read(ScanDataConfig);
    expect(config.read(device)).toEqual(factory);
    config.write?.(device, config.read(device));
    expect(device.parameters.read(ScanDataConfig)).toEqual(before);
    config.write?.(device, { ...factory, remission: 0, encoder: 1, deviceName: true, time: true });
    expect(device.parameters.read(ScanDataConfig)).toEqual({
      ...before,
      RemDataConfig: { ...before.RemDataConfig, bEnable: false },
      EnableEncoderBlock: true,
      bEnableDeviceName: true,
      bEnableTimeBlock: true,
    });
  });

  test('takes what clients of other families write, and reads what is reserved as it left the factory', async () => {
    const { device } = await TestDevice.open();
    // A mask of channels, 16 bits of remission, in percent, position, comment, every tenth scan.
    const written = { reserved1: 31, reserved2: 1, reserved3: 1, reserved4: 1, reserved5: true };
    config.write?.(device, { ...factory, ...written, reserved6: true, reserved7: 10, time: true });
    expect(config.read(device)).toEqual({ ...factory, time: true });
  });
});

test('STlms tells whether it measures, and the time', async () => {
  const { device } = await TestDevice.open();
  expect(variable('STlms').read(device)).toMatchObject({ state: 7, outsideTemperatureRange: false });
  device.features.measuring.request('stopped');
  const reported = variable('STlms').read(device);
  expect(reported).toMatchObject({
    state: 3,
    time: expect.stringMatching(/^\d\d:\d\d:\d\d$/),
    date: expect.stringMatching(/^\d\d\.\d\d\.\d{4}$/),
  });
});

test.each([
  ['1.4.0', true],
  ['2.4.4', true],
] satisfies readonly [Release, boolean][])(
  'release %s knows the legacy names of the endpoints that it has',
  (release, has) => {
    const names = legacyNamesOf({ release, variant: 'full' });
    for (const name of ['mEEwriteall', 'LMCstartmeas', 'ODoprh', 'LMPoutputRange', 'field000', 'field047']) {
      expect(names.has(name), name).toBe(has);
    }
    expect(names.has('field048')).toBe(false);
  },
);

test('none of them is a name of the interface', async () => {
  const { device } = await TestDevice.open();
  for (const name of legacyNames.keys()) expect(device.served.endpoints.has(name), name).toBe(false);
});

test('no own variable of a product can have one of them', () => {
  expect([...legacyNames.keys()].filter((name) => !legacyOnlyNames.includes(name))).toEqual([]);
});

test('the page of the legacy protocol names each of them', () => {
  const page = readFileSync(new URL('../../../../docs/legacy.md', import.meta.url), 'utf8');
  for (const name of legacyNames.keys()) {
    if (/^field\d/.test(name)) continue;
    expect(page, name).toContain(`| \`${name}\` |`);
  }
});
