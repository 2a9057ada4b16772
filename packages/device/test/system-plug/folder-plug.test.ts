import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FolderPlug, PlugFailure } from '@azimuth/device';
import { LogBook } from '@azimuth/test-support/log-book';
import { describe, expect, onTestFinished, test } from 'vitest';
import { longestBackup } from '../../src/backup-restore/backup-file.js';

const file = 'system-plug.json';
const content = Buffer.from('content');

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'azimuth-plug-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function plugIn(folder: string): FolderPlug {
  const plug = new FolderPlug(folder);
  onTestFinished(() => plug.release());
  return plug;
}

describe('a folder as a plug', () => {
  test('is empty, then has what was written, which only the owner can read', async () => {
    const folder = temporaryFolder();
    const plug = plugIn(folder);
    expect(await plug.read()).toBeUndefined();
    await plug.write(content);
    await plug.write(Buffer.from('more'));
    expect(await plug.read()).toEqual(Buffer.from('more'));
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    await plug.release();
    expect(readdirSync(folder)).toEqual([file]);
  });

  test('replaces what a power cut has left of a write', async () => {
    const folder = temporaryFolder();
    const unfinished = join(folder, `${file}.azimuth-unfinished`);
    writeFileSync(unfinished, 'half', { mode: 0o644 });
    const plug = plugIn(folder);
    await plug.write(content);
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).sort()).toEqual(['lock', file]);
  });

  test('sets a file aside under a new name', async () => {
    const folder = temporaryFolder();
    const plug = plugIn(folder);
    await plug.write(content);
    const names = [await plug.setAside()];
    await plug.write(content);
    names.push(await plug.setAside());
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(readFileSync(join(folder, name))).toEqual(content);
    expect(await plug.read()).toBeUndefined();
  });

  test('is not read further than the longest backup', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, file), Buffer.alloc(3 * longestBackup));
    expect(await plugIn(folder).read()).toHaveLength(longestBackup + 1);
  });

  test('fails while it is missing or is a file, and works when it is there', async () => {
    const folder = join(temporaryFolder(), 'plug');
    const plug = plugIn(folder);
    await expect(plug.read()).rejects.toThrow(PlugFailure);
    await expect(plug.write(content)).rejects.toThrow('does not exist, or is not a folder');
    writeFileSync(folder, '');
    await expect(plug.write(content)).rejects.toThrow('does not exist, or is not a folder');
    rmSync(folder);
    mkdirSync(folder);
    await plug.write(content);
    rmSync(folder, { recursive: true });
    await expect(plug.read()).rejects.toThrow(PlugFailure);
    mkdirSync(folder);
    expect(await plug.read()).toBeUndefined();
    // The lock was acquired again.
    expect(readdirSync(folder)).toEqual(['lock']);
  });

  test('follows no symbolic link in place of its file, and reads no folder there', async () => {
    const [folder, elsewhere] = [temporaryFolder(), join(temporaryFolder(), 'elsewhere')];
    writeFileSync(elsewhere, 'secret');
    symlinkSync(elsewhere, join(folder, file));
    const plug = plugIn(folder);
    await expect(plug.read()).rejects.toThrow('is a symbolic link');
    rmSync(join(folder, file));
    mkdirSync(join(folder, file));
    await expect(plug.read()).rejects.toThrow('is not a file');
    expect(readFileSync(elsewhere, 'utf8')).toBe('secret');
  });

  test('may be reached by a symbolic link itself', async () => {
    const [folder, link] = [temporaryFolder(), join(temporaryFolder(), 'link')];
    symlinkSync(folder, link);
    await plugIn(link).write(content);
    expect(readFileSync(join(folder, file))).toEqual(content);
  });

  test.each(['lock', 'lock.claim'])('keeps a file %s that is not of a scanner, and fails', async (name) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'lock'), '{"pid":0,"started":"long ago","host":"here"}');
    writeFileSync(join(folder, name), 'of somebody else');
    const plug = plugIn(folder);
    await expect(plug.read()).rejects.toThrow('not of a scanner');
    await plug.release();
    expect(readFileSync(join(folder, name), 'utf8')).toBe('of somebody else');
  });

  test('warns once if other users may write to it', async () => {
    const [safe, open] = [temporaryFolder(), temporaryFolder()];
    chmodSync(open, 0o770);
    const log = new LogBook();
    for (const folder of [safe, open]) {
      const plug = new FolderPlug(folder, log);
      onTestFinished(() => plug.release());
      await plug.read();
      await plug.read();
    }
    expect(log.lines.map(({ facts }) => facts)).toEqual([{ path: open }]);
  });

  test('belongs to one scanner at a time', async () => {
    const folder = temporaryFolder();
    const first = plugIn(folder);
    const second = plugIn(folder);
    await first.write(content);
    await expect(second.read()).rejects.toThrow('another scanner uses the plug');
    await expect(second.write(content)).rejects.toThrow(PlugFailure);
    await expect(second.setAside()).rejects.toThrow(PlugFailure);
    await first.release();
    expect(await second.read()).toEqual(content);
    await expect(first.write(content)).rejects.toThrow(PlugFailure);
  });
});
