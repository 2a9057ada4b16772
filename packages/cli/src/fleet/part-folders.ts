import { existsSync, readdirSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FolderStorage, Log } from '@azimuth/device';
import { FleetStore, isReal, journalName, type MemberFacts, moveScanners, usedName } from '@azimuth/fleet';
import { CommandFailure, unreadable } from '../command-failure.js';

/** Returns the folder of a part, in that of the fleet. */
const partName = /^part-(0|[1-9]\d{0,2})$/;

/** File in such a folder: the serial numbers of the scanners of the part. */
const serialsName = 'serials.json';

/** @param index of the part, from 0 */
export function partFolder(data: string, index: number): string {
  return join(data, `part-${index}`);
}

/** An open store with its folder. */
interface Opened {
  readonly store: FleetStore;
  readonly folder: string;
}

/**
 * Opens the store of a fleet that runs in one process. First it moves the stored data of all parts there.
 * @throws FolderInUse, ForeignJournal
 */
export async function openMergedStore(
  data: string,
  scanners: readonly MemberFacts[],
  log: Log,
): Promise<FleetStore> {
  const store = await FleetStore.open(data, log);
  try {
    await withStores(async (former) => {
      for (const index of partsIn(data)) former.push(await openPart(data, index, log));
      if (former.length > 0) await moveScanners(placeable(scanners), [store], openStores(former));
      return former;
    });
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/**
 * Assigns each scanner to a part, moves the stored data of the scanners to its folder, and writes the list of scanners
 * there.
 * @param data the folder of the fleet, which stays locked while the parts run
 * @param count of parts
 * @returns the part of each scanner, from 0, by its serial number
 * @throws FolderInUse, ForeignJournal
 */
export async function spreadOverParts(
  data: FolderStorage,
  scanners: readonly MemberFacts[],
  count: number,
  log: Log,
): Promise<ReadonlyMap<string, number>> {
  const path = data.folder;
  const indices = Array.from({ length: count }, (_, index) => index);
  let partOf: ReadonlyMap<string, number> = new Map();
  await withStores(async (opened) => {
    for (const index of indices) opened.push(await openPart(path, index, log));
    const stores = openStores(opened);
    for (const index of partsIn(path)) if (index >= count) opened.push(await openPart(path, index, log));
    // A fleet without parts stores directly in its folder.
    if (existsSync(join(path, journalName)) || existsSync(join(path, usedName)))
      opened.push({ store: await FleetStore.openIn(data, log), folder: path });
    const former = opened.slice(count);
    partOf = await moveScanners(placeable(scanners), stores, openStores(former));
    return former;
  });
  const serials = indices.map((): string[] => []);
  for (const [serial, index] of partOf) serials[index]?.push(serial);
  await Promise.all(
    serials.map((own, index) =>
      writeFile(join(partFolder(path, index), serialsName), JSON.stringify(own), { mode: 0o600 }),
    ),
  );
  return partOf;
}

/** A real scanner stores nothing here, and sends nothing from here. */
function placeable(scanners: readonly MemberFacts[]) {
  return scanners.map((facts) => (isReal(facts) ? { serial: facts.serial, parameters: {} } : facts));
}

/** Reads the scanners of a part. @throws CommandFailure if its folder does not list them */
export async function scannersOfPart(
  folder: string,
  scanners: readonly MemberFacts[],
): Promise<readonly MemberFacts[]> {
  const path = join(folder, serialsName);
  const partFile: unknown = JSON.parse(await readFile(path, 'utf8').catch(unreadable(path)));
  if (!Array.isArray(partFile)) throw new CommandFailure(`${path}: expected a list of serial numbers`);
  const own = new Set<unknown>(partFile);
  return scanners.filter(({ serial }) => own.has(serial));
}

/**
 * Closes all stores that `act` opens, also if it fails.
 * @param act puts them into its argument as it opens them. @returns the stores that are no longer used
 */
async function withStores(act: (opened: Opened[]) => Promise<readonly Opened[]>): Promise<void> {
  const opened: Opened[] = [];
  let left: readonly Opened[] = [];
  try {
    const former = await act(opened);
    left = former.filter(({ store }) => store.serials.size === 0 && store.folders.size === 0);
  } finally {
    for (const { store } of opened) await store.close();
  }
  for (const { folder } of left) await removeStore(folder);
}

/** Removes the rest of an empty store. */
async function removeStore(folder: string): Promise<void> {
  // Remove this file first: without it, a missing journal counts as new.
  await rm(join(folder, usedName), { force: true });
  await rm(join(folder, journalName), { force: true });
  if (!partName.test(folder.split(/[\\/]/).at(-1) ?? '')) return;
  // Only a person removes a journal that was set aside.
  if (readdirSync(folder).some((name) => name.startsWith(`${journalName}.unreadable-`))) return;
  await rm(folder, { recursive: true, force: true });
}

async function openPart(data: string, index: number, log: Log): Promise<Opened> {
  const folder = partFolder(data, index);
  return { store: await FleetStore.open(folder, log), folder };
}

function openStores(opened: readonly Opened[]): readonly FleetStore[] {
  return opened.map(({ store }) => store);
}

/** Returns the numbers of the parts that have a folder. */
function partsIn(data: string): readonly number[] {
  const numbers = readdirSync(data).map((name) => partName.exec(name)?.[1]);
  return numbers.flatMap((number) => (number === undefined ? [] : Number(number))).sort((a, b) => a - b);
}
