import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { temporaryFolder } from '@azimuth/test-support/files';
import { scannerFacts } from '@azimuth/test-support/some-fleet';
import { afterEach, expect, test, vi } from 'vitest';
import { moveScanners } from '../../src/placement/placement.js';
import { FleetStore } from '../../src/store/fleet-store.js';
import { Journal } from '../../src/store/journal.js';
import * as copying from '../../src/store/scanner-storage.js';

vi.mock('../../src/store/scanner-storage.js', { spy: true });

const silent = { info() {}, warn() {}, error() {} };
const switches = { Maintenance: true, AuthorizedClient: true, Service: true };
const saved = { date: '2026-01-01', time: '12:00:00' };
/** A document of stored parameters, as a person writes it. */
const sending = Buffer.from(
  JSON.stringify({
    ...{ format: 1, saved, webserverEnabled: true, userLevels: switches, legacyUserLevels: switches },
    parameters: { ScanDataEnable: true },
  }),
);

afterEach(() => {
  vi.restoreAllMocks();
});

interface Folders {
  readonly root: string;
  /** Number of stores of processes. All others are former ones. */
  readonly processes: number;
  readonly stores: number;
}

function folderOf({ root }: Folders, index: number): string {
  return join(root, String(index));
}

async function withStores<T>(
  folders: Folders,
  act: (stores: readonly FleetStore[]) => Promise<T>,
): Promise<T> {
  const stores: FleetStore[] = [];
  try {
    for (let index = 0; index < folders.stores; index++)
      stores.push(await FleetStore.open(folderOf(folders, index), silent));
    return await act(stores);
  } finally {
    for (const store of stores) await store.close();
  }
}

/** Scanners 1 to 6, all in the first store: with documents, files, power-ons, and parameters that make them send. */
async function filled(processes: number, stores: number): Promise<Folders> {
  const folders = { root: temporaryFolder(), processes, stores };
  await withStores(folders, async ([store]) => {
    if (store === undefined) throw new Error('there is one');
    await store.powerOn(['1', '2', '3', '4', '5', '6']);
    await store.powerOn(['3', '4']);
    for (const serial of ['1', '2', '3', '4']) {
      const storage = store.storageOf(serial);
      await storage.write('parameters.json', serial < '3' ? sending : Buffer.from('{}'));
      await storage.write('own.json', Buffer.from(`document of ${serial}`));
      await storage.receive('firmware.bin', pieces(`file of ${serial}`));
      await storage.receive('second.bin', pieces(`second of ${serial}`));
      await storage.close();
    }
    await store.storageOf('5').write('operating.json', Buffer.from('{}'));
  });
  return folders;
}

async function* pieces(text: string) {
  yield Buffer.from(text);
}

function move(folders: Folders, count = 6): Promise<ReadonlyMap<string, number>> {
  return withStores(folders, (stores) =>
    moveScanners(scannerFacts(count), stores.slice(0, folders.processes), stores.slice(folders.processes)),
  );
}

/** Returns the scanners that each store knows, and those with folders. */
function contents(folders: Folders) {
  return withStores(folders, async (stores) => {
    const all: { readonly known: Readonly<Record<string, unknown>>; readonly folders: readonly string[] }[] =
      [];
    for (const [index, store] of stores.entries()) {
      const known: Record<string, unknown> = {};
      for (const serial of store.serials) known[serial] = await knownOf(store, serial);
      const path = join(folderOf(folders, index), 'files');
      all.push({ known, folders: existsSync(path) ? readdirSync(path).sort() : [] });
    }
    return all;
  });
}

async function knownOf(store: FleetStore, serial: string) {
  const storage = store.storageOf(serial);
  const texts: (string | undefined)[] = [];
  for (const name of ['own.json', 'operating.json', 'firmware.bin', 'second.bin']) {
    const content = await storage.pieces(name);
    texts.push(content === undefined ? undefined : (await buffer(content)).toString());
  }
  await storage.close();
  return { texts, powerOns: store.powerOns(serial), sends: store.sendsFromPowerOn(serial) };
}

/** Checks that every scanner is in the store of its process and in no other one, with all its data. */
async function expectComplete(folders: Folders, places: ReadonlyMap<string, number>, before: Known) {
  const after = await contents(folders);
  for (const [serial, known] of Object.entries(before)) {
    expect(after[places.get(serial) ?? -1]?.known[serial], serial).toEqual(known);
  }
  const serials = after.flatMap(({ known }) => Object.keys(known)).sort();
  expect(serials).toEqual(Object.keys(before).sort());
  const held = after.flatMap(({ known, folders: names }) => names.filter((name) => name in known));
  // A folder exists only where its scanner is.
  expect(after.flatMap(({ folders: names }) => names)).toEqual(held);
  expect(held.sort()).toEqual(['1', '2', '3', '4']);
}

