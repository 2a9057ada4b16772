import { measurementDataOutput, ScanDataFormat } from '@azimuth/model';
import type { ScannerLink } from '../connection/scanner-link.js';
import { typed } from '../connection/typed.js';

const { ScanDataEnable, ScanDataEthSettings, ScanDataFormat: format } = measurementDataOutput.members;

/** Where the scan data of a scanner goes. */
export interface DataDestination {
  readonly isOn: boolean;
  /** `192.168.0.10:2115, UDP`; for formats with a way of their own, that way in words. */
  readonly destination: string;
  readonly format: string;
}

/** Where the scan data of a scanner goes; undefined until it is known. */
export function routeOf(link: ScannerLink): DataDestination | undefined {
  const enabled = typed(ScanDataEnable, link.value(ScanDataEnable.name));
  const settings = typed(ScanDataEthSettings, link.value(ScanDataEthSettings.name));
  const number = typed(format, link.value(format.name));
  if (enabled === undefined || settings === undefined) return undefined;
  const { Protocol, IPAddress, Port } = settings;
  return {
    isOn: enabled,
    destination: destinationOf(number, Protocol, IPAddress, Port),
    format: Object.entries(ScanDataFormat).find(([, value]) => value === number)?.[0] ?? '',
  };
}

function destinationOf(
  number: number | undefined,
  protocol: number,
  address: readonly number[],
  port: number,
): string {
  if (number === ScanDataFormat.NativeROS2) return 'programs of ROS 2';
  if (number === ScanDataFormat.LMDscandata) return 'clients of the legacy protocol';
  return protocol === 2 ? `clients at TCP port ${port}` : `${address.join('.')}:${port}`;
}
