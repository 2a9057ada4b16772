import { group, method, variable } from '../declaration.js';
import {
  fieldOfView,
  PerformanceProfile,
  performanceProfiles,
  tableOfProfiles,
} from '../performance-profile.js';
import { array } from '../types/array.js';
import { boolean, enumeration } from '../types/enumeration.js';
import { integer } from '../types/integer.js';
import { string } from '../types/string.js';
import { struct } from '../types/struct.js';
import { stateChange } from './shared-types.js';

/** Selection of the echoes of a beam. */
export const SensitivityMode = { MAXIMUM_ROBUSTNESS: 0, STANDARD: 1, MAXIMUM_DETECTIVITY: 2 } as const;

export const LEDColor = { GREEN: 0, YELLOW: 1, RED: 2, WHITE: 3 } as const;

export const LEDFunction = {
  ON: 0,
  OFF: 1,
  BLINKING: 2,
  BLINKING_FAST: 3,
  BLINKING_DELAYED: 4,
  BLINKING_COLOR: 5,
  BLINKING_YELLOW_RED: 6,
} as const;

const lamp = struct({
  Color: enumeration(LEDColor, LEDColor.GREEN),
  Function: enumeration(LEDFunction, LEDFunction.ON),
  Id: string({ maxLength: 8, padded: true }),
});

/** Lamps of a scanner: one shows its state, the other one helps to find it. */
export const LampId = { STATE: 'LED2', FIND: 'LED1' } as const;

const scanRange = struct({
  udiAngleRes: integer('uint32', { minimum: 500, maximum: 10_000, initial: 2500 }),
  diStartAngle: integer('int32', { ...fieldOfView, initial: fieldOfView.minimum }),
  diStopAngle: integer('int32', { ...fieldOfView, initial: fieldOfView.maximum }),
});

export const basicSettings = group('Basic settings', {
  PerformanceProfileNumber: variable(enumeration(PerformanceProfile, PerformanceProfile.MODE_2), {
    write: 'AuthorizedClient',
    variant: 'basic',
    // Profile of 20 Hz and 0.1°.
    valueIfAbsent: PerformanceProfile.MODE_3,
    text: 'Number of the profile. A profile sets the scan frequency and the angular resolution.',
    values: tableOfProfiles(performanceProfiles),
  }),
  ScanConfig: variable(
    struct({
      udiScanFreq: integer('uint32', { minimum: 1500, maximum: 5000, initial: 4000 }),
      ScanRange: struct({
        uiLength: integer('uint16', { minimum: 1, maximum: 1 }),
        aRange: array(scanRange, { minItems: 1, maxItems: 1 }),
      }),
    }),
    {
      unit: '1/100 Hz; 1/10000°',
      units: {
        udiScanFreq: '1/100 Hz',
        udiAngleRes: '1/10000°',
        diStartAngle: '1/10000°',
        diStopAngle: '1/10000°',
      },
      text: 'Scan frequency, angular resolution and field of view of the current profile.',
    },
  ),
  AutoStartMeasure: variable(boolean(true), {
    write: 'AuthorizedClient',
    text: 'Whether the scanner starts measuring after each boot.',
  }),
  mStartMeasure: method({
    level: 'AuthorizedClient',
    response: { ErrorCode: stateChange() },
    done: { ErrorCode: 0 },
    text: 'Starts measuring.',
  }),
  mStopMeasure: method({
    level: 'AuthorizedClient',
    response: { ErrorCode: stateChange() },
    done: { ErrorCode: 0 },
    text: 'Stops measuring.',
  }),
  mStandby: method({
    level: 'AuthorizedClient',
    response: { ErrorCode: stateChange() },
    done: { ErrorCode: 0 },
    text: 'Switches laser and motor off, until measuring is started again.',
  }),
  SensitivityMode: variable(enumeration(SensitivityMode, SensitivityMode.STANDARD), {
    write: 'AuthorizedClient',
    variant: 'basic',
    text: 'Whether the scanner detects dark objects better, or is more robust to interference.',
  }),
  EnableLongRangeMode: variable(boolean(), {
    write: 'AuthorizedClient',
    variant: 'basic',
    text: 'Increases the measuring range.',
  }),
  LEDEnable: variable(boolean(true), {
    write: 'AuthorizedClient',
    text: 'Switches the lamps of the scanner on or off.',
  }),
  LEDState: variable(array(lamp, { maxItems: 8 }), {
    text: 'Current state of each lamp of the scanner.',
  }),
});
