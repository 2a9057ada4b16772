import { measurementDataOutput, ScanDataFormat } from '@azimuth/model';
import type { Parameters } from '../parameters/parameters.js';

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
