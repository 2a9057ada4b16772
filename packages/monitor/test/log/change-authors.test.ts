import { describe, expect, it } from 'vitest';
import { ChangeAuthors } from '../../src/log/change-authors.js';
import type { CommandEntry, ParameterEntry } from '../../src/log/log-entry.js';
import { MemoryLog } from '../../src/log/memory-log.js';
import { FastClock, noon } from './test-entries.js';

const change: ParameterEntry = {
  ...{ kind: 'parameter', at: noon, unchangedAt: noon - 60_000, scanner: 'gate3', serial: '17' },
  ...{ parameter: 'ScanDataEthSettings.Port', before: 2115, after: 2116 },
};

const author = { by: 'anna@desk7', command: 'set' };

function command(facts: Partial<CommandEntry> = {}): CommandEntry {
  return {
    ...{ kind: 'command', at: noon - 10_000, scanner: 'gate3', author, outcome: 'done' },
    ...{ wrote: ['ScanDataEthSettings'], ...facts },
  };
}

/** Who made the change, if a log has these commands; others come while it waits. */
async function authorWith(commands: readonly CommandEntry[], later: readonly CommandEntry[] = []) {
  const store = new MemoryLog();
  store.entries.push(...commands);
  const clock = new FastClock();
  const pause = clock.pause.bind(clock);
  clock.pause = (milliseconds) => {
    store.entries.push(...later);
    return pause(milliseconds);
  };
  const urls = new Map([['gate3', 'http://10.0.0.3']]);
  const authors = new ChangeAuthors({ store, clock, urlOf: (name) => urls.get(name) });
  const entry = await authors.authored(change);
  expect(entry).toMatchObject(change);
  return entry.kind === 'parameter' ? entry.author?.by : undefined;
}

describe('the author of a change', () => {
  it.each([
    ['by name', command()],
    ['by URL', command({ scanner: 'http://10.0.0.3', url: 'http://10.0.0.3' })],
    ['by serial number', command({ scanner: 'other', serial: '17' })],
    ['by a method that changes all', command({ wrote: ['LoadFactoryDefaults'] })],
  ])('is found %s', async (_, entry) => {
    expect(await authorWith([entry])).toBe('anna@desk7');
  });

  it.each([
    ['another scanner', command({ scanner: 'gate4' })],
    ['another parameter', command({ wrote: ['ScanDataEth', 'ScanDataEthSettings2', 'LocationName'] })],
    ['an attempt that failed', command({ outcome: 'failed' })],
    ['an earlier time', command({ at: noon - 70_000 })],
    ['a later time', command({ at: noon + 10_000 })],
  ])('is nobody who wrote to %s', async (_, entry) => {
    expect(await authorWith([entry])).toBeUndefined();
  });

  it('is the last one who wrote it, before one who changed all', async () => {
    const by = (name: string) => ({ author: { by: name, command: 'set' } });
    const all = command({ ...by('carl'), wrote: ['LoadFactoryDefaults'] });
    expect(await authorWith([command(by('anna')), command(by('berta')), all])).toBe('berta');
  });

  it('is found if the command writes its entry a moment later', async () => {
    expect(await authorWith([], [command()])).toBe('anna@desk7');
  });

  it('is waited for once for all changes that are noticed together', async () => {
    const clock = new FastClock();
    const authors = new ChangeAuthors({ store: new MemoryLog(), clock, urlOf: () => undefined });
    for (let count = 0; count < 50; count++) await authors.authored({ ...change, at: clock.now() });
    expect(clock.now() - noon).toBe(1000);
    await authors.authored({ ...change, scanner: 'other', at: clock.now() });
    expect(clock.now() - noon).toBe(2000);
  });

  it('is nobody if the log cannot be read', async () => {
    const store = new MemoryLog();
    store.read = () => {
      throw new Error('no database');
    };
    const authors = new ChangeAuthors({ store, clock: new FastClock(), urlOf: () => undefined });
    expect(await authors.authored(change)).toBe(change);
  });
});
