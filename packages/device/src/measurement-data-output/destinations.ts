import { Fault, imuDataOutput, isFrom, measurementDataOutput, type Release } from '@azimuth/model';
import type { Parameters } from '../parameters/parameters.js';

const { ImuDataEthSettings } = imuDataOutput.members;
const { EncoderDataEthSettings } = measurementDataOutput.members;

/** Refuses a multicast destination for IMU and encoder data before release 2.3.1, which brought it. */
export function keepToUnicastBefore231(parameters: Parameters, release: () => Release): void {
  parameters.onChanging([ImuDataEthSettings, EncoderDataEthSettings], (change) => {
    if (isFrom(release(), '2.3.1')) return;
    for (const variable of [ImuDataEthSettings, EncoderDataEthSettings]) {
      if (!change.touches([variable])) continue;
      const [first = 0] = change.read(variable).IPAddress;
      if (first < 224 || first > 239) continue;
      throw new Fault(
        'outOfRange',
        `${variable.name}.IPAddress`,
        `multicast destinations exist from release 2.3.1 on, this is ${release()}`,
      );
    }
  });
}
