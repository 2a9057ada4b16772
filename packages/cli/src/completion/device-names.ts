import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { devicesPath } from '../devices/devices-path.js';

/** The names in the devices file; none if it is not there or cannot be read. Completion reports no errors. */
export function deviceNames(): { readonly devices: readonly string[]; readonly groups: readonly string[] } {
  try {
    const content: unknown = parse(readFileSync(devicesPath(), 'utf8'), { logLevel: 'silent' });
    return { devices: keysOf(content, 'devices'), groups: keysOf(content, 'groups') };
  } catch {
    return { devices: [], groups: [] };
  }
}

function keysOf(content: unknown, section: string): readonly string[] {
  if (typeof content !== 'object' || content === null) return [];
  const found: unknown = Object.entries(content).find(([name]) => name === section)?.[1];
  return typeof found === 'object' && found !== null ? Object.keys(found) : [];
}
