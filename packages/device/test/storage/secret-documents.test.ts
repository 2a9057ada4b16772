import type * as FileSystem from 'node:fs';
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtInProduct } from '@azimuth/model';
import { temporaryFolder } from '@azimuth/test-support/files';
import { LogBook } from '@azimuth/test-support/log-book';
import { SeededRandom } from '@azimuth/test-support/seeded-random';
import { factoryPassword } from '@azimuth/test-support/test-device';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { CredentialStore } from '../../src/access/credential-store.js';
import { FolderStorage } from '../../src/index.js';
import { Conditions } from '../../src/lifecycle/conditions.js';
import { Documents } from '../../src/storage/documents.js';

const opened = vi.hoisted((): { path: string; mode: number }[] => []);

// Real files. Each is checked at the moment of its creation, while it is empty.
vi.mock('node:fs', async (original) => {
  const files = await original<typeof FileSystem>();
  const openSync = (path: string, flags: string, mode: number) => {
    const file = files.openSync(path, flags, mode);
    opened.push({ path, mode: files.fstatSync(file).mode & 0o777 });
    return file;
  };
  return { ...files, openSync };
});

let folder: string;
let storage: FolderStorage;

beforeEach(async () => {
  const mask = process.umask(0o022);
  onTestFinished(() => {
    process.umask(mask);
  });
  folder = temporaryFolder();
  storage = await FolderStorage.open(folder);
  opened.length = 0;
  onTestFinished(() => storage.close());
});

function modesOf(name: string): number[] {
  return opened.filter(({ path }) => path.startsWith(join(folder, name))).map(({ mode }) => mode);
}

function modeOf(name: string): number {
  return statSync(join(folder, name)).mode & 0o777;
}

test('a secret document is readable by its owner alone from the moment its temporary file is made', async () => {
  await storage.write('secret.json', Buffer.from('one'), { secret: true });
  await storage.write('secret.json', Buffer.from('two'), { secret: true });
  expect(modesOf('secret.json')).toEqual([0o600, 0o600]);
  expect(modeOf('secret.json')).toBe(0o600);
  await storage.write('open.json', Buffer.from('one'));
  expect(modesOf('open.json')).toEqual([0o644]);
});

test('a secret document that others could read becomes one of its owner alone', async () => {
  writeFileSync(join(folder, 'secret.json'), 'old');
  chmodSync(join(folder, 'secret.json'), 0o644);
  await storage.write('secret.json', Buffer.from('new'), { secret: true });
  expect(modeOf('secret.json')).toBe(0o600);
});

test('a temporary file that was left with other rights does not lend them to a secret document', async () => {
  writeFileSync(join(folder, 'secret.json.azimuth-unfinished'), 'left');
  chmodSync(join(folder, 'secret.json.azimuth-unfinished'), 0o644);
  await storage.write('secret.json', Buffer.from('new'), { secret: true });
  expect(modesOf('secret.json')).toEqual([0o600]);
  expect(modeOf('secret.json')).toBe(0o600);
});

test('a secret document that is set aside stays secret', async () => {
  await storage.write('secret.json', Buffer.from('broken'), { secret: true });
  expect(modeOf(await storage.setAside('secret.json'))).toBe(0o600);
});

test('credentials are secret at every moment and hold no password in clear', async () => {
  const log = new LogBook();
  const store = await CredentialStore.open({
    product: builtInProduct,
    documents: new Documents(storage, log),
    random: new SeededRandom(),
    conditions: new Conditions(() => undefined),
    isUsed: async () => false,
    log,
  });
  await store.setPassword('Service', 'Open Sesame');
  await store.setPassword('Maintenance', 'Another Secret');
  await store.setLegacy('AuthorizedClient', 3410122659);
  expect(new Set(modesOf('credentials.json'))).toEqual(new Set([0o600]));
  expect(modesOf('credentials.json').length).toBeGreaterThanOrEqual(4);
  expect(modeOf('credentials.json')).toBe(0o600);
  const passwords = [
    'Open Sesame',
    'Another Secret',
    '3410122659',
    'cb4253a3',
    ...Object.values(factoryPassword),
  ];
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name), 'utf8');
    for (const password of passwords) {
      expect(text).not.toContain(password);
      expect(text).not.toContain(Buffer.from(password).toString('hex'));
      expect(text).not.toContain(Buffer.from(password).toString('base64'));
    }
  }
  expect(log.lines).toEqual([]);
});
