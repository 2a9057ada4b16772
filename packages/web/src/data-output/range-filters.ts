import { dataReduction, regionOfInterest, type Variable } from '@azimuth/model';

const { LFPcubicareafilter, LFPradialDistanceRangeFilter } = regionOfInterest.members;
const { LFPangleRangeFilter, LFPintervalFilter } = dataReduction.members;

/** A filter with its switch and its settings. */
export interface Filter {
  readonly title: string;
  /** Its effect in one line. */
  readonly effect: string;
  readonly variable: Variable<unknown>;
  readonly members: readonly (readonly [member: string, label: string])[];
}

/** The member of each filter that switches it on. */
export const enableMember = 'bEnable';

/** The filters that keep what is in a region. */
export const rangeFilters: readonly Filter[] = [
  {
    title: 'Rectangle (x, y)',
    effect: 'Keeps what is inside of it. x points ahead, y to the left.',
    variable: LFPcubicareafilter,
    members: [
      ['lXMin', 'From x'],
      ['lXMax', 'To x'],
      ['lYMin', 'From y'],
      ['lYMax', 'To y'],
    ],
  },
  {
    title: 'Distance',
    effect: 'Keeps what is between two distances from the scanner.',
    variable: LFPradialDistanceRangeFilter,
    members: [
      ['ulDistMin', 'From'],
      ['ulDistMax', 'To'],
    ],
  },
];

export const reductionFilters: readonly Filter[] = [
  {
    title: 'Angle range',
    effect: 'Keeps the beams between two angles, and sends every n-th of them. 0° is ahead.',
    variable: LFPangleRangeFilter,
    members: [
      ['fThetaStart', 'From'],
      ['fThetaStop', 'To'],
      ['uiBeamIncrement', 'Every n-th beam'],
    ],
  },
  {
    title: 'Interval',
    effect: 'Sends every n-th scan. Fields still see all of them.',
    variable: LFPintervalFilter,
    members: [['uiReductionFactor', 'Every n-th scan']],
  },
];
