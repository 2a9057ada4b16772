import type { FoundScanner } from '@azimuth/client/discover';
import { device } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import { confirm, terminalOfCommand } from '../input/prompt.js';
import { jsonText, remark } from '../output/output.js';
import { tableLines } from '../output/table.js';
import { checkedName } from './devices-content.js';
import { DevicesFile } from './devices-file.js';
import { deviceOf, freeName, namePart } from './new-devices.js';

interface AddOptions {
  /** Group of the new names; undefined for none. */
  readonly prefix: string | undefined;
  readonly yes: boolean;
  readonly json: boolean;
}

interface NewDevice {
  readonly name: string;
  readonly url: string;
  readonly serial: string | undefined;
}

/**
 * Gives found scanners names in the devices file: their LocationName, or their serial number. Scanners that have a name
 * keep it. It asks before.
 * @throws CommandFailure if the answer is no
 */
export async function addFound(scanners: readonly FoundScanner[], options: AddOptions): Promise<void> {
  const { prefix, yes, json } = options;
  const group = prefix === undefined ? undefined : checkedName(prefix.replace(/\/$/, ''));
  const file = await DevicesFile.read();
  const added = await newDevices(scanners, group, file);
  if (added.length === 0) {
    remark(`all scanners that were found have names already, in ${file.path}`);
    return;
  }
  if (!json) {
    const rows = added.map(({ name, url, serial = '-' }) => [`@${name}`, url, serial]);
    process.stderr.write(`${tableLines([['NEW NAME', 'URL', 'SERIAL'], ...rows]).join('\n')}\n`);
  }
  if (!yes) await confirm(`Add these to ${file.path}?`, terminalOfCommand());
  for (const { name, url, serial } of added) file.setDevice(name, { url, serial });
  await file.write();
  if (json) for (const each of added) process.stdout.write(`${jsonText({ added: each })}\n`);
}

async function newDevices(
  scanners: readonly FoundScanner[],
  group: string | undefined,
  { content }: DevicesFile,
): Promise<readonly NewDevice[]> {
  const taken = new Set([...content.devices.map(({ name }) => name), ...content.groups.keys()]);
  const added: NewDevice[] = [];
  for (const scanner of scanners) {
    const { url, serialNumber: serial } = scanner;
    if (url === undefined) {
      remark(`${scanner.mac} has no web server that this computer reaches, so it gets no name`);
      continue;
    }
    const known = { ...content, devices: [...content.devices, ...added] };
    if ((await deviceOf({ url, serial }, known)) !== undefined) continue;
    const name = freeName(wantedName(scanner, group), serial, (each) => taken.has(each));
    taken.add(name);
    added.push({ name, url, serial });
  }
  return added;
}

/** LocationName of the factory says nothing. */
const unnamed = device.members.LocationName.type.initial;

function wantedName({ location, serialNumber, mac }: FoundScanner, group: string | undefined): string {
  const named = location === undefined || location === unnamed ? undefined : namePart(location);
  const own = named ?? namePart(serialNumber ?? '') ?? namePart(mac);
  if (own === undefined)
    throw new CommandFailure('a scanner has neither a name nor a serial number', 'refused');
  return group === undefined ? own : `${group}/${own}`;
}
