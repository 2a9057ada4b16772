import type { SiteLogQuery } from '@azimuth/http';
import { describe, expect, test } from 'vitest';
import type { LogEntry } from '../../src/log/log-entry.js';
import { MemoryLog } from '../../src/log/memory-log.js';
import { siteLog } from '../../src/site/site-log.js';

const day = 86_400_000;
const now = Date.UTC(2026, 0, 15, 12);

const clock = { now: () => now };
const places = new Map([['gate3', { path: '/s/0', name: 'Gate 3' }]]);
const placeOf = (name: string) => places.get(name);
const everything: SiteLogQuery = {
  ...{ scanner: undefined, words: [], severity: undefined, before: undefined, limit: 100 },
};

async function logged(entries: readonly LogEntry[], query: Partial<SiteLogQuery> = {}) {
  const store = new MemoryLog();
  for (const entry of entries) await store.append(entry);
  return siteLog({ ...everything, ...query }, { store, clock, placeOf });
}

const boot = (at: number, scanner = 'gate3'): LogEntry => ({
  ...{ kind: 'happening', at, scanner, what: 'boot', text: `boot ${at - now}` },
});
const condition = (change: 'begins' | 'ends', severity: 'warning' | 'error'): LogEntry => ({
  ...{ kind: 'condition', change, condition: 'unreachable', part: '', severity, text: 'why' },
  ...{ at: now, since: now - 60_000, scanner: 'gate3' },
});
const changed: LogEntry = {
  ...{ kind: 'parameter', at: now, scanner: 'gate4', parameter: 'LocationName', before: 'a', after: 'b' },
  author: { by: 'anna@desk7', command: 'set' },
};

describe('entries', () => {
  test('the newest comes first, also if the log is years old', async () => {
    const times = [now - 3000 * day, now - 40 * day, now - 1, now];
    const { entries, more } = await logged(times.map((at) => boot(at)));
    expect([entries.map(({ at }) => at), more]).toEqual([times.toReversed(), false]);
  });

  test('say what a page shows', async () => {
    const { entries } = await logged([condition('begins', 'error'), condition('ends', 'error'), changed]);
    const common = { at: now, path: '/s/0', name: 'Gate 3', kind: 'condition' };
    expect(entries).toEqual(
      expect.arrayContaining([
        { ...common, severity: 'error', text: 'Does not answer: why' },
        { ...common, severity: 'info', text: 'Over after 1 min: Does not answer' },
        {
          ...{ at: now, path: '', name: 'gate4', severity: 'info', kind: 'parameter' },
          ...{ text: expect.stringContaining('LocationName changed'), author: 'anna@desk7 (set)' },
        },
      ]),
    );
  });

  test('what a scanner says is one line of bounded length', async () => {
    const text = `a\n\u001b[31m${'x'.repeat(5000)}`;
    const { entries } = await logged([{ kind: 'happening', at: now, scanner: 'gate3', what: 'boot', text }]);
    expect(entries[0]?.text).toMatch(/^a \[31mx+…$/);
    expect(entries[0]?.text.length).toBeLessThan(400);
  });
});

describe('a query', () => {
  const all = [condition('begins', 'error'), condition('ends', 'warning'), changed, boot(now - 5)];

  test.each([
    [{ scanner: '/s/0' }, 3],
    [{ severity: 'error' }, 1],
    [{ severity: 'info' }, 3],
    [{ words: ['locationname', 'anna'] }, 1],
    [{ words: ['locationname', 'bert'] }, 0],
    [{ words: ['gate', '3'] }, 3],
    [{ before: now }, 1],
    [{ before: now - 5 }, 0],
  ] as const)('%j selects %i', async (query, count) => {
    expect((await logged(all, query)).entries).toHaveLength(count);
  });

  test('with a limit is answered in pages that miss nothing and repeat nothing', async () => {
    const times = [1, 2, 2, 2, 3, 4, 5, 5].map((age) => now - age);
    const store = times.toReversed().map((at) => boot(at));
    const seen: number[] = [];
    let before: number | undefined;
    for (let more = true; more; ) {
      const page = await logged(store, { before, limit: 3 });
      seen.push(...page.entries.map(({ at }) => at));
      before = page.entries.at(-1)?.at;
      more = page.more;
    }
    expect(seen).toEqual(times);
  });

  test('of a log that takes long is answered with what was found, and says since when it was searched', async () => {
    let reads = 0;
    const slow = { now: () => now + reads++ * 1000 };
    const store = new MemoryLog();
    for (let age = 9; age >= 0; age--) await store.append(boot(now - age * day));
    const answer = await siteLog({ ...everything, limit: 10 }, { store, clock: slow, placeOf });
    expect(answer.more).toBe(true);
    expect(answer.entries.map(({ at }) => at)).toEqual([now, now - day]);
    expect(answer.searchedSince).toBe(now - day - 1);
  });

  test('of a log that cannot be read is told so', async () => {
    const store = {
      read: () => {
        throw new Error('the database does not answer');
      },
    };
    await expect(siteLog(everything, { store, clock, placeOf })).rejects.toThrow(
      'the log cannot be read: the database does not answer',
    );
  });
});
