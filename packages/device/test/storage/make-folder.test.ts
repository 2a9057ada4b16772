import { statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { temporaryFolder } from '@azimuth/test-support/files';
import { expect, test } from 'vitest';
import { makeFolder } from '../../src/documents.js';

test('missing parents are created, too, for their owner only', async () => {
  const top = join(temporaryFolder(), 'a');
  await makeFolder(join(top, 'b', 'c'));
  for (const path of [top, join(top, 'b'), join(top, 'b', 'c')])
    expect(statSync(path).mode & 0o777).toBe(0o700);
});

test('a folder that exists, or a link to one, is left as it is', async () => {
  const folder = temporaryFolder();
  const link = join(temporaryFolder(), 'link');
  symlinkSync(folder, link);
  const before = statSync(folder).mode;
  await makeFolder(folder);
  await makeFolder(link);
  await makeFolder('/');
  expect(statSync(folder).mode).toBe(before);
});

test('several calls can create the same folder at the same time', async () => {
  const top = temporaryFolder();
  for (let round = 0; round < 100; round += 1) {
    const folder = join(top, String(round), 'b');
    await Promise.all([makeFolder(folder), makeFolder(folder), makeFolder(join(folder, 'c'))]);
    expect(statSync(join(folder, 'c')).isDirectory()).toBe(true);
  }
});

test('a relative path is resolved from the current folder', async () => {
  const folder = join(temporaryFolder(), 'there', 'deep');
  await makeFolder(relative(process.cwd(), folder));
  expect(statSync(folder).isDirectory()).toBe(true);
});

test('a file in the way is an error of the system', async () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  await expect(makeFolder(file)).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(makeFolder(join(file, 'a', 'b'))).rejects.toMatchObject({ code: 'ENOTDIR' });
});

test.runIf(process.platform === 'linux')(
  'a place where the system creates nothing is refused at once',
  async () => {
    await expect(makeFolder('/proc/azimuth/data')).rejects.toMatchObject({
      code: 'ENOENT',
      syscall: 'mkdir',
    });
  },
);
