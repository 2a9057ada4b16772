import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DamagedDocument, encodeDocument, secretDocuments } from '@azimuth/device/documents';
import { temporaryFolder } from '@azimuth/test-support/files';
import { LogBook } from '@azimuth/test-support/log-book';
import { describe, expect, test } from 'vitest';
import { moveScanners } from '../../src/placement/placement.js';
import { FleetStore, journalName, usedName } from '../../src/store/fleet-store.js';
import { headBytes } from '../../src/store/journal-bytes.js';

const credentials = secretDocuments.credentials;
const names = [credentials, 'parameters.json', 'operating.json'];
const serials = ['1', '2', '3'];

function contentOf(serial: string, name: string): string {
  return String(encodeDocument({ of: serial, name, fill: 'x'.repeat(40) }));
}

/** The journal of three scanners, each with an older version of its data. */
async function journalOfThree(): Promise<Buffer> {
  const folder = temporaryFolder();
  const store = await FleetStore.open(folder, new LogBook());
  await store.powerOn(serials);
  for (const serial of serials) {
    const storage = store.storageOf(serial);
    for (const name of names) await storage.write(name, encodeDocument({ old: serial }));
    for (const name of names) await storage.write(name, Buffer.from(contentOf(serial, name)));
  }
  await store.close();
  return readFileSync(join(folder, journalName));
}

async function openedWith(journal: Uint8Array, folder = temporaryFolder()) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, journalName), journal);
  return opened(folder);
}

async function opened(folder: string) {
  const log = new LogBook();
  const store = await FleetStore.open(folder, log);
  const asides = readdirSync(folder).filter((name) => name.startsWith('journal.unreadable-'));
  return { folder, log, store, asides };
}

/** Returns the data of each scanner, and the damage that it is told of. A lost document is never replaced by an older one. */
async function stateOf(store: FleetStore) {
  const lost: string[] = [];
  const told: string[] = [];
  for (const serial of serials) {
    const storage = store.storageOf(serial);
    if (storage.damage !== undefined) told.push(serial);
    expect(await storage.isUsed()).toBe(true);
    for (const name of names) {
      try {
        expect(String(await storage.read(name))).toBe(contentOf(serial, name));
      } catch (error) {
        if (!(error instanceof DamagedDocument)) throw error;
        lost.push(serial);
      }
    }
  }
  return { lost: [...new Set(lost)], told };
}

test('a bit that flips anywhere in a journal is found, kept aside, and told to its scanners alone', async () => {
  const journal = await journalOfThree();
  let losses = 0;
  for (let bit = 3; bit < journal.length * 8; bit += 5003) {
    const damaged = Buffer.from(journal);
    damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    const { folder, log, store, asides } = await openedWith(damaged);
    const { lost, told } = await stateOf(store);
    expect(log.errors, `bit ${bit}`).toMatchObject([
      { message: 'The journal of the fleet is damaged', facts: { setAside: asides[0], scanners: told } },
    ]);
    expect(readFileSync(join(folder, asides[0] ?? ''))).toEqual(damaged);
    // The record of their power-ons belongs to all scanners, and the head to none.
    expect(bit < headBytes * 8 ? [0] : [1, 3]).toContain(told.length);
    expect(lost.length).toBeLessThanOrEqual(1);
    for (const serial of lost) expect(told).toContain(serial);
    losses += lost.length;
    expect(store.powerOns('1')).toBe(0);
    await store.close();
    const again = await opened(folder);
    expect(again.log.lines).toEqual([]);
    expect(await stateOf(again.store)).toEqual({ lost, told });
    await again.store.close();
  }
  expect(losses).toBeGreaterThan(0);
});

test.each([0x00, 0xff])(
  'a sector of bytes %i anywhere in a journal is found, and told to its scanners',
  async (fill) => {
    const journal = await journalOfThree();
    for (let at = 0; at < journal.length; at += 409) {
      const damaged = Buffer.from(journal).fill(fill, at, Math.min(journal.length, at + 512));
      if (damaged.equals(journal)) continue;
      const { log, store } = await openedWith(damaged);
      const { lost, told } = await stateOf(store);
      expect(log.errors, `byte ${at}`).toHaveLength(1);
      if (at + 512 > headBytes + 60) expect(told.length).toBeGreaterThan(0);
      for (const serial of lost) expect(told).toContain(serial);
      expect(store.isUnsure).toBe(false);
      await store.close();
    }
  },
);

