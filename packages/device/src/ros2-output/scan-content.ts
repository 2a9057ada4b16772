import { basicSettings, dataReduction, EchoFilter, filter } from '@azimuth/model';
import { type BeamRange, visibleBeams } from '../data-reduction/output-segments.js';
import type { Parameters } from '../parameters/parameters.js';
import { echoesPerBeam, type ScanGeometry } from '../scan/scan.js';

/** Which beams of a scan are published, and what receivers need to know about it. */
export interface ScanContent {
  readonly geometry: ScanGeometry;
  readonly visible: BeamRange;
  /** Every n-th visible beam is published, from the first on. */
  readonly increment: number;
  /** Places for echoes of each beam: 3, or 1 with an echo filter. */
  readonly echoes: number;
  /** Scans whose number is a multiple of this are published. */
  readonly every: number;
  /** The farthest distance that is published, in m: the one that telegrams can state. Measuring cores state none. */
  readonly rangeMax: number;
}

/** Distances of telegrams have 16 bits, in mm; with long range in steps of 2 mm. */
const farthest = 65.535;

const { LFPangleRangeFilter, LFPintervalFilter } = dataReduction.members;

/** Places for echoes of each beam after the echo filter. */
export function echoesOf(parameters: Parameters): number {
  return parameters.read(filter.members.FREchoFilter) === EchoFilter.ALL_ECHOS ? echoesPerBeam : 1;
}

/**
 * The content of whole scans of this geometry, according to the settings. The step from beam to beam is the same
 * throughout, which is not so in telegrams: their segments begin to count anew.
 */
export function scanContentOf(parameters: Parameters, geometry: ScanGeometry): ScanContent {
  const range = parameters.read(LFPangleRangeFilter);
  const interval = parameters.read(LFPintervalFilter);
  const isLong = parameters.read(basicSettings.members.EnableLongRangeMode);
  return {
    geometry,
    visible: visibleBeams(geometry, range),
    increment: range.bEnable ? range.uiBeamIncrement : 1,
    echoes: echoesOf(parameters),
    every: interval.bEnable ? interval.uiReductionFactor : 1,
    rangeMax: isLong ? 2 * farthest : farthest,
  };
}

/** What the content depends on. */
export const scanContentFollows = [
  LFPangleRangeFilter,
  LFPintervalFilter,
  filter.members.FREchoFilter,
  basicSettings.members.EnableLongRangeMode,
] as const;
