import { imuDataOutput, isFrom, measurementDataOutput, Refusal, type Release } from '@azimuth/model';
import type { Feature } from '../feature.js';
import type { Parameters, ValueSet } from '../parameters/parameters.js';

const { ImuDataEthSettings } = imuDataOutput.members;
const { EncoderDataEthSettings } = measurementDataOutput.members;

interface Options {
  readonly parameters: Parameters;
  readonly firmware: { readonly release: Release };
}

/**
 * Refuses a multicast destination for IMU and encoder data before release 2.3.1, which introduced it. All other settings of
 * the data streams are free; the server uses them.
 */
export function streamSettings({ parameters, firmware }: Options): Feature {
  parameters.onChanging([ImuDataEthSettings, EncoderDataEthSettings], (change) => {
    if (isFrom(firmware.release, '2.3.1')) return;
    for (const variable of [ImuDataEthSettings, EncoderDataEthSettings]) {
      if (!change.touches([variable])) continue;
      const [first = 0] = change.read(variable).IPAddress;
      if (first < 224 || first > 239) continue;
      throw new Refusal(
        'outOfRange',
        `${variable.name}.IPAddress`,
        `multicast destinations exist from release 2.3.1 on, this is ${firmware.release}`,
      );
    }
  });
  return {};
}

/** Variables that switch the data streams on. Native ROS 2 is a format of scan data. */
export const streamSwitches = {
  scan: measurementDataOutput.members.ScanDataEnable,
  imu: imuDataOutput.members.ImuDataEnable,
  encoder: measurementDataOutput.members.EncoderDataEnable,
} as const;

/**
 * True if a scanner with these stored parameters sends data from its power-on on, without a request.
 * @param parameters by name, as in the interface
 */
export function sendsFromPowerOn(parameters: ValueSet): boolean {
  return Object.values(streamSwitches).some(({ name }) => parameters[name] === true);
}
