import { fieldOfView } from '../performance-profile.js';
import type { FaultDeclaration } from './wire-kinds.js';

/** Widest angle of a beam in degrees. */
const leftmost = fieldOfView.maximum / 10_000;
const rightmost = fieldOfView.minimum / 10_000;

/** The members of a fault of the beams in a range of angles. */
const rangeOfAngles = {
  from: {
    type: 'number',
    unit: '°',
    least: rightmost,
    most: leftmost,
    default: -10,
    text: 'first angle; 0 is straight ahead, positive angles are to the left',
  },
  to: {
    type: 'number',
    unit: '°',
    least: rightmost,
    most: leftmost,
    default: 10,
    text: 'last angle; if it is smaller than `from`, the range is behind the scanner',
  },
} as const;

/** Faults of the core itself. The scanner checks what comes of them, as it checks every core. */
export const coreKinds = {
  'core-stall': {
    occasion: 'scan',
    text: 'The measuring core passes nothing. After three revolutions it counts as silent.',
    members: {},
  },
  'core-time': {
    occasion: 'scan',
    text: 'The measuring core states a wrong time of a scan. A scan that is not later than the one before it is not used.',
    members: {
      by: {
        type: 'number',
        unit: 'ms',
        least: -1_000_000_000_000,
        most: 1_000_000_000_000,
        default: -1000,
        text: 'error of the time; negative values are back in time',
      },
    },
  },
  'core-number': {
    occasion: 'scan',
    text: 'The measuring core states a wrong number of a scan. A number that does not rise is not used.',
    members: {
      by: {
        type: 'number',
        unit: 'scans',
        integer: true,
        least: -1_000_000,
        most: 1_000_000,
        default: -10,
        text: 'error of the number; negative values count back',
      },
    },
  },
} as const satisfies Readonly<Record<string, FaultDeclaration>>;

/** Faults of measuring: of the echoes of scans, and of the times in telegrams. */
export const measuringKinds = {
  'scan-stuck': {
    occasion: 'scan',
    text: 'A scan has the echoes of the scan before it. Numbers and times go on.',
    members: {},
  },
  'scan-swapped': {
    occasion: 'scan',
    text: 'Two states alternate: the first of these scans is kept, and every second one from then on has its echoes again.',
    members: {},
  },
  'scan-invalid': {
    occasion: 'scan',
    text: 'Beams in a range of angles have a distance that no measurement can have. From the third such scan in succession on, DeviceStatus is 7.',
    members: {
      value: {
        type: 'choice',
        choices: ['nan', 'negative', 'infinite', 'far'],
        default: 'nan',
        text: 'the distance: no number, -1 mm, infinite, or 1 mm further than telegrams can state',
      },
      ...rangeOfAngles,
    },
  },
  'scan-rotated': {
    occasion: 'scan',
    text: 'All echoes are at wrong angles. Beams for which nothing is measured then have no echo. In telegrams of a core that passes scans in parts, beams may come later.',
    members: {
      beams: {
        type: 'number',
        unit: 'beams',
        integer: true,
        least: -100_000,
        most: 100_000,
        default: 1,
        text: 'by how much; positive values are counter-clockwise',
      },
      degrees: {
        type: 'number',
        unit: '°',
        least: -360,
        most: 360,
        text: 'by this angle instead, rounded to whole beams',
      },
    },
  },
  'scan-bias': {
    occasion: 'scan',
    text: 'All distances are wrong: multiplied by `scale`, then moved by `offset`. Echoes that would be nearer than 1 mm, or too far for a telegram, are lost.',
    members: {
      offset: {
        type: 'number',
        unit: 'mm',
        least: -200_000,
        most: 200_000,
        default: 50,
        text: 'positive values are too far',
      },
      scale: {
        type: 'number',
        least: 0.01,
        most: 100,
        default: 1,
        text: 'factor',
      },
    },
  },
  'range-noise': {
    occasion: 'scan',
    text: 'Each distance has an additional random error, normally distributed. Echoes that would be nearer than 1 mm, or too far for a telegram, are lost.',
    members: {
      deviation: {
        type: 'number',
        unit: 'mm',
        least: 0,
        most: 10_000,
        default: 30,
        text: 'standard deviation',
      },
    },
  },
  'sector-blind': {
    occasion: 'scan',
    text: 'Beams in a range of angles have no echoes.',
    members: {
      ...rangeOfAngles,
    },
  },
  'stamp-jitter': {
    occasion: 'scan',
    text: 'The times of the beams of a scan are wrong by a random time, in all telegrams of the scan by the same. The telegrams leave in time, and their times of sending are right.',
    members: {
      jitter: {
        type: 'number',
        unit: 'ms',
        least: 0,
        most: 60_000,
        default: 5,
        text: 'a random time up to this, forwards or back',
      },
    },
  },
  'clock-skew': {
    occasion: 'begin',
    text: 'The clock of the times in telegrams runs too fast or too slow: those of scans, IMU and encoder, and those of sending. A time server, a PTP master or a boot sets it right, and it drifts again from there. Afterwards the times are right. The device clock stays right.',
    members: {
      ppm: {
        type: 'number',
        unit: 'ppm',
        least: -100_000,
        most: 100_000,
        default: 100,
        text: 'µs too many in each second; negative values are too slow',
      },
    },
  },
} as const satisfies Readonly<Record<string, FaultDeclaration>>;
