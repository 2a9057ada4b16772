import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LogEntry, systemClock } from '@azimuth/monitor';
import { temporaryFolder } from '@azimuth/test-support/serve-process';
import { startScanner, type TestScanner } from '@azimuth/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ArchiveContent } from '../src/monitor/archive-section.js';
import { openArchive } from '../src/monitor/monitor-archive.js';
import { chosenScanners } from '../src/scanners/chosen.js';
import { azimuth } from './run.js';

let scanners: readonly TestScanner[];
let folder: string;

beforeAll(async () => {
  scanners = await Promise.all(
    (['1.5.0', '2.2.0', '2.4.4'] as const).map((release, index) =>
      startScanner({ release, asDevice: true, serial: `2450000${index}` }),
    ),
  );
});
afterAll(() => Promise.all(scanners.map((scanner) => scanner.close())));

beforeEach(() => {
  folder = temporaryFolder();
  writeFileSync(join(folder, 'password'), 'servicelevel\n', { mode: 0o600 });
  const entries = scanners.map(
    ({ url }, index) => `  hall/gate${index + 1}: { url: '${url}', password-file: password }\n`,
  );
  writeFileSync(join(folder, 'devices.yaml'), `devices:\n${entries.join('')}`, { mode: 0o600 });
  vi.stubEnv('AZIMUTH_DEVICES', join(folder, 'devices.yaml'));
  vi.stubEnv('AZIMUTH_PASSWORD', '');
});

const archiveFolder = () => join(folder, 'archive');

/** Archives scanners once; returns what was logged, sorted by the scanners. */
async function archived(section: Partial<ArchiveContent> = {}): Promise<readonly LogEntry[]> {
  const options = { device: ['@hall/*'] };
  const { targets } = await chosenScanners(options);
  const entries: LogEntry[] = [];
  await new Promise<void>((resolve, reject) => {
    const log = (entry: LogEntry) => {
      entries.push(entry);
      if (entries.length === targets.length) resolve();
      return Promise.resolve();
    };
    openArchive({ folder: archiveFolder(), ...section }, targets, {
      ...{ clock: systemClock, log, options },
      reportError: reject,
    }).then((archive) => {
      archive.start();
      onTestFinished(() => archive.close());
    }, reject);
  });
  return entries.toSorted((one, other) => one.scanner.localeCompare(other.scanner));
}

const git = (...words: readonly string[]) => execFileSync('git', words, { cwd: archiveFolder() }).toString();

const textsOf = (entries: readonly LogEntry[]) =>
  entries.map((entry) => (entry.kind === 'happening' ? `${entry.what}: ${entry.text}` : entry.kind));

describe('the archive of a monitor', () => {
  test('has a backup and a site file of each scanner, from releases without backups only the site file', async () => {
    expect(textsOf(await archived())).toEqual([
      'backup: site file stored, nothing has changed',
      'backup: backup and site file stored, nothing has changed',
      'backup: backup and site file stored, nothing has changed',
    ]);
    expect(readdirSync(archiveFolder()).toSorted()).toEqual([
      'azimuth-archive.json',
      'hall-gate1',
      'hall-gate2',
      'hall-gate3',
    ]);
    const kinds = (name: string) =>
      readdirSync(join(archiveFolder(), name)).map((file) => file.replace(/-\d{4}-\d\d-\d\d/, ''));
    expect(['hall-gate1', 'hall-gate2', 'hall-gate3'].map((name) => kinds(name).toSorted())).toEqual([
      ['site.yaml'],
      ['backup.json', 'site.yaml'],
      ['backup.json', 'site.yaml'],
    ]);
    const [backup = ''] = readdirSync(join(archiveFolder(), 'hall-gate3'));
    const path = join(archiveFolder(), 'hall-gate3', backup);
    expect(readFileSync(path, 'utf8')).not.toMatch(/servicelevel|password/i);
    // Devices have no names for their fields.
    expect((await azimuth('diff', '@hall/gate3', path)).stdout.replaceAll(/^x\/.*\n/gm, '')).toBe('');
  });

  test('commits to git what has changed since the last night, and nothing else', async () => {
    await archived({ git: true, author: 'Archive of the hall <archive@hall>' });
    expect(git('log', '--format=%s').trim().split('\n').toSorted()).toEqual([
      'hall/gate1: first entry',
      'hall/gate2: first entry',
      'hall/gate3: first entry',
    ]);
    const [, , third] = scanners;
    await third?.client.write('TSCTCupdatetime', 33);
    onTestFinished(async () => {
      await third?.client.write('TSCTCupdatetime', 600);
    });
    // The next night: what says that this one was done is away.
    writeFileSync(join(archiveFolder(), '.git', 'azimuth-archive.json'), '{}');
    expect(textsOf(await archived())[2]).toBe(
      'backup: backup and site file stored: TSCTCupdatetime = 600 s → 33 s',
    );
    expect(git('log', '-1', '--format=%an <%ae>: %s')).toBe(
      `azimuth monitor <azimuth@${execFileSync('hostname').toString().trim()}>: hall/gate3: TSCTCupdatetime = 600 s → 33 s\n`,
    );
    expect(git('rev-list', '--count', 'HEAD')).toBe('4\n');
    expect(git('status', '--porcelain')).toBe('');
  });

  test('has encrypted backups with a passphrase', async () => {
    writeFileSync(join(folder, 'passphrase'), 'correct horse\n');
    await archived({ 'passphrase-file': join(folder, 'passphrase') });
    const [backup = ''] = readdirSync(join(archiveFolder(), 'hall-gate3'));
    expect(
      readFileSync(join(archiveFolder(), 'hall-gate3', backup))
        .subarray(0, 8)
        .toString(),
    ).toBe('AZBACKUP');
  });

  test('tells of a backup that fails, and keeps the site file; a password is read anew each night', async () => {
    writeFileSync(join(folder, 'password'), 'wrong');
    const texts = textsOf(await archived());
    expect(texts[0]).toBe('backup: site file stored, nothing has changed');
    expect(texts[2]).toMatch(/^backup-failed: .*access denied|^backup-failed: .*accessDenied/i);
    expect(readdirSync(join(archiveFolder(), 'hall-gate3'))).toHaveLength(1);
    writeFileSync(join(folder, 'password'), 'servicelevel');
    writeFileSync(join(archiveFolder(), 'azimuth-archive.json'), '{}');
    expect(textsOf(await archived())[2]).toMatch(/^backup: backup and site file stored/);
  });

  test('has only site files of scanners whose password nobody has told, and says so once', async () => {
    writeFileSync(join(folder, 'devices.yaml'), `devices:\n  hall/gate3: { url: '${scanners[2]?.url}' }\n`);
    const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    expect(textsOf(await archived())).toEqual(['backup: site file stored, nothing has changed']);
    expect(stderr).toHaveBeenCalledWith(
      'azimuth: hall/gate3: no password of Service is known, so only its site file is archived\n',
    );
    stderr.mockRestore();
  });

  test('goes on without git, and says so once', async () => {
    vi.stubEnv('PATH', '/no/such/folder');
    const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    await archived({ git: true });
    expect(stderr.mock.calls.filter(([text]) => String(text).includes('without commits'))).toHaveLength(1);
    stderr.mockRestore();
    expect(existsSync(join(archiveFolder(), '.git'))).toBe(false);
    expect(readdirSync(archiveFolder())).toContain('hall-gate3');
  });

  test('refuses a folder that is a file, before anything is fetched', async () => {
    await expect(archived({ folder: join(folder, 'password'), git: true })).rejects.toThrow(
      /password cannot be the archive/,
    );
  });
});
