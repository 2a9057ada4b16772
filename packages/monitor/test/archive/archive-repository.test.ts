import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { ArchiveRepository } from '../../src/archive/archive-repository.js';
import type { ArchivedFile, ScannerToArchive } from '../../src/archive/archived-files.js';

let folder: string;

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'repository-')), 'archive');
});

const author = { name: 'Monitor of the hall', email: 'monitor@hall' };
const gate: ScannerToArchive = {
  name: 'hall/gate1',
  folder: 'hall-gate1',
  fetch: () => Promise.resolve({ files: [] }),
  changes: (before, after) =>
    before === undefined || Buffer.from(before).equals(after)
      ? []
      : [`Port = ${String(before).trim()} → ${String(after).trim()}`],
};

const git = (...words: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', ...words], { cwd: folder }).toString();

function files(port: number, time = ''): readonly ArchivedFile[] {
  const parameters = [{ userlevel: 'Service', parameters: [{ name: 'Port', value: port }] }];
  return [
    { kind: 'backup', content: Buffer.from(JSON.stringify({ version: '2.4.4.0R', time, parameters })) },
    { kind: 'site', content: Buffer.from(`Port: ${port}\n`) },
  ];
}

const open = (program?: string) => ArchiveRepository.open({ folder, author, program });

describe('an archive in a git work tree', () => {
  test('commits what changes, with what has changed in the message, by the author of its options', async () => {
    const repository = await open();
    expect(await repository.store(gate, files(2115))).toEqual({ changes: [] });
    expect(await repository.store(gate, files(2116))).toEqual({
      changes: ['Port = Port: 2115 → Port: 2116'],
    });
    expect(git('log', '--format=%an <%ae> %s')).toBe(
      'Monitor of the hall <monitor@hall> hall/gate1: Port = Port: 2115 → Port: 2116\n' +
        'Monitor of the hall <monitor@hall> hall/gate1: first entry\n',
    );
    expect(git('ls-files')).toBe('hall-gate1/backup.json\nhall-gate1/site.yaml\n');
    expect(git('show', 'HEAD:hall-gate1/site.yaml')).toBe('Port: 2116\n');
    expect(git('status', '--porcelain')).toBe('');
  });

  test('lets no later commit of a person take back one that ended before the index had it', async () => {
    const repository = await open();
    await repository.store(gate, files(2115));
    writeFileSync(join(folder, '.git/index.lock'), '');
    await expect(repository.store(gate, files(2116))).rejects.toThrow('index.lock');
    rmSync(join(folder, '.git/index.lock'));
    await repository.store(gate, files(2116));
    expect(git('rev-list', '--count', 'HEAD')).toBe('2\n');
    expect(git('status', '--porcelain')).toBe('');
  });

  test('commits nothing if nothing has changed, though a backup has another time', async () => {
    const repository = await open();
    await repository.store(gate, files(2115, 'Monday'));
    await repository.store(gate, files(2115, 'Tuesday'));
    expect(git('rev-list', '--count', 'HEAD')).toBe('1\n');
    expect(readFileSync(join(folder, 'hall-gate1/backup.json'), 'utf8')).toContain('Monday');
    // An encrypted backup has other bytes each time.
    const encrypted = (byte: number): readonly ArchivedFile[] => [
      { kind: 'backup', content: Buffer.from([255, byte]) },
      { kind: 'site', content: Buffer.from('Port: 2115\n') },
    ];
    await repository.store(gate, encrypted(1));
    await repository.store(gate, encrypted(2));
    expect(git('rev-list', '--count', 'HEAD')).toBe('2\n');
  });

  test('adds only its own files: neither those of others nor what they have staged', async () => {
    const repository = await open();
    await repository.store(gate, files(2115));
    writeFileSync(join(folder, 'README'), 'mine');
    writeFileSync(join(folder, 'draft'), 'mine');
    git('add', 'draft');
    await repository.store(gate, files(2116));
    expect(git('show', '--name-only', '--format=', 'HEAD')).toBe(
      'hall-gate1/backup.json\nhall-gate1/site.yaml\n',
    );
    expect(git('status', '--porcelain')).toBe('A  draft\n?? README\n');
  });

  test('goes on from a commit of somebody else, and from files that were written but not committed', async () => {
    const repository = await open();
    await repository.store(gate, files(2115));
    git('commit', '--quiet', '--allow-empty', '-m', 'by hand');
    writeFileSync(join(folder, 'hall-gate1/site.yaml'), 'Port: 2116\n');
    await (await open()).store(gate, files(2116));
    expect(git('log', '-1', '--format=%s')).toBe('hall/gate1: Port = Port: 2115 → Port: 2116\n');
    expect(git('rev-list', '--count', 'HEAD')).toBe('3\n');
  });

  test('runs no program of the repository: no hook, no filter, no monitor of files, no signature', async () => {
    const repository = await open();
    const trap = join(folder, '..', 'trap');
    const ran = join(folder, '..', 'ran');
    writeFileSync(trap, `#!/bin/sh\necho "$0" >> ${ran}\ncat\n`);
    chmodSync(trap, 0o755);
    for (const hook of [
      'pre-commit',
      'commit-msg',
      'post-commit',
      'reference-transaction',
      'post-index-change',
    ]) {
      mkdirSync(join(folder, '.git', 'hooks'), { recursive: true });
      writeFileSync(join(folder, '.git', 'hooks', hook), readFileSync(trap), { mode: 0o755 });
    }
    writeFileSync(join(folder, '.gitattributes'), '* filter=trap diff=trap\n');
    for (const [key, value] of [
      ['filter.trap.clean', trap],
      ['filter.trap.required', 'true'],
      ['diff.trap.textconv', trap],
      ['core.fsmonitor', trap],
      ['commit.gpgSign', 'true'],
      ['gpg.program', trap],
      ['core.editor', trap],
    ] as const)
      git('config', key, value);
    await repository.store(gate, files(2115));
    await repository.store(gate, files(2116));
    expect(existsSync(ran)).toBe(false);
    expect(
      git('-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', 'rev-list', '--count', 'HEAD'),
    ).toBe('2\n');
  });

  test('is not led to another repository by the environment', async () => {
    const other = mkdtempSync(join(tmpdir(), 'other-'));
    execFileSync('git', ['init', '--quiet', other]);
    process.env.GIT_DIR = join(other, '.git');
    try {
      await (await open()).store(gate, files(2115));
    } finally {
      delete process.env.GIT_DIR;
    }
    expect(git('rev-list', '--count', 'HEAD')).toBe('1\n');
  });

  test('writes through no link in the work tree', async () => {
    const repository = await open();
    const elsewhere = mkdtempSync(join(tmpdir(), 'elsewhere-'));
    symlinkSync(elsewhere, join(folder, 'hall-gate1'));
    await expect(repository.store(gate, files(2115))).rejects.toThrow('is a link, expected a folder');
  });

  test('has one line for each of many changes, and no line feed of a scanner', async () => {
    const many: ScannerToArchive = {
      ...gate,
      changes: (before) => (before === undefined ? [] : ['Name = "a\nb"', '# not a comment', 'Port = 1']),
    };
    const repository = await open();
    await repository.store(many, files(2115));
    await repository.store(many, files(2116));
    expect(git('log', '-1', '--format=%B')).toBe(
      'hall/gate1: 3 values have changed\n\nName = "a b"\n# not a comment\nPort = 1\n\n',
    );
  });

  test('says that there is no git', async () => {
    await expect(open('/no/such/git')).rejects.toMatchObject({ name: 'NoGit' });
  });
});
