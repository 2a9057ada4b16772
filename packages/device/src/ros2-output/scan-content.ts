import {
  basicSettings,
  dataReduction,
  EchoFilter,
  filter,
  measurementDataOutput,
  mountingPosition,
  performanceProfiles,
  ScanDataFormat,
  type ValueOf,
} from '@azimuth/model';
import {
  type BeamRange,
  segmentRanges,
  shownSegments,
  visibleBeams,
} from '../data-reduction/output-segments.js';
import type { Parameters } from '../parameters/parameters.js';
import { echoesPerBeam, geometryOf, type ScanGeometry } from '../scan/scan.js';

/** Which beams of a scan are published, and what receivers need to know about it. */
export interface ScanContent {
  readonly geometry: ScanGeometry;
  readonly visible: BeamRange;
  /** The beams of the segments that have visible beams. A segment has topics of its own, with its number from 0 here. */
  readonly segments: readonly BeamRange[];
  /** Every n-th visible beam is published, from the first on. */
  readonly increment: number;
  /** Places for echoes of each beam: 3, or 1 with an echo filter. */
  readonly echoes: number;
  /** Scans whose number is a multiple of this are published. */
  readonly every: number;
  /** The farthest distance that is published, in m: the one that telegrams can state. Measuring cores state none. */
  readonly rangeMax: number;
  /** How clouds of points are moved. */
  readonly position: ValueOf<'SensorPosition'>;
}

/** Distances of telegrams have 16 bits, in mm; with long range in steps of 2 mm. */
const farthest = 65.535;

const { LFPangleRangeFilter, LFPintervalFilter } = dataReduction.members;
const { EnableLongRangeMode, PerformanceProfileNumber } = basicSettings.members;
const { FREchoFilter } = filter.members;
const { SensorPosition } = mountingPosition.members;

/** The most segments that a scan of a performance profile has. */
export const mostSegments = Math.max(
  ...Object.values(performanceProfiles).map((profile) => segmentRanges(geometryOf(profile)).length),
);

/**
 * The content of scans according to the settings. The step from beam to beam is the same throughout, which is not so in
 * telegrams: their segments begin to count anew.
 * @param geometry of the scans; that of the performance profile if it is left out
 */
export function scanContentOf(
  parameters: Parameters,
  geometry: ScanGeometry = geometryOf(performanceProfiles[parameters.read(PerformanceProfileNumber)]),
): ScanContent {
  const range = parameters.read(LFPangleRangeFilter);
  const interval = parameters.read(LFPintervalFilter);
  const visible = visibleBeams(geometry, range);
  return {
    geometry,
    visible,
    segments: shownSegments(geometry, visible).slice(0, mostSegments),
    increment: range.bEnable ? range.uiBeamIncrement : 1,
    echoes: parameters.read(FREchoFilter) === EchoFilter.ALL_ECHOS ? echoesPerBeam : 1,
    every: interval.bEnable ? interval.uiReductionFactor : 1,
    rangeMax: parameters.read(EnableLongRangeMode) ? 2 * farthest : farthest,
    position: parameters.read(SensorPosition),
  };
}

/** What the content depends on. */
export const scanContentFollows = [
  PerformanceProfileNumber,
  LFPangleRangeFilter,
  LFPintervalFilter,
  FREchoFilter,
  EnableLongRangeMode,
  SensorPosition,
] as const;

const { ScanDataEnable, ScanDataFormat: format, rosDomainId } = measurementDataOutput.members;
const { rosNamespace, rosFrameId, rosParentFrameId } = measurementDataOutput.members;

/** What the scanner is in ROS 2, as written: names may contain characters that ROS 2 does not permit. */
export interface Ros2Settings {
  readonly domain: number;
  readonly namespace: string;
  readonly frame: string;
  readonly parentFrame: string;
}

/** The variables that say whether the scanner is in ROS 2, and what it is there. */
export const ros2Follows = [
  ScanDataEnable,
  format,
  rosDomainId,
  rosNamespace,
  rosFrameId,
  rosParentFrameId,
] as const;

/** Does ScanDataFormat request native ROS 2, and does this release have it (2.2.0 and later)? */
export function isNativeRos2(parameters: Parameters): boolean {
  return parameters.read(format) === ScanDataFormat.NativeROS2 && parameters.has(rosFrameId);
}

/** The present settings; undefined while native ROS 2 is off. Releases below 2.3.1 know only domain 0. */
export function ros2SettingsOf(parameters: Parameters): Ros2Settings | undefined {
  if (!isNativeRos2(parameters) || !parameters.read(ScanDataEnable)) return undefined;
  return {
    domain: parameters.has(rosDomainId) ? parameters.read(rosDomainId) : 0,
    namespace: parameters.read(rosNamespace),
    frame: parameters.read(rosFrameId),
    parentFrame: parameters.read(rosParentFrameId),
  };
}
