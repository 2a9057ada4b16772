import { scannerAddress } from '@azimuth/client';
import { CommandFailure } from '../command-failure.js';
import type { DeviceOptions } from '../options/command.js';
import { chosenScanners } from '../scanners/chosen.js';
import { groupOf } from '../scanners/device-group.js';
import type { DevicesContent } from '../scanners/devices-content.js';
import type { ShownScanner } from './gui-site.js';

/**
 * Returns the scanners that the options name, with their groups in the devices file.
 * @throws CommandFailure for an unknown name or an address that is none
 */
export async function shownScanners(options: DeviceOptions): Promise<readonly ShownScanner[]> {
  const { targets } = await chosenScanners(options);
  const groups = await groupsFor(options);
  const named = targets.map(({ label, url }) => ({
    ...{ name: label, url: checkedAddress(url) },
    group: groupOf({ label, url }, groups),
  }));
  return withDifferentNames(named);
}

/** The groups of the devices file. Addresses need neither the file nor its parser. */
async function groupsFor({ device = [] }: DeviceOptions): Promise<DevicesContent['groups']> {
  const words = device.length > 0 ? device : [process.env.AZIMUTH_DEVICE ?? ''];
  if (!words.some((word) => word.includes('@'))) return new Map();
  const { DevicesFile } = await import('../scanners/devices-file.js');
  return (await DevicesFile.read()).content.groups;
}

/** @throws CommandFailure */
export function checkedAddress(text: string): string {
  try {
    return scannerAddress(text).href.replace(/\/$/, '');
  } catch (error) {
    if (error instanceof TypeError) throw new CommandFailure(error.message);
    throw error;
  }
}

/** Scanners of two fleets may have the same name: their addresses tell them apart. */
export function withDifferentNames(scanners: readonly ShownScanner[]): readonly ShownScanner[] {
  const counts = new Map<string, number>();
  for (const { name } of scanners) counts.set(name, (counts.get(name) ?? 0) + 1);
  return scanners.map((each) => ((counts.get(each.name) ?? 0) > 1 ? { ...each, name: each.url } : each));
}
