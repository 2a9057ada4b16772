import { measurementDataOutput, ScanDataFormat } from '@azimuth/model';
import { type KnownValues, knownValue } from '../connection/known-value.js';
import { enumerationWords } from '../forms/enumeration-words.js';
import { addressText } from '../forms/value-text.js';

const { ScanDataEnable, ScanDataEthSettings, ScanDataFormat: format } = measurementDataOutput.members;

/** `Protocol` of ScanDataEthSettings: the scanner waits for clients. */
const tcp = 2;

/** Where the scan data of a scanner goes. */
export interface DataDestination {
  readonly isOn: boolean;
  /** `192.168.0.10:2115`; for formats and protocols with a way of their own, that way in words. */
  readonly to: string;
  /** Its name, `Compact`. */
  readonly format: string;
}

/** Where the scan data of a scanner goes; undefined until it is known. */
export function destinationOf(known: KnownValues): DataDestination | undefined {
  const isOn = knownValue(known, ScanDataEnable);
  const settings = knownValue(known, ScanDataEthSettings);
  const number = knownValue(known, format);
  if (isOn === undefined || settings === undefined) return undefined;
  const { Protocol, IPAddress, Port } = settings;
  return {
    // LMDscandata is sent to sessions that ask for it, whatever the switch of the stream.
    isOn: isOn || number === ScanDataFormat.LMDscandata,
    to: wayOf(number, Protocol, IPAddress, Port),
    format: number === undefined ? '' : (enumerationWords(ScanDataFormat).get(number) ?? ''),
  };
}

function wayOf(
  number: number | undefined,
  protocol: number,
  address: readonly number[],
  port: number,
): string {
  if (number === ScanDataFormat.NativeROS2) return 'programs of ROS 2';
  if (number === ScanDataFormat.LMDscandata) return 'clients of the legacy protocol';
  return protocol === tcp ? `clients at TCP port ${port}` : `${addressText('IPv4', address)}:${port}`;
}