type Known = Readonly<Record<string, unknown>>;

async function knownBefore(folders: Folders): Promise<Known> {
  const [first] = await contents(folders);
  if (first === undefined) throw new Error('there is one');
  return first.known;
}

test('what scanners have stored moves to their processes, and stays there', async () => {
  const folders = await filled(2, 2);
  const before = await knownBefore(folders);
  const places = await move(folders);
  await expectComplete(folders, places, before);
  // 1 and 2 send.
  expect([...places.values()].filter((place) => place === 0)).toHaveLength(3);
  expect(places.get('1')).not.toBe(places.get('2'));
  expect(await move(folders)).toEqual(places);
  await expectComplete(folders, places, before);
});

test('all of a former store moves, but for scanners that are not in the fleet any more', async () => {
  const folders = await filled(2, 3);
  const before = await knownBefore(folders);
  await withStores(folders, ([first, , third]) =>
    moveScanners(scannerFacts(6), third === undefined ? [] : [third], first === undefined ? [] : [first]),
  );
  const places = await move(folders, 5);
  expect([...places.keys()].sort()).toEqual(['1', '2', '3', '4', '5']);
  await expectComplete(folders, new Map([...places, ['6', 2]]), before);
});

test('what has moved comes back to where it was', async () => {
  const folders = await filled(2, 2);
  const before = await knownBefore(folders);
  await move(folders);
  const one = { ...folders, processes: 1 };
  await expectComplete(folders, await move(one), before);
  await expectComplete(folders, await move(folders), before);
});

/** Fails with the step number `at` and all later ones, as if the power was cut. @returns how many steps there were */
function cutAt(at: number) {
  const steps = { count: 0 };
  const step = () => {
    if (++steps.count >= at) throw new Error('the power was cut');
  };
  const append = Journal.prototype.append;
  vi.spyOn(Journal.prototype, 'append').mockImplementation(async function (this: Journal, record) {
    step();
    const place = await append.call(this, record);
    step();
    return place;
  });
  const removeFiles = FleetStore.prototype.removeFiles;
  vi.spyOn(FleetStore.prototype, 'removeFiles').mockImplementation(async function (this: FleetStore, serial) {
    step();
    await removeFiles.call(this, serial);
    step();
  });
  vi.mocked(copying.copyFolder).mockImplementation(async (from, to) => {
    await copyFolder(from, to);
    try {
      step();
    } catch (error) {
      // Half of it is on disk.
      rmSync(join(to, 'second.bin'));
      throw error;
    }
    step();
  });
  return steps;
}

const { copyFolder } = await vi.importActual<typeof copying>('../../src/store/scanner-storage.js');

test.each([
  ['to another process', 2, 2],
  ['from a former store', 1, 2],
])('a power cut at any step of a move %s loses nothing and revives nothing', async (_, processes, stores) => {
  let cuts = 0;
  for (let isOver = false; !isOver; ) {
    const folders = await filled(stores, stores);
    const from = processes === stores ? folders : { ...folders, processes };
    // The scanners are in the last store, which is the former one.
    if (processes < stores)
      await withStores(folders, ([first, last]) =>
        moveScanners(scannerFacts(6), last === undefined ? [] : [last], first === undefined ? [] : [first]),
      );
    const all = await contents(folders);
    const before: Known = Object.assign({}, ...all.map(({ known }) => known));
    const steps = cutAt(cuts + 1);
    isOver = await move(from).then(
      () => true,
      () => false,
    );
    vi.restoreAllMocks();
    vi.mocked(copying.copyFolder).mockImplementation(copyFolder);
    if (!isOver) cuts++;
    expect(steps.count).toBeGreaterThan(0);
    const places = await move(from);
    expect(places.size).toBe(6);
    await expectComplete(folders, places, before);
  }
  expect(cuts).toBeGreaterThan(10);
});

test('a scanner that two stores know after a power cut, and that is not in the fleet, remains in one', async () => {
  const folders = await filled(2, 2);
  const before = await knownBefore(folders);
  await withStores(folders, async ([one, two]) => {
    if (one !== undefined) await two?.copyFrom(one, '1');
  });
  const places = await withStores(folders, (stores) => moveScanners(scannerFacts(6).slice(1), stores, []));
  await expectComplete(folders, new Map([...places, ['1', 0]]), before);
});
