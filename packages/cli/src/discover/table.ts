import type { FoundScanner } from '@azimuth/client/discover';
import { printable } from '../printable.js';

const heads = ['MAC', 'URL', 'CONFIGURED', 'TYPE', 'SERIAL', 'FIRMWARE', 'LOCATION'] as const;

/** Scanners as a table for people. What comes from the network is made harmless. */
export function tableOf(scanners: readonly FoundScanner[]): string {
  const rows = [heads, ...scanners.map(rowOf)];
  const widths = heads.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

function rowOf({ mac, url, configuration, type, serialNumber, firmware, location }: FoundScanner) {
  return [mac, url, configured(configuration), type, serialNumber, firmware, location].map((cell) =>
    printable(cell === undefined || cell === '' ? '-' : cell),
  );
}

/** `192.168.0.1/24`, with `DHCP` behind it where it comes from there; as much of it as is known. */
function configured(configuration: FoundScanner['configuration']): string {
  const { address, mask, dhcp } = configuration ?? {};
  const subnet = mask === undefined ? '' : `/${subnetOf(mask)}`;
  const known = address === undefined ? [] : [`${address}${subnet}`];
  return [...known, ...(dhcp === true ? ['DHCP'] : [])].join(' ');
}

/** The number of bits of a network; a mask with a hole as it is. */
function subnetOf(mask: string): string {
  const bits = mask
    .split('.')
    .map((byte) => Number(byte).toString(2).padStart(8, '0'))
    .join('');
  const [, ones] = /^(1*)0*$/.exec(bits) ?? [];
  return ones === undefined ? mask : String(ones.length);
}