test('what is told of a scanner ends when its parameters are saved, and what is lost when it is written', async () => {
  const journal = await journalOfThree();
  const at = journal.lastIndexOf('"of": "2"', journal.lastIndexOf(`"name": "${credentials}"`) - 900);
  const { folder, store } = await openedWith(Buffer.from(journal).fill(0x58, at, at + 4));
  const storage = store.storageOf('2');
  expect((await stateOf(store)).told).toEqual(['2']);
  for (const name of names) await storage.write(name, Buffer.from(contentOf('2', name)));
  expect(await stateOf(store)).toEqual({ lost: [], told: [] });
  await store.close();
  const again = await opened(folder);
  expect(await stateOf(again.store)).toEqual({ lost: [], told: [] });
  await again.store.close();
});

test('a lost document that a scanner sets aside is missing from then on, and the scanner counts as used', async () => {
  const folder = temporaryFolder();
  const first = await opened(folder);
  await first.store.storageOf('1').write(credentials, Buffer.from(contentOf('1', credentials)));
  await first.store.close();
  const journal = readFileSync(join(folder, journalName));
  const at = journal.indexOf('"of"');
  const { store } = await openedWith(Buffer.from(journal).fill(0x58, at, at + 4), folder);
  const storage = store.storageOf('1');
  await expect(storage.read(credentials)).rejects.toThrow(DamagedDocument);
  expect(await storage.setAside(credentials)).toContain('damaged journal');
  expect(await storage.read(credentials)).toBeUndefined();
  expect(await storage.isUsed()).toBe(true);
  await store.close();
  const again = await opened(folder);
  expect(await again.store.storageOf('1').isUsed()).toBe(true);
  expect(await again.store.storageOf('2').isUsed()).toBe(false);
  await again.store.close();
});

test('if nobody knows whose records are lost, credentials that may be outdated are locked, and newer ones count', async () => {
  const journal = await journalOfThree();
  // All bytes before the last records of scanner 3.
  const end = journal.lastIndexOf('"unit":"2"');
  const { folder, store, log } = await openedWith(Buffer.from(journal).fill(0xff, 1000, end));
  const isLocked = (of: FleetStore, serial: string) =>
    of
      .storageOf(serial)
      .read(credentials)
      .then(
        (found) => found === undefined,
        () => true,
      );
  expect(await Promise.all([...serials, 'new'].map((serial) => isLocked(store, serial)))).toEqual([
    ...[true, true, false, true],
  ]);
  for (const serial of [...serials, 'new']) expect(await store.storageOf(serial).isUsed()).toBe(true);
  expect(JSON.stringify(log.errors)).toContain('nobody knows whose');
  await store.close();
  const again = await opened(folder);
  expect(await again.store.storageOf('new').isUsed()).toBe(true);
  // Moving to another process does not help.
  const other = await opened(temporaryFolder());
  const unitFacts = ['1', 'new'].map((serial) => ({ serial, parameters: {} }));
  await moveScanners(unitFacts, [other.store], [again.store]);
  expect(await other.store.storageOf('new').isUsed()).toBe(true);
  expect(await isLocked(other.store, '1')).toBe(true);
  await Promise.all([again.store.close(), other.store.close()]);
});

test('a journal whose head is lost is kept aside, and nobody can log in to its scanners', async () => {
  const journal = await journalOfThree();
  const { folder, store, log, asides } = await openedWith(Buffer.from(journal).fill(0xff, 0, headBytes));
  expect(asides).toHaveLength(1);
  expect(log.errors).toHaveLength(1);
  expect(await store.storageOf('1').isUsed()).toBe(true);
  expect(await store.storageOf('1').read(credentials)).toBeUndefined();
  await store.powerOn(serials);
  await store.close();
  const again = await opened(folder);
  expect(again.log.lines).toEqual([]);
  expect(await again.store.storageOf('new').isUsed()).toBe(true);
  expect(again.store.powerOns('1')).toBe(1);
  await again.store.close();
});

