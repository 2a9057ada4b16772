import fs, { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@azimuth/test-support/files';
import { latch } from '@azimuth/test-support/waiting';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { FolderStorage } from '../../src/index.js';

const name = 'large';

async function* of(...pieces: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield Buffer.from(piece);
}

async function read(storage: FolderStorage): Promise<string | undefined> {
  const pieces = await storage.pieces(name);
  if (pieces === undefined) return undefined;
  let text = '';
  for await (const piece of pieces) text += Buffer.from(piece).toString();
  return text;
}

describe('a large file in a folder', () => {
  let folder: string;
  let storage: FolderStorage;

  const files = () => readdirSync(folder).filter((file) => file !== 'lock');

  beforeEach(async () => {
    folder = temporaryFolder();
    storage = await FolderStorage.open(folder);
    onTestFinished(() => storage.close());
  });

  test('is there when all of it has come, and the old one until then', async () => {
    await storage.receive(name, of('old'));
    const going = latch();
    const slow = async function* () {
      yield Buffer.from('n');
      await going.opened;
      yield Buffer.from('ew');
    };
    const receiving = storage.receive(name, slow());
    expect(await read(storage)).toBe('old');
    going.open();
    await receiving;
    expect(await read(storage)).toBe('new');
    expect(files()).toEqual([name]);
  });

  test('that breaks off is gone, the old one is not, and the error is that of its source', async () => {
    await storage.receive(name, of('old'));
    const why = new Error('broken off');
    const broken = async function* () {
      yield Buffer.alloc(3_000_000);
      throw why;
    };
    await expect(storage.receive(name, broken())).rejects.toBe(why);
    expect(await read(storage)).toBe('old');
    expect(files()).toEqual([name]);
  });

  test('that breaks off before its first byte leaves nothing, though the disk is slow, and the next one is taken', async () => {
    const open = fs.open.bind(fs);
    vi.spyOn(fs, 'open').mockImplementation((...args: unknown[]) => {
      setTimeout(() => Reflect.apply(open, fs, args), 20);
    });
    const why = new Error('broken off');
    const broken = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(why) }) };
    for (let time = 0; time < 3; time++) {
      await expect(storage.receive(name, broken)).rejects.toBe(why);
    }
    await storage.receive(name, of('new'));
    expect(await read(storage)).toBe('new');
    expect(files()).toEqual([name]);
  });

  test('that is read stays as it was while another takes its place, or it is removed', async () => {
    await storage.receive(name, of('old'));
    const before = await storage.pieces(name);
    await storage.receive(name, of('new'));
    const after = await storage.pieces(name);
    await storage.remove(name);
    const texts: string[] = [];
    for (const pieces of [before, after]) {
      for await (const piece of pieces ?? []) texts.push(Buffer.from(piece).toString());
    }
    expect(texts).toEqual(['old', 'new']);
    expect(await storage.pieces(name)).toBeUndefined();
    await storage.remove(name);
  });

  test('may be empty', async () => {
    await storage.receive(name, of());
    expect(readFileSync(join(folder, name), 'utf8')).toBe('');
  });

  test('of which a power cut left a part is cleared away at the next start', async () => {
    await storage.close();
    writeFileSync(join(folder, `${name}.azimuth-unfinished`), 'half');
    storage = await FolderStorage.open(folder);
    expect(files()).toEqual([]);
  });

  test('is not accepted once the folder was released', async () => {
    await storage.close();
    await expect(storage.receive(name, of('late'))).rejects.toThrow('was released');
    expect(files()).toEqual([]);
  });

  test('reads no more than the disk accepts', async () => {
    let requested = 0;
    let received = 0;
    let most = 0;
    const source = async function* () {
      for (let piece = 0; piece < 400; piece++) {
        requested += 65_536;
        received = Math.max(received, sizeOf(folder));
        most = Math.max(most, requested - received);
        yield Buffer.alloc(65_536);
      }
    };
    await storage.receive(name, source());
    expect(most).toBeLessThan(4 * 1024 * 1024);
    expect(most).toBeGreaterThan(0);
  });
});

function sizeOf(folder: string): number {
  return statSync(join(folder, `${name}.azimuth-unfinished`), { throwIfNoEntry: false })?.size ?? 0;
}
