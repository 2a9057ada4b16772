import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { allMethods } from '@azimuth/model';
import { type CommandEntry, FolderReader } from '@azimuth/monitor';
import { startScanner } from '@azimuth/testing';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { readingMethods } from '../../src/log/command-record.js';
import { azimuth } from '../run.js';

let folder = '';
let scanner: Awaited<ReturnType<typeof startScanner>>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'azimuth-log-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  scanner = await startScanner();
  onTestFinished(() => scanner.close());
  vi.stubEnv('AZIMUTH_LOG', folder);
  vi.stubEnv('AZIMUTH_PASSWORD', 'servicelevel');
});

async function recorded(): Promise<readonly CommandEntry[]> {
  const entries: CommandEntry[] = [];
  for await (const entry of new FolderReader(folder, () => undefined).next({}))
    if (entry.kind === 'command') entries.push(entry);
  return entries;
}

/** What a command wrote, by the log. */
async function wroteBy(...words: readonly string[]): Promise<readonly string[]> {
  const { exitCode, stderr } = await azimuth(...words, '--device', scanner.url, '--quiet');
  expect([exitCode, stderr]).toEqual([0, '']);
  const entries = await recorded();
  return entries.flatMap(({ author, wrote, outcome }) => `${author.command}: ${wrote.join(' ')} ${outcome}`);
}

describe('a command that writes', () => {
  it('tells the log who wrote what to which scanner', async () => {
    await wroteBy('set', 'LocationName', 'Gate 3');
    expect(await recorded()).toEqual([
      {
        ...{ kind: 'command', id: expect.any(String), at: expect.any(Number), scanner: scanner.url },
        ...{ url: scanner.url, wrote: ['LocationName'], outcome: 'done' },
        author: { by: `${userInfo().username}@${hostname()}`, command: 'set' },
      },
    ]);
  });

  it.each([
    [['get', 'LocationName'], []],
    [['status'], []],
    [['set', 'ScanDataEthSettings', 'Port=2116'], ['set: ScanDataEthSettings done']],
    [['save'], ['save: WriteEeprom done']],
    [['call', 'mStartMeasure'], ['call: mStartMeasure done']],
    [['call', 'FindMe', 'uiDuration=1'], []],
    [['users', 'enable', 'Maintenance'], ['users enable: EnableUserLevel done']],
    [['reboot', '--discard', '--yes'], ['reboot: SoftReset done']],
  ])('azimuth %s', async (words, expected) => {
    expect(await wroteBy(...words)).toEqual(expected);
  });

  it('never puts a secret into the log', async () => {
    const secret = 'new-Secret-17';
    vi.stubEnv('AZIMUTH_NEW_PASSWORD', secret);
    expect(await wroteBy('password', 'Service')).toEqual(['password: changePassword done']);
    const [name = ''] = await readdir(folder);
    const text = await readFile(join(folder, name), 'utf8');
    expect(text).not.toMatch(/secret|servicelevel/i);
  });

  it('records what failed, too', async () => {
    vi.stubEnv('AZIMUTH_PASSWORD', 'wrong');
    await azimuth('set', 'LocationName', 'x', '--device', scanner.url);
    expect(await recorded()).toMatchObject([{ wrote: ['LocationName'], outcome: 'failed' }]);
  });

  it('is not disturbed by a log that cannot be written: one warning, once', async () => {
    vi.stubEnv('AZIMUTH_LOG', join(folder, 'missing'));
    const { exitCode, stderr } = await azimuth(
      'set',
      'LocationName',
      'x',
      '--device',
      scanner.url,
      '--quiet',
    );
    expect([exitCode, stderr]).toEqual([
      0,
      expect.stringMatching(
        /^azimuth: the log of the monitor does not have what this command wrote: ENOENT.*\n$/,
      ),
    ]);
  });

  it('records nothing if no monitor has made a log for this user', async () => {
    vi.stubEnv('AZIMUTH_LOG', '');
    vi.stubEnv('XDG_STATE_HOME', folder);
    expect(await wroteBy('set', 'LocationName', 'x')).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
  });
});

it('knows only methods of the interface as those that change nothing', () => {
  const names = allMethods.map(({ name }) => name);
  expect(readingMethods.filter((name) => !names.includes(name))).toEqual([]);
});
