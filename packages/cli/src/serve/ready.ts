import type { Device } from '@azimuth/device';
import type { Ports, ScannerService } from '@azimuth/server';

/** The one line for machines: every port as a number, or null where nothing listens. */
export function readyLine(facts: Ports & { readonly pid: number }): string {
  return `${JSON.stringify({ ready: true, ...facts })}\n`;
}

interface Facts {
  readonly folder: string;
  readonly service: Pick<ScannerService, 'device' | 'ports' | 'url' | 'httpsUrl'>;
}

/** What a person sees when the scanner is ready. */
export function welcome({ folder, service: { device, ports, url, httpsUrl } }: Facts): string {
  const lines = [
    `Azimuth: scanner ${device.identity.serialNumber}, release ${device.edition.release}, is ready.`,
    `  REST     ${url === undefined ? whyOff(device) : `${url}/api`}`,
    httpsUrl === undefined ? '' : `  HTTPS    ${httpsUrl}/api`,
    ports.search === null ? '' : `  search   UDP port ${ports.search}; azimuth discover finds it`,
    legacyLine(ports),
    ports.control === null ? '' : `  control  http://127.0.0.1:${ports.control}`,
    `  folder   ${folder}`,
    url === undefined ? '' : `  try      curl ${url}/api/DeviceIdent`,
  ];
  return `${lines.filter((line) => line !== '').join('\n')}\n`;
}

function legacyLine({ legacyA, legacyB }: Ports): string {
  const open = [
    legacyA === null ? '' : `A (text) ${legacyA}`,
    legacyB === null ? '' : `B (binary) ${legacyB}`,
  ];
  const told = open.filter((part) => part !== '').join(', ');
  return told === '' ? '' : `  legacy   ${told}`;
}

function whyOff({ state }: Device): string {
  return state.content.webserverEnabled
    ? 'off: no address until DHCP offers one'
    : 'off (SetWebserverEnabled); --enable-webserver brings it back';
}
