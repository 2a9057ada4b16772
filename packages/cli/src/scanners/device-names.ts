import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { maxFileBytes } from '../input/bounded-file.js';
import { YamlDocument } from '../yaml/yaml-document.js';

/** Returns the path of the devices file: AZIMUTH_DEVICES, else below XDG_CONFIG_HOME, else below `~/.config`. */
export function devicesPath(): string {
  const { AZIMUTH_DEVICES: named, XDG_CONFIG_HOME: config } = process.env;
  if (named) return resolve(named);
  return join(config || join(homedir(), '.config'), 'azimuth', 'devices.yaml');
}

const none = { devices: [], groups: [] };

/** Reads the names in the devices file; none if it is missing or unreadable. Completion reports no errors. */
export function deviceNames(): { readonly devices: readonly string[]; readonly groups: readonly string[] } {
  try {
    const path = devicesPath();
    const stats = statSync(path);
    // A pipe would block the shell.
    if (!stats.isFile() || stats.size > maxFileBytes.devices) return none;
    const yaml = new YamlDocument(readFileSync(path, 'utf8'));
    if (yaml.problems.length > 0) return none;
    const content = yaml.toJS();
    return { devices: sectionKeys(content, 'devices'), groups: sectionKeys(content, 'groups') };
  } catch {
    return none;
  }
}

function sectionKeys(content: unknown, section: string): readonly string[] {
  if (typeof content !== 'object' || content === null) return [];
  const sectionContent: unknown = Object.entries(content).find(([name]) => name === section)?.[1];
  return typeof sectionContent === 'object' && sectionContent !== null ? Object.keys(sectionContent) : [];
}
