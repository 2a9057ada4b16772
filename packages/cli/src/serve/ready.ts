import type { Device } from '@azimuth/device';
import type { Ports } from '@azimuth/server';

/** The one line for machines: every port as a number, or null where nothing listens. */
export function readyLine(facts: Ports & { readonly pid: number }): string {
  return `${JSON.stringify({ ready: true, ...facts })}\n`;
}

interface Facts {
  readonly host: string;
  readonly folder: string;
  readonly device: Device;
  readonly ports: Ports;
}

/** What a person sees when the scanner is ready. */
export function welcome({ host, folder, device, ports }: Facts): string {
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${ports.http}`;
  const lines = [
    `Azimuth: scanner ${device.identity.serialNumber}, release ${device.edition.release}, is ready.`,
    ports.http === null
      ? '  REST     off (SetWebserverEnabled); --enable-webserver brings it back'
      : `  REST     ${url}/api`,
    ports.control === null ? '' : `  control  http://127.0.0.1:${ports.control}`,
    `  folder   ${folder}`,
    ports.http === null ? '' : `  try      curl ${url}/api/DeviceIdent`,
  ];
  return `${lines.filter((line) => line !== '').join('\n')}\n`;
}
