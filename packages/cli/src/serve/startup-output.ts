import { type Device, DowngradeRefused, FolderInUse, type Log, OtherProduct } from '@azimuth/device';
import { PortTaken } from '@azimuth/http';
import { Refusal, status } from '@azimuth/model';
import type { Ports, ScannerService } from '@azimuth/server';
import { searchPort } from '@azimuth/telegrams/device-search';
import { CommandFailure, systemErrorText } from '../command-failure.js';

/** Returns the one line for machines: every port as a number, or null if nothing listens. */
export function readyLine(facts: Ports & { readonly pid: number }): string {
  return `${JSON.stringify({ ready: true, ...facts })}\n`;
}

/** Warns in the log if anybody can log in with a password that everybody knows. */
export function warnOfFactoryPasswords({ features }: Device, log: Log): void {
  const { rest, legacy } = features.userLevels.openFactoryPasswords();
  const levels = [...new Set([...rest, ...legacy])];
  if (levels.length === 0) return;
  log.warn(
    'Anybody can log in with a factory password. Change it with azimuth password; for a new scanner, set others with AZIMUTH_PASSWORD_<LEVEL>',
    { levels },
  );
}

/** Storage of a scanner. */
export interface Stored {
  readonly in: 'folder' | 'database';
  /** The folder, or the database without a password. */
  readonly where: string;
}

/** Returns the line for `systemctl status`. */
export function systemdStatus({ device, url }: Pick<ScannerService, 'device' | 'url'>): string {
  const { phase } = device.lifecycle;
  if (phase !== 'up') return 'The scanner reboots';
  return `DeviceStatus ${device.read(status.members.DeviceStatus)}, ${url ?? whyOff(device)}`;
}

interface Started {
  readonly stored: Stored;
  readonly service: Pick<ScannerService, 'device' | 'ports' | 'url' | 'httpsUrl' | 'isSearchOpen'>;
}

/** Returns the text for people when the scanner is ready. */
export function welcome({ stored, service }: Started): string {
  const { device, ports, url, httpsUrl } = service;
  const lines = [
    `Azimuth: scanner ${device.identity.serialNumber}, ${versionLine(device)}, is ready.`,
    `  REST     ${url === undefined ? whyOff(device) : `${url}/api`}`,
    httpsUrl === undefined ? '' : `  HTTPS    ${httpsUrl}/api`,
    searchLine(service),
    legacyLine(ports),
    ports.control === null ? '' : `  control  http://127.0.0.1:${ports.control}`,
    ports.velocity === null ? '' : `  velocity UDP port ${ports.velocity} at 127.0.0.1`,
    `  ${stored.in.padEnd(9)}${stored.where}`,
    url === undefined ? '' : `  try      curl ${url}/api/DeviceIdent`,
  ];
  return `${lines.filter((line) => line !== '').join('\n')}\n`;
}

function versionLine({ served: { edition } }: Device): string {
  const { release, product, version } = edition;
  return product === undefined ? `release ${release}` : `${product.name} ${version}`;
}

/** Returns the command that finds the scanner by a search. It has to work as printed. */
function searchLine({ ports: { search }, isSearchOpen }: Started['service']): string {
  if (search === null) return '';
  if (!isSearchOpen) return `  search   UDP port ${search}; does not answer, because of EtherLegacyScanMode`;
  const option = search === searchPort ? '' : ` --port ${search}`;
  return `  search   UDP port ${search}; azimuth discover${option} finds it`;
}

function legacyLine({ legacyA, legacyB }: Ports): string {
  const open = [
    legacyA === null ? '' : `A (text) ${legacyA}`,
    legacyB === null ? '' : `B (binary) ${legacyB}`,
  ];
  const interfaces = open.filter((part) => part !== '').join(', ');
  return interfaces === '' ? '' : `  legacy   ${interfaces}`;
}

function whyOff({ features }: Device): string {
  return features.webserver.isEnabled
    ? 'off: the scanner has no address until DHCP offers one'
    : 'off (SetWebserverEnabled). To switch it on: --enable-webserver';
}

/** System calls of ports: their errors name the port. */
const portCalls: readonly unknown[] = ['listen', 'bind', 'getaddrinfo'];

/**
 * Returns the reason why a scanner with this folder cannot start, if a person can change it; undefined for an internal
 * error.
 */
export function startRefusal(error: unknown, folder: string): string | undefined {
  const isRefusal = [CommandFailure, PortTaken, FolderInUse, DowngradeRefused, OtherProduct].some(
    (refusal) => error instanceof refusal,
  );
  if (isRefusal && error instanceof Error) return error.message;
  // By its name, because a scanner without faults does not load their code.
  if (error instanceof Error && error.name === 'FaultPlanError') return `--faults: ${error.message}`;
  if (error instanceof Refusal && error.status === 'internalServerError') return `${folder}: ${error.reason}`;
  if (!(error instanceof Error && 'syscall' in error)) return undefined;
  if (portCalls.includes(error.syscall)) return error.message;
  const what = error.syscall === 'mkdir' ? `${folder}: the folder cannot be created` : folder;
  return `${what}: ${systemErrorText(error)}`;
}
