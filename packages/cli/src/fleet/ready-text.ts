import type { ScannerFacts } from '@azimuth/fleet';
import { counted } from '@azimuth/model';

interface Ready {
  readonly url: string;
  readonly units: readonly ScannerFacts[];
  /** ms since the start. */
  readonly milliseconds: number;
  readonly json?: boolean | undefined;
}

/** What is printed when all scanners are ready. */
export function readyText({ url, units, milliseconds, json }: Ready): string {
  const { length: scanners } = units;
  if (json === true)
    return `${JSON.stringify({ ready: true, url, scanners, milliseconds, pid: process.pid })}\n`;
  const path = `${url}/scanners/${units[0]?.serial}`;
  return `Azimuth: ${counted(scanners, 'scanner is', 'scanners are')} ready, after ${milliseconds} ms.
  list     ${url}/scanners, and ${url}/ in a browser
  one      ${path}/api, and ${path}/ in a browser
  try      azimuth get DeviceIdent --device ${path}
`;
}
