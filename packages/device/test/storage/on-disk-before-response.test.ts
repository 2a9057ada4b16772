import type * as FileSystem from 'node:fs';
import { basename } from 'node:path';
import { temporaryFolder } from '@azimuth/test-support/files';
import { expect, onTestFinished, test, vi } from 'vitest';
import { FolderStorage } from '../../src/index.js';

const calls = vi.hoisted((): string[] => []);

// Real files. Every successful call of a save is recorded.
vi.mock('node:fs', async (original) => {
  const files = await original<typeof FileSystem>();
  const names = new Map<number, string>();
  const nameOf = (file: number) => names.get(file) ?? 'the folder';
  return {
    ...files,
    openSync: (path: string, flags: string, mode: number) => {
      const file = files.openSync(path, flags, mode);
      names.set(file, basename(path));
      calls.push(`open ${basename(path)}`);
      return file;
    },
    writeFileSync: (file: number, content: Uint8Array) => {
      files.writeFileSync(file, content);
      calls.push(`write ${nameOf(file)}`);
    },
    fsync: (file: number, done: (error: NodeJS.ErrnoException | null) => void) =>
      files.fsync(file, (error) => {
        calls.push(`sync ${nameOf(file)}`);
        done(error);
      }),
    closeSync: (file: number) => {
      files.closeSync(file);
      names.delete(file);
    },
    rename: (from: string, to: string, done: (error: NodeJS.ErrnoException | null) => void) =>
      files.rename(from, to, (error) => {
        calls.push(`rename to ${basename(to)}`);
        done(error);
      }),
  };
});

test('content, name and folder are on disk, in this order, before a document counts as stored', async () => {
  const storage = await FolderStorage.open(temporaryFolder());
  onTestFinished(() => storage.close());
  calls.length = 0;
  await storage.write('parameters.json', Buffer.from('{}'));
  expect(calls).toEqual([
    'open parameters.json.azimuth-unfinished',
    'write parameters.json.azimuth-unfinished',
    'sync parameters.json.azimuth-unfinished',
    'rename to parameters.json',
    'sync the folder',
  ]);
});
