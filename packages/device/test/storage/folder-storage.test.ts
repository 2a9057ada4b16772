import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@azimuth/test-support/files';
import { expect, onTestFinished, test, vi } from 'vitest';
import { FolderStorage, MemoryStorage, type Storage } from '../../src/index.js';
import { Child } from './child.js';

async function opened(folder = temporaryFolder()): Promise<FolderStorage> {
  const storage = await FolderStorage.open(folder);
  onTestFinished(() => storage.close());
  return storage;
}

const kinds: readonly [string, () => Promise<Storage>][] = [
  ['FolderStorage', opened],
  ['MemoryStorage', async () => new MemoryStorage()],
];

test.each(kinds)('%s reads what was written last, and nothing if nothing was written', async (_, make) => {
  const storage = await make();
  expect(await storage.read('a.json')).toBeUndefined();
  await storage.write('a.json', Buffer.from('one'));
  await storage.write('b.json', Buffer.from('other'));
  await storage.write('a.json', Buffer.from('two'));
  expect(Buffer.from((await storage.read('a.json')) ?? []).toString()).toBe('two');
});

test.each(kinds)('%s keeps what was written, even if the bytes change afterwards', async (_, make) => {
  const storage = await make();
  const bytes = Buffer.from('one');
  await storage.write('a.json', bytes);
  bytes.fill(0);
  expect(Buffer.from((await storage.read('a.json')) ?? []).toString()).toBe('one');
});

test.each(kinds)('%s renames a document without changing it, and returns its new name', async (_, make) => {
  const storage = await make();
  await storage.write('a.json', Buffer.from('broken'));
  const aside = await storage.setAside('a.json');
  expect(await storage.read('a.json')).toBeUndefined();
  expect(Buffer.from((await storage.read(aside)) ?? []).toString()).toBe('broken');
});

test.each(kinds)(
  '%s overwrites nothing that was set aside, not even in the same millisecond',
  async (_, make) => {
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 15), toFake: ['Date'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const storage = await make();
    const asides: string[] = [];
    for (const text of ['first', 'second', 'third']) {
      await storage.write('a.json', Buffer.from(text));
      asides.push(await storage.setAside('a.json'));
    }
    const stored = await Promise.all(asides.map((aside) => storage.read(aside)));
    expect(stored.map((bytes) => Buffer.from(bytes ?? []).toString())).toEqual(['first', 'second', 'third']);
  },
);

test.each(kinds)('%s lets writers of one document take turns', async (_, make) => {
  const storage = await make();
  const texts = Array.from({ length: 20 }, (_, index) => String(index).repeat(10_000));
  await Promise.all(texts.map((text) => storage.write('a.json', Buffer.from(text))));
  expect(Buffer.from((await storage.read('a.json')) ?? []).toString()).toBe(texts.at(-1));
});

test('a new folder is made, with those above it, for the owner alone', async () => {
  const folder = join(temporaryFolder(), 'deep', 'scanner');
  await opened(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('what was never finished is removed at the start, and nothing else', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'parameters.json.azimuth-unfinished'), 'half');
  writeFileSync(join(folder, 'parameters.json'), 'whole');
  writeFileSync(join(folder, 'notes.txt'), 'of a person');
  writeFileSync(join(folder, 'report.new'), 'of a person too');
  mkdirSync(join(folder, 'folder.azimuth-unfinished'));
  await opened(folder);
  expect(readdirSync(folder).toSorted()).toEqual([
    'folder.azimuth-unfinished',
    'lock',
    'notes.txt',
    'parameters.json',
    'report.new',
  ]);
  expect(readFileSync(join(folder, 'parameters.json'), 'utf8')).toBe('whole');
});

test('a write leaves no temporary file, done or failed', async () => {
  const storage = await opened();
  await storage.write('a.json', Buffer.from('one'));
  mkdirSync(join(storage.folder, 'b.json'));
  await expect(storage.write('b.json', Buffer.from('two'))).rejects.toThrow();
  expect(readdirSync(storage.folder).toSorted()).toEqual(['a.json', 'b.json', 'lock']);
});

test('only the caller of a failed write gets the error; the next write works', async () => {
  const storage = await opened();
  const blocker = join(storage.folder, 'a.json.azimuth-unfinished');
  mkdirSync(blocker);
  const failing = storage.write('a.json', Buffer.from('one'));
  const other = storage.write('b.json', Buffer.from('two'));
  await expect(failing).rejects.toThrow('EISDIR');
  await other;
  expect(existsSync(join(storage.folder, 'a.json'))).toBe(false);
  await (await import('node:fs/promises')).rmdir(blocker);
  await storage.write('a.json', Buffer.from('three'));
  expect(readFileSync(join(storage.folder, 'a.json'), 'utf8')).toBe('three');
});

test('closing waits for writes under way, and after it nothing is written', async () => {
  const storage = await FolderStorage.open(temporaryFolder());
  const writes = Array.from({ length: 5 }, (_, index) => storage.write('a.json', Buffer.from(`${index}`)));
  await storage.close();
  expect(readFileSync(join(storage.folder, 'a.json'), 'utf8')).toBe('4');
  await Promise.all(writes);
  await expect(storage.write('a.json', Buffer.from('late'))).rejects.toThrow();
  expect(readFileSync(join(storage.folder, 'a.json'), 'utf8')).toBe('4');
});

test('a process killed in the middle of writing leaves the old document or the new one, whole', async () => {
  const folder = temporaryFolder();
  const seen = new Set<string>();
  for (let round = 0; round < 3; round++) {
    const child = Child.open(
      folder,
      `for (let turn = 0; ; turn++) {
        await storage.write('a.json', Buffer.alloc(300_000, 97 + (turn % 26)));
        if (turn % 3 === ${round}) console.log('written');
      }`,
    );
    expect(await child.line()).toBe('open');
    await child.line();
    await child.kill();
    const storage = await FolderStorage.open(folder);
    const text = Buffer.from((await storage.read('a.json')) ?? []).toString();
    await storage.close();
    expect(text).toHaveLength(300_000);
    expect(new Set(text).size).toBe(1);
    seen.add(text.charAt(0));
    expect(readdirSync(folder)).toEqual(['a.json']);
  }
  expect(seen.size).toBeGreaterThan(0);
});
