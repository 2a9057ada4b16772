import { given, type Json, type LegacyScansStep, type Matcher, type Step, write } from '../../steps/index.js';
import { ask, type Form } from './telegrams.js';
import { subscribed } from './variables.js';

export const place = 'guide: LMDscandata';
export const needed = [
  'ScanDataFormat',
  'PerformanceProfileNumber',
  'FREchoFilter',
  'LFPangleRangeFilter',
  'ScanDataConfig',
];
export const changed = [...needed, 'EnableLongRangeMode', 'LFPintervalFilter', 'LocationName'];

export const configLayout = 'u8 u8 u8 enum8 enum8 u8 u8 bool bool bool bool u16';

export const measures = given('DeviceStatus', { is: 3 }, 'a scanner that measures');

export const allAngles = write('LFPangleRangeFilter', {
  bEnable: false,
  fThetaStart: -1_380_000,
  fThetaStop: 1_380_000,
  fPhiStart: -900_000,
  fPhiStop: 900_000,
  uiBeamIncrement: 1,
});

/** The settings of all cases: format 3, profile 2, the whole view, one echo, every scan. */
export const usual: readonly Step[] = [
  measures,
  write('ScanDataFormat', 3),
  write('PerformanceProfileNumber', 2),
  write('FREchoFilter', 0),
  write('EnableLongRangeMode', false),
  allAngles,
  write('LFPintervalFilter', { bEnable: false, uiReductionFactor: 2 }),
  config({}),
];

/** Writes ScanDataConfig: signal strengths alone, unless stated. */
export function config(change: Readonly<Record<string, Json>>, strengths = true): Step {
  return write('ScanDataConfig', {
    reserved: 0,
    RemDataConfig: { bEnable: strengths, reserved1: 0, reserved2: 0 },
    EnableEncoderBlock: false,
    reserved1: false,
    bEnableDeviceName: false,
    reserved2: false,
    bEnableTimeBlock: false,
    reserved3: 1,
    ...change,
  });
}

export const follow = (form: Form, connection?: string): Step =>
  ask(
    form,
    'sEN LMDscandata 1',
    { ...subscribed('LMDscandata'), first: true },
    'enum8',
    connection === undefined ? {} : { connection },
  );

/** Scans after a change: the first ones may have begun before it. */
export function scans({ interface: letter }: Form, expect: Matcher, count = 3, skip = 3): LegacyScansStep {
  return { kind: 'legacy-scans', interface: letter, skip, count, expect };
}

export const each = (members: Readonly<Record<string, Matcher>>): Matcher => ({
  has: { scans: { items: { has: members }, atLeast: 1 } },
});
