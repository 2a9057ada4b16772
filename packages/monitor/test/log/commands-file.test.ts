import { appendFile, chmod, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { appendCommand } from '../../src/log/folder/commands-file.js';
import { FolderLog } from '../../src/log/folder/folder-log.js';
import { FolderReader } from '../../src/log/folder/folder-reader.js';
import type { CommandEntry } from '../../src/log/log-entry.js';
import { allOf, FastClock, noon, textOf, told } from './test-entries.js';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'azimuth-log-'));
  onTestFinished(() => rm(folder, { recursive: true }));
});

function command(wrote: readonly string[], at = noon): CommandEntry {
  const author = { by: 'anna@desk7', command: 'set' };
  return { kind: 'command', at, scanner: 'gate3', author, wrote, outcome: 'done' };
}

async function entries() {
  const damages: string[] = [];
  const found = await allOf(new FolderReader(folder, ({ reason }) => damages.push(reason)).next({}));
  return { found, damages };
}

describe('entries of commands', () => {
  it('are written beside the monitor that has the folder, and are read in the order of their times', async () => {
    const log = await FolderLog.open({ folder, clock: new FastClock(), report: () => undefined });
    await log.append(told('one', noon));
    await log.append(told('three', noon + 2));
    await appendCommand(folder, command(['LocationName'], noon + 1));
    expect((await allOf(log.read({}))).map(textOf)).toEqual(['one', 'command', 'three']);
    expect(await allOf(log.read({ kinds: ['command'] }))).toMatchObject([
      command(['LocationName'], noon + 1),
    ]);
    await log.close();
  });

  it('stay whole when many commands write at the same time, behind one that was killed', async () => {
    await appendFile(join(folder, 'commands-2026-11-29.jsonl'), '{"v":1,"time":"20');
    await Promise.all(
      Array.from({ length: 50 }, (_, number) => appendCommand(folder, command([`P${number}`]))),
    );
    const { found, damages } = await entries();
    expect(found).toHaveLength(50);
    expect(damages).toEqual(['it does not end with its crc']);
  });

  it('are split into lines of at most 4 KiB', async () => {
    const wrote = Array.from({ length: 150 }, (_, number) => `Parameter${number}${'x'.repeat(100)}`);
    await appendCommand(folder, command(wrote));
    const [name = ''] = await readdir(folder);
    const lines = (await readFile(join(folder, name), 'utf8')).split('\n');
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(4096);
    const { found } = await entries();
    expect(found.flatMap((entry) => (entry.kind === 'command' ? entry.wrote : []))).toEqual(wrote);
  });

  it('are for the owner only, or for the group that may write to the folder', async () => {
    const modeOf = async (day: string) =>
      (await stat(join(folder, `commands-${day}.jsonl`))).mode.toString(8).slice(-3);
    await appendCommand(folder, command(['A']));
    await chmod(folder, 0o770);
    await appendCommand(folder, command(['A'], noon + 24 * 3_600_000));
    expect([await modeOf('2026-11-29'), await modeOf('2026-11-30')]).toEqual(['600', '660']);
  });
});
