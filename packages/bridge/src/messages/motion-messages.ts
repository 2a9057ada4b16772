import type { ImuTelegram } from '@azimuth/client';
import type { ValueOf } from '@azimuth/model';
import { encodeImuMessage, encodeTransforms, type Header } from '@azimuth/telegrams/ros2';

const metres = 0.001;
/** Rad per 1/10000°, the unit of the angles of SensorPosition. */
const radPerUnit = Math.PI / 180 / 10_000;

/** Makes an Imu (sensor_msgs) of a telegram of the inertial measurement unit as CDR. */
export function imuOf(
  { orientation, angularVelocity, acceleration }: ImuTelegram,
  header: Header,
): Uint8Array {
  return encodeImuMessage({ ...header, orientation, angularVelocity, acceleration });
}

/** Position and rotation of a scanner on its machine: the value of SensorPosition, in mm and 1/10000°. */
export type SensorPosition = ValueOf<'SensorPosition'>;

/** Position of a scanner in the origin of its machine. */
export const unmoved: SensorPosition = { x: 0, y: 0, z: 0, yaw: 0, pitch: 0, roll: 0 };

/**
 * Makes a TFMessage (tf2_msgs) with the pose of a scanner on its machine as CDR.
 * @param header its frame is the parent: the machine
 * @param childFrameId frame of the scanner, in which scans and points are
 */
export function transformsOf(position: SensorPosition, header: Header, childFrameId: string): Uint8Array {
  const { x, y, z } = position;
  const translation = [x * metres, y * metres, z * metres] as const;
  return encodeTransforms([{ ...header, childFrameId, translation, rotation: rotationOf(position) }]);
}

/** Returns the quaternion w, x, y, z of Rz(yaw) · Ry(pitch) · Rx(roll). */
function rotationOf({ yaw, pitch, roll }: SensorPosition): readonly [number, number, number, number] {
  const half = (angle: number) => (angle * radPerUnit) / 2;
  const [cosYaw, sinYaw] = [Math.cos(half(yaw)), Math.sin(half(yaw))];
  const [cosPitch, sinPitch] = [Math.cos(half(pitch)), Math.sin(half(pitch))];
  const [cosRoll, sinRoll] = [Math.cos(half(roll)), Math.sin(half(roll))];
  return [
    cosRoll * cosPitch * cosYaw + sinRoll * sinPitch * sinYaw,
    sinRoll * cosPitch * cosYaw - cosRoll * sinPitch * sinYaw,
    cosRoll * sinPitch * cosYaw + sinRoll * cosPitch * sinYaw,
    cosRoll * cosPitch * sinYaw - sinRoll * sinPitch * cosYaw,
  ];
}
