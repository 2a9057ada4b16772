import { rmSync, writeFileSync } from 'node:fs';
import type * as FileSystem from 'node:fs/promises';
import { basename, join } from 'node:path';
import { temporaryFolder } from '@azimuth/test-support/files';
import { expect, onTestFinished, test, vi } from 'vitest';
import { FolderStorage } from '../../src/index.js';

const removed = vi.hoisted((): string[] => []);

// Real files. The holder of the lock removes it as soon as another process has found it.
vi.mock('node:fs/promises', async (original) => {
  const files = await original<typeof FileSystem>();
  return {
    ...files,
    link: async (from: string, to: string) => {
      try {
        await files.link(from, to);
      } catch (error) {
        rmSync(to);
        throw error;
      }
    },
    rm: async (path: string, options: { readonly force?: boolean }) => {
      removed.push(basename(path));
      await files.rm(path, options);
    },
  };
});

test('a lock that its holder removes meanwhile is not removed again, because it may be that of another process', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'lock'), 'of a process that ends now');
  const storage = await FolderStorage.open(folder);
  onTestFinished(() => storage.close());
  expect(removed).not.toContain('lock');
});
