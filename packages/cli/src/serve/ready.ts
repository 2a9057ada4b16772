import type { Device } from '@azimuth/device';
import type { Ports, ScannerService } from '@azimuth/server';

/** The one line for machines: every port as a number, or null where nothing listens. */
export function readyLine(facts: Ports & { readonly pid: number }): string {
  return `${JSON.stringify({ ready: true, ...facts })}\n`;
}

interface Facts {
  readonly folder: string;
  readonly service: Pick<ScannerService, 'device' | 'ports' | 'url' | 'httpsUrl' | 'answersSearch'>;
}

/** What a person sees when the scanner is ready. */
export function welcome({ folder, service }: Facts): string {
  const { device, ports, url, httpsUrl } = service;
  const lines = [
    `Azimuth: scanner ${device.identity.serialNumber}, release ${device.edition.release}, is ready.`,
    `  REST     ${url === undefined ? whyOff(device) : `${url}/api`}`,
    httpsUrl === undefined ? '' : `  HTTPS    ${httpsUrl}/api`,
    searchLine(service),
    legacyLine(ports),
    ports.control === null ? '' : `  control  http://127.0.0.1:${ports.control}`,
    `  folder   ${folder}`,
    url === undefined ? '' : `  try      curl ${url}/api/DeviceIdent`,
  ];
  return `${lines.filter((line) => line !== '').join('\n')}\n`;
}

/** The UDP port that search tools ask at unless they are told another one. */
const usualSearchPort = 30718;

/** Where the scanner is found, as far as it is: what is promised here has to work as it stands. */
function searchLine({ ports: { search }, answersSearch }: Facts['service']): string {
  if (search === null) return '';
  if (!answersSearch) return `  search   UDP port ${search}; silent, as its settings say`;
  const option = search === usualSearchPort ? '' : ` --port ${search}`;
  return `  search   UDP port ${search}; azimuth discover${option} finds it`;
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
