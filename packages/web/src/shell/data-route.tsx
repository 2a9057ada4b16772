import { isObject, ScanDataFormat } from '@azimuth/model';
import { scanner } from '../connection/current.js';

const formats = new Map<unknown, string>(
  Object.entries(ScanDataFormat).map(([name, number]) => [number, name]),
);

/** Where the scan data goes: format and destination, or that it is off. */
export function DataRoute() {
  const link = scanner();
  const enabled = link.value('ScanDataEnable');
  const settings = link.value('ScanDataEthSettings');
  if (enabled === undefined || !isObject(settings)) return null;
  if (enabled !== true && enabled !== 1) return <span class="soft">Scan data: off</span>;
  const { IPAddress, Port } = settings;
  const address = Array.isArray(IPAddress) ? IPAddress.join('.') : '';
  return (
    <span>
      <span class="soft">Data →</span> {address}:{String(Port ?? '')}{' '}
      <span class="soft small">{formats.get(link.value('ScanDataFormat')) ?? ''}</span>
    </span>
  );
}
