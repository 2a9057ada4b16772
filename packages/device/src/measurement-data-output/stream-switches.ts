import { imuDataOutput, measurementDataOutput } from '@azimuth/model';
import type { ValueSet } from '../parameters/parameters.js';

/** What switches each data stream on. Native ROS 2 is a format of scan data. */
export const streamSwitches = {
  scan: measurementDataOutput.members.ScanDataEnable,
  imu: imuDataOutput.members.ImuDataEnable,
  encoder: measurementDataOutput.members.EncoderDataEnable,
} as const;

/**
 * Do these stored parameters make a scanner send data from its power-on on, before anybody has asked?
 * @param parameters by name, as the interface has them
 */
export function sendsFromPowerOn(parameters: ValueSet): boolean {
  return Object.values(streamSwitches).some(({ name }) => parameters[name] === true);
}
