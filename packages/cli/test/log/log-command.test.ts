import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FolderLog, type LogEntry, systemClock } from '@azimuth/monitor';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { azimuth } from '../run.js';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'azimuth-log-'));
  onTestFinished(() => rm(folder, { recursive: true }));
});

const now = Date.now();
const minutes = (count: number) => now - count * 60_000;

const entries: readonly LogEntry[] = [
  {
    ...{ kind: 'condition', change: 'begins', condition: 'unreachable', part: '', severity: 'error' },
    ...{ at: minutes(50 * 60), scanner: 'hall-a/gate3', text: 'no answer', since: minutes(50 * 60) },
  },
  {
    ...{ kind: 'condition', change: 'ends', condition: 'unreachable', part: '', severity: 'error' },
    ...{ at: minutes(90), scanner: 'hall-a/gate3', text: 'no answer', since: minutes(150) },
  },
  {
    ...{ kind: 'parameter', at: minutes(60), scanner: 'hall-a/gate4', parameter: 'LFPmedianfilter.Enable' },
    ...{ before: false, after: true, author: { by: 'anna@desk7', command: 'set' } },
  },
  {
    kind: 'parameter',
    at: minutes(40),
    scanner: 'yard/gate9',
    parameter: 'LocationName',
    before: 'a',
    after: 'b',
  },
  {
    kind: 'value',
    at: minutes(30),
    scanner: 'yard/gate9',
    name: 'release',
    before: '2.2.0',
    after: undefined,
  },
  {
    kind: 'happening',
    at: minutes(20),
    scanner: 'yard/gate9',
    what: 'boot',
    text: 'it booted \u001b[2J\u202e',
  },
  {
    ...{
      kind: 'command',
      at: minutes(10),
      scanner: 'yard/gate9',
      outcome: 'failed',
      wrote: ['LocationName'],
    },
    author: { by: 'anna@desk7', command: 'apply' },
  },
  { kind: 'monitor', at: minutes(1), scanner: '', text: 'the monitor starts' },
];

async function logged(...more: readonly LogEntry[]): Promise<void> {
  const log = await FolderLog.open({ folder, clock: systemClock, report: () => undefined });
  for (const entry of [...entries, ...more]) await log.append(entry);
  await log.close();
}

/** What the command says, without times. */
async function said(...words: readonly string[]): Promise<readonly string[]> {
  const { stdout, exitCode, stderr } = await azimuth('log', ...words, '--log', folder);
  expect([exitCode, stderr]).toEqual([0, '']);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replace(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}/, ''));
}

describe('azimuth log', () => {
  it('prints the last day as a table for people', async () => {
    await logged();
    expect(await said()).toEqual([
      'hall-a/gate3  Over after 1 h 0 min: Does not answer',
      'hall-a/gate4  LFPmedianfilter.Enable changed from false to true, by anna@desk7 (set)',
      'yard/gate9    LocationName changed from "a" to "b"',
      'yard/gate9    release changed from "2.2.0" to nothing',
      'yard/gate9    it booted \\u001b[2J\\u202e',
      'yard/gate9    anna@desk7 ran azimuth apply, which failed to write LocationName',
      '(monitor)     the monitor starts',
    ]);
  });

  it('finds entries by scanner, time, parameter, kind and condition', async () => {
    await logged();
    const count = async (...words: string[]) => (await said(...words)).length;
    expect(await count('@hall-a', '--since', '3d')).toBe(3);
    expect(await said('@hall-a', '--since', '2d', '--parameter', 'LFP*')).toEqual([
      'hall-a/gate4  LFPmedianfilter.Enable changed from false to true, by anna@desk7 (set)',
    ]);
    expect(await count('@*/gate9')).toBe(4);
    expect(await count('--device', 'yard/gate9', '--parameter', 'LocationName')).toBe(2);
    expect(await count('--kind', 'value', '--kind', 'monitor')).toBe(2);
    expect(await count('--condition', 'unr*', '--since', '1w')).toBe(2);
    expect(await count('--until', '2h')).toBe(1);
    expect(await said('--limit', '1')).toEqual(['(monitor)  the monitor starts']);
    expect(await count('@nowhere')).toBe(0);
  });

  it('knows the groups of the devices file', async () => {
    await logged();
    const devices = join(folder, 'devices.yaml');
    await writeFile(
      devices,
      'devices:\n  yard/gate9: { url: "http://10.0.0.9" }\n  x: { url: "http://10.0.0.8" }\ngroups:\n  night: [yard/gate9, x]\n',
    );
    vi.stubEnv('AZIMUTH_DEVICES', devices);
    expect(await said('@night', '--kind', 'parameter')).toEqual([
      'yard/gate9  LocationName changed from "a" to "b"',
    ]);
  });

  it('prints lines of JSON for programs', async () => {
    await logged();
    const [line = ''] = await said('--json', '--kind', 'parameter', '@hall-a/gate4');
    expect(JSON.parse(line)).toEqual({
      ...{ time: new Date(minutes(60)).toISOString(), id: expect.stringMatching(/^[\da-f-]{36}$/) },
      ...entries[2],
    });
  });

  it('reads the folder that AZIMUTH_LOG names', async () => {
    await logged();
    vi.stubEnv('AZIMUTH_LOG', folder);
    const { stdout } = await azimuth('log', '--limit', '1', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ text: 'the monitor starts' });
  });

  it('says on stderr which lines it cannot read', async () => {
    await logged();
    await writeFile(join(folder, '2026-01-01.jsonl'), '{}\n');
    const { stderr, exitCode } = await azimuth('log', '--since', '2026-01-01', '--log', folder);
    expect([exitCode, stderr]).toEqual([
      0,
      `azimuth: ${folder}: 2026-01-01.jsonl, line 1 cannot be read, and is left out: it does not end with its crc\n`,
    ]);
  });

  it.each([
    [['--since', 'yesterdayish'], 2, /Expected a time ago such as 30m, 3h or 2d/],
    [['--since', '2026-13-01'], 2, /Expected a time ago/],
    [['--kind', 'cause'], 2, /Expected one of condition, parameter/],
    [['--log', '/no/such/folder'], 2, /there is no log in \/no\/such\/folder: azimuth monitor writes it/],
  ] as const)('refuses %s', async (words, code, message) => {
    const { stderr, exitCode } = await azimuth('log', ...words);
    expect([exitCode, stderr]).toEqual([code, expect.stringMatching(message)]);
  });
});

describe('azimuth monitor', () => {
  it('refuses the log of another monitor before it watches anything', async () => {
    const log = await FolderLog.open({ folder, clock: systemClock, report: () => undefined });
    onTestFinished(() => log.close());
    const { stderr, exitCode } = await azimuth('monitor', '--log', folder);
    expect([exitCode, stderr]).toEqual([
      1,
      `azimuth: ${folder} is in use by process ${process.pid}: it is the log of another monitor; stop that one, or choose another folder with --log\n`,
    ]);
  });

  it('refuses a folder that it cannot make', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const { stderr, exitCode } = await azimuth('monitor', '--log', join(file, 'log'));
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringMatching(/the log in .* cannot be opened: not a directory/),
    ]);
  });
});
