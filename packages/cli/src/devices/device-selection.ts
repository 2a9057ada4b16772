import { nearestName } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import type { Device, DevicesContent } from './devices-content.js';

/** The devices that a word means. */
export interface Selection {
  readonly devices: readonly Device[];
  /** Could the word mean several? True for groups and patterns, even if there is only one. */
  readonly several: boolean;
}

/**
 * What `@gate3`, `@hall/*`, `@night` or `@*` means: a device, a pattern of names, or a group. A group is a list of the
 * file, or all names that begin with it and a slash.
 * @param word with or without the `@`
 * @param path of the file, for messages
 * @throws CommandFailure if it means nothing
 */
export function selectionOf(word: string, { devices, groups }: DevicesContent, path: string): Selection {
  const name = word.replace(/^@/, '');
  const device = devices.find((each) => each.name === name);
  if (device !== undefined) return { devices: [device], several: false };
  const found = devices.filter(chosenBy(name, groups.get(name)));
  if (found.length > 0) return { devices: found, several: true };
  throw new CommandFailure(
    `${absence(name, { devices, groups })} in ${path}${remedy(name, { devices, groups })}`,
  );
}

function chosenBy(name: string, listed: readonly string[] | undefined): (device: Device) => boolean {
  if (listed !== undefined) {
    const names = new Set(listed);
    return (device) => names.has(device.name);
  }
  if (!name.includes('*')) return (device) => device.name.startsWith(`${name}/`);
  const parts = name.split('*').map((part) => part.replaceAll(/[^\w/-]/g, '\\$&'));
  const pattern = new RegExp(`^${parts.join('.*')}$`);
  return (device) => pattern.test(device.name);
}

function absence(name: string, { groups }: DevicesContent): string {
  if (groups.has(name)) return `the group @${name} is empty`;
  return name.includes('*') ? `no scanner matches @${name}` : `there is no scanner or group @${name}`;
}

function remedy(name: string, { devices, groups }: DevicesContent): string {
  if (devices.length === 0) return ': add a scanner with azimuth devices add NAME URL';
  const meant = nearestName(name, [...devices.map((device) => device.name), ...groups.keys()]);
  return meant === undefined ? '; azimuth devices list shows all' : `; did you mean @${meant}?`;
}
