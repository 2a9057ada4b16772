import { checkedUrl } from './connection.js';
import type { DevicesContent } from './devices-content.js';

/** Most characters of a name in the devices file. */
const longest = 64;

/** A scanner that may get a name. */
export interface Nameable {
  readonly url: string;
  readonly serial: string | undefined;
}

/**
 * Returns a text of unknown origin as a part of a name: letters, digits, `-`, `_` and `.`; undefined if nothing of it
 * remains.
 */
export function namePart(text: string): string | undefined {
  const part = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .replace(/-+$/, '');
  return part === '' ? undefined : part.slice(0, longest);
}

/**
 * Returns a name that is not taken: the wanted one, else with the serial number, else with a number behind it.
 * @param isTaken true for names of other scanners and groups
 */
export function freeName(
  wanted: string,
  serial: string | undefined,
  isTaken: (name: string) => boolean,
): string {
  const cut = wanted.slice(0, longest);
  if (!isTaken(cut)) return cut;
  const ending = serial === undefined ? undefined : namePart(serial);
  for (let count = 1; ; count++) {
    const end =
      count > 1 || ending === undefined ? `-${count + (ending === undefined ? 1 : 0)}` : `-${ending}`;
    const name = `${wanted.slice(0, longest - end.length)}${end}`;
    if (!isTaken(name)) return name;
  }
}

/** Returns the device of the file with the URL or the serial number of a scanner; undefined if there is none. */
export async function deviceOf(
  { url, serial }: Nameable,
  { devices }: DevicesContent,
): Promise<string | undefined> {
  const same = await checkedUrl(url);
  for (const device of devices) {
    if (serial !== undefined && device.serial === serial) return device.name;
    if ((await checkedUrl(device.url)) === same) return device.name;
  }
  return undefined;
}
