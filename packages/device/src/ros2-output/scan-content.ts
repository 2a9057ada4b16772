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

/** The published beams of a scan, and their properties. */
export interface ScanContent {
  readonly geometry: ScanGeometry;
  readonly visible: BeamRange;
  /**
   * The beams of the segments that have visible beams. Each segment has topics of its own, with its number from 0 here.
   */
  readonly segments: readonly BeamRange[];
  /** Every n-th visible beam is published, from the first on. */
  readonly increment: number;
  /** Places for echoes of each beam: 3, or 1 with an echo filter. */
  readonly echoes: number;
  /** Only scans whose number is a multiple of this value are published. */
  readonly every: number;
  /** The farthest published distance in m: the limit of telegrams. Measuring cores have no limit. */
  readonly rangeMax: number;
  /** Offset and rotation of point clouds. */
  readonly position: ValueOf<'SensorPosition'>;
}

/** Distances of telegrams have 16 bits, in mm; with long range in steps of 2 mm. */
const farthest = 65.535;

const { LFPangleRangeFilter, LFPintervalFilter } = dataReduction.members;
const { EnableLongRangeMode, PerformanceProfileNumber } = basicSettings.members;
const { FREchoFilter } = filter.members;
const { SensorPosition } = mountingPosition.members;

/** Maximum number of segments in a scan of a performance profile. */
export const mostSegments = Math.max(
  ...Object.values(performanceProfiles).map((profile) => segmentRanges(geometryOf(profile)).length),
);

/**
 * The content of scans according to the settings. The step between beams is constant, unlike in telegrams, where each
 * segment starts to count anew.
 * @param geometry of the scans; by default that of the performance profile
 */
export function scanContentOf(
  parameters: Parameters,
  geometry: ScanGeometry = geometryOf(parameters.profile),
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

/** Variables that determine the content. */
export const scanContentVariables = [
  PerformanceProfileNumber,
  LFPangleRangeFilter,
  LFPintervalFilter,
  FREchoFilter,
  EnableLongRangeMode,
  SensorPosition,
] as const;

const { ScanDataEnable, ScanDataFormat: format, rosDomainId } = measurementDataOutput.members;
const { rosNamespace, rosFrameId, rosParentFrameId } = measurementDataOutput.members;

/** Names of the scanner in ROS 2, as written. They may contain characters that ROS 2 does not permit. */
export interface Ros2Settings {
  readonly domain: number;
  readonly namespace: string;
  readonly frame: string;
  readonly parentFrame: string;
}

/** Variables that determine the presence of the scanner in ROS 2, and its names there. */
export const ros2Variables = [
  ScanDataEnable,
  format,
  rosDomainId,
  rosNamespace,
  rosFrameId,
  rosParentFrameId,
] as const;

/** True if ScanDataFormat selects native ROS 2, and this release has it (2.2.0 and later). */
export function isNativeRos2(parameters: Parameters): boolean {
  return parameters.read(format) === ScanDataFormat.NativeROS2 && parameters.has(rosFrameId);
}

/** The domain of the scanner. Releases below 2.3.1 know only domain 0. */
export function rosDomainOf(parameters: Parameters): number {
  return parameters.has(rosDomainId) ? parameters.read(rosDomainId) : 0;
}

/** The present settings. Undefined while native ROS 2 is off. */
export function ros2SettingsOf(parameters: Parameters): Ros2Settings | undefined {
  if (!isNativeRos2(parameters) || !parameters.read(ScanDataEnable)) return undefined;
  return {
    domain: rosDomainOf(parameters),
    namespace: parameters.read(rosNamespace),
    frame: parameters.read(rosFrameId),
    parentFrame: parameters.read(rosParentFrameId),
  };
}
