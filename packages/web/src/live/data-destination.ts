import { measurementDataOutput, ScanDataFormat } from '@azimuth/model';
import type { ScannerLink } from '../connection/scanner-link.js';
import { typed } from '../connection/typed.js';

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
export function destinationOf(link: ScannerLink): DataDestination | undefined {
  const isOn = typed(ScanDataEnable, link.value(ScanDataEnable.name));
  const settings = typed(ScanDataEthSettings, link.value(ScanDataEthSettings.name));
  const number = typed(format, link.value(format.name));
  if (isOn === undefined || settings === undefined) return undefined;
  const { Protocol, IPAddress, Port } = settings;
  return {
    isOn,
    to: wayOf(number, Protocol, IPAddress, Port),
    format: Object.entries(ScanDataFormat).find(([, value]) => value === number)?.[0] ?? '',
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
  return protocol === tcp ? `clients at TCP port ${port}` : `${address.join('.')}:${port}`;
}
