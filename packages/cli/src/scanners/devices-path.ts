import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Where the names of scanners are: AZIMUTH_DEVICES, else below XDG_CONFIG_HOME, else below `~/.config`. */
export function devicesPath(): string {
  const { AZIMUTH_DEVICES: named, XDG_CONFIG_HOME: config } = process.env;
  if (named) return resolve(named);
  return join(config || join(homedir(), '.config'), 'azimuth', 'devices.yaml');
}
