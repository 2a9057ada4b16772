import { imuDataOutput, measurementDataOutput, mountingPosition, ScanDataFormat } from '@azimuth/model';
import { radPerUnit } from '../mounting-position/beam-directions.js';
import type { Parameters } from '../parameters/parameters.js';

const { ScanDataEnable, ScanDataFormat: format, rosDomainId } = measurementDataOutput.members;
const { rosNamespace, rosFrameId, rosParentFrameId } = measurementDataOutput.members;
const { ImuDataEnable } = imuDataOutput.members;
const { SensorPosition } = mountingPosition.members;

/** What the scanner is in ROS 2, as written: names may contain characters that ROS 2 does not permit. */
export interface Ros2Settings {
  readonly domain: number;
  readonly namespace: string;
  readonly frame: string;
  readonly parentFrame: string;
  /** Where the scanner is in the parent frame: x, y, z in m. */
  readonly translation: readonly [number, number, number];
  /** A unit quaternion w, x, y, z. */
  readonly rotation: readonly [number, number, number, number];
  readonly hasImu: boolean;
}

/** The variables that say whether the scanner is in ROS 2, and what it is there. */
export const ros2Follows = [
  ScanDataEnable,
  format,
  rosDomainId,
  rosNamespace,
  rosFrameId,
  rosParentFrameId,
  ImuDataEnable,
  SensorPosition,
] as const;

/** Does ScanDataFormat request native ROS 2, and does this release have it (2.2.0 and later)? */
export function isNativeRos2(parameters: Parameters): boolean {
  return parameters.read(format) === ScanDataFormat.NativeROS2 && parameters.has(rosDomainId);
}

/** The present settings; undefined while native ROS 2 is off. */
export function ros2SettingsOf(parameters: Parameters): Ros2Settings | undefined {
  if (!isNativeRos2(parameters) || !parameters.read(ScanDataEnable)) return undefined;
  const position = parameters.read(SensorPosition);
  return {
    domain: parameters.read(rosDomainId),
    namespace: parameters.read(rosNamespace),
    frame: parameters.read(rosFrameId),
    parentFrame: parameters.read(rosParentFrameId),
    translation: [position.x / 1000, position.y / 1000, position.z / 1000],
    rotation: rotationOf(position),
    hasImu: parameters.has(ImuDataEnable) && parameters.read(ImuDataEnable),
  };
}

/** Rz(yaw) · Ry(pitch) · Rx(roll) as a quaternion w, x, y, z; angles in 1/10000°. */
export function rotationOf(angles: {
  readonly yaw: number;
  readonly pitch: number;
  readonly roll: number;
}): [number, number, number, number] {
  const half = radPerUnit / 2;
  const [cy, sy] = [Math.cos(angles.yaw * half), Math.sin(angles.yaw * half)];
  const [cp, sp] = [Math.cos(angles.pitch * half), Math.sin(angles.pitch * half)];
  const [cr, sr] = [Math.cos(angles.roll * half), Math.sin(angles.roll * half)];
  return [
    cr * cp * cy + sr * sp * sy,
    sr * cp * cy - cr * sp * sy,
    cr * sp * cy + sr * cp * sy,
    cr * cp * sy - sr * sp * cy,
  ];
}