test.each(['removed', 'emptied', 'cut off within its head'])(
  'a journal that was %s does not make its scanners new',
  async (how) => {
    const { folder, store } = await openedWith(await journalOfThree());
    await store.close();
    if (how === 'removed') rmSync(join(folder, journalName));
    else truncateSync(join(folder, journalName), how === 'emptied' ? 0 : 100);
    for (let start = 0; start < 2; start++) {
      const again = await opened(folder);
      expect(await again.store.storageOf('1').isUsed()).toBe(true);
      if (start === 0) expect(JSON.stringify(again.log.errors)).toContain('nobody can log in');
      await again.store.close();
    }
  },
);

test('a journal that was written anew for no scanners at all is not lost', async () => {
  const folder = temporaryFolder();
  const { store } = await opened(folder);
  // More than the limit of outdated bytes.
  await store.storageOf('1').write('large.json', Buffer.alloc(17 * 1024 * 1024));
  await store.forget(['1']);
  await store.storageOf('1').read('large.json');
  expect(store.size).toBeLessThan(10_000);
  await store.close();
  const again = await opened(folder);
  expect(again.log.lines).toEqual([]);
  expect(await again.store.storageOf('2').isUsed()).toBe(false);
  await again.store.close();
});

test('a folder in which nothing was ever stored is new', async () => {
  const folder = temporaryFolder();
  const first = await opened(folder);
  await first.store.close();
  const { store, log } = await opened(folder);
  expect(await store.storageOf('1').isUsed()).toBe(false);
  expect(log.lines).toEqual([]);
  expect(readdirSync(folder)).not.toContain(usedName);
  await store.close();
});

test('a document that is damaged while the store is open is noticed when it is read, and can be set aside', async () => {
  const { folder, store } = await openedWith(await journalOfThree());
  const path = join(folder, journalName);
  const content = readFileSync(path);
  const at = content.lastIndexOf(`"name": "${credentials}"`);
  writeFileSync(path, content.fill(0x20, at, at + 3), { flag: 'r+' });
  const storage = store.storageOf('3');
  await expect(storage.read(credentials)).rejects.toThrow(DamagedDocument);
  const aside = await storage.setAside(credentials);
  expect(await storage.read(credentials)).toBeUndefined();
  expect((await storage.read(aside))?.length).toBe(contentOf('3', credentials).length);
  await store.close();
});

describe('a last record of full length, of which a power cut has left', () => {
  /** The journal of three scanners, and the offset of its last record: another document of scanner 3. */
  async function journalAndLast(): Promise<{ readonly journal: Buffer; readonly last: number }> {
    const folder = temporaryFolder();
    const { store } = await openedWith(await journalOfThree(), folder);
    const last = store.size;
    await store.storageOf('3').write('recorder.json', encodeDocument({ fill: 'y'.repeat(900) }));
    await store.close();
    return { journal: readFileSync(join(folder, journalName)), last };
  }

  test('wrong bytes alone, is lost to its scanner, and the fleet opens', async () => {
    const { journal, last } = await journalAndLast();
    const at = journal.indexOf('yyyy', last);
    const { store, log } = await openedWith(Buffer.from(journal).fill(0x58, at, at + 600));
    expect(log.errors).toMatchObject([{ facts: { scanners: ['3'] } }]);
    expect(await stateOf(store)).toEqual({ lost: [], told: ['3'] });
    await expect(store.storageOf('3').read('recorder.json')).rejects.toThrow(DamagedDocument);
    await store.close();
  });

  test.each([
    ['its beginning alone', (length: number) => [40, length]],
    ['its end alone', (length: number) => [0, length - 40]],
    ['nothing that was written', (length: number) => [0, length]],
  ])('%s, is damage that is told, and the fleet opens', async (_, wrong) => {
    const { journal, last } = await journalAndLast();
    const [from = 0, to = 0] = wrong(journal.length - last);
    const damaged = Buffer.from(journal).fill(0xa5, last + from, last + to);
    const { folder, store, log, asides } = await openedWith(damaged);
    expect(asides).toHaveLength(1);
    expect(log.errors).toHaveLength(1);
    const { told } = await stateOf(store);
    expect(told).toContain('3');
    // Records that are written now are read at the next start, behind the damaged ones.
    await store.storageOf('3').write('recorder.json', encodeDocument({ written: 'anew' }));
    await store.close();
    const again = await opened(folder);
    expect(again.log.errors).toEqual([]);
    expect(String(await again.store.storageOf('3').read('recorder.json'))).toContain('anew');
    await again.store.close();
  });
});
