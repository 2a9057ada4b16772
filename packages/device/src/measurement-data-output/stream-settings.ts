import {
  Fault,
  imuDataOutput,
  isFrom,
  legacyProtocols,
  measurementDataOutput,
  type Release,
} from '@azimuth/model';
import type { Feature } from '../feature.js';
import type { Parameters } from '../parameters/parameters.js';

const { ImuDataEnable, ImuDataEthSettings } = imuDataOutput.members;
const { EtherSessionTimeout } = legacyProtocols.members;
const {
  ScanDataEnable,
  ScanDataEthSettings,
  ScanDataFormat,
  ScanDataConfig,
  compactTelegramType1Content,
  EncoderDataEnable,
  EncoderDataEthSettings,
} = measurementDataOutput.members;

/** The settings of data streams, which the server follows. */
export function streamSettings(parameters: Parameters, release: () => Release): Feature {
  refuseMulticastBefore231(parameters, release);
  return {
    appliedParameters: [
      ...[ScanDataEnable, ScanDataEthSettings, ScanDataFormat, ScanDataConfig, compactTelegramType1Content],
      ...[EncoderDataEnable, EncoderDataEthSettings, EtherSessionTimeout],
      ...[ImuDataEnable, ImuDataEthSettings],
    ],
  };
}

/** Refuses a multicast destination for IMU and encoder data before release 2.3.1, which introduced it. */
function refuseMulticastBefore231(parameters: Parameters, release: () => Release): void {
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
