import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AnswerError, PasswordMissingError } from '@azimuth/client';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { Archive, type ArchiveOptions } from '../../src/archive/archive.js';
import { ArchiveFolder } from '../../src/archive/archive-folder.js';
import type { ArchivedFile, Fetched, ScannerToArchive } from '../../src/archive/archived-files.js';
import type { LogEntry } from '../../src/log/log-entry.js';

const hour = 3_600_000;
const day = 24 * hour;

interface Pause {
  readonly until: number;
  readonly end: () => void;
}

/** A clock that stands unless a test moves it. */
class StandingClock {
  #now = Date.parse('2026-05-04T12:00:00Z');
  readonly #pauses = new Set<Pause>();
  #paused: () => void = () => undefined;

  now(): number {
    return this.#now;
  }

  pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const abort = () => {
        this.#pauses.delete(pause);
        resolve();
      };
      const end = () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      const pause = { until: this.#now + milliseconds, end };
      this.#pauses.add(pause);
      signal?.addEventListener('abort', abort);
      this.#paused();
    });
  }

  /** Lets time pass, from one end of a pause to the next. @param watched number of scanners, which all pause at last */
  async advance(milliseconds: number, watched = 1): Promise<void> {
    const end = this.#now + milliseconds;
    for (;;) {
      await this.#allPause(watched);
      const [next] = [...this.#pauses].toSorted((one, other) => one.until - other.until);
      if (next === undefined || next.until > end) break;
      this.#now = Math.max(this.#now, next.until);
      this.#pauses.delete(next);
      next.end();
    }
    this.#now = end;
  }

  #allPause(watched: number): Promise<void> {
    return new Promise((resolve) => {
      this.#paused = () => {
        if (this.#pauses.size >= watched) resolve();
      };
      this.#paused();
    });
  }
}

let folder: string;
let clock: StandingClock;
let entries: LogEntry[];

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'archive-')), 'archive');
  clock = new StandingClock();
  entries = [];
});

const file = (kind: ArchivedFile['kind'], text: string): ArchivedFile => ({
  kind,
  content: Buffer.from(text),
});
const both: Fetched = { files: [file('backup', '{}'), file('site', 'port: 2115\n')] };

function scanner(
  name: string,
  fetch: () => Promise<Fetched> = () => Promise.resolve(both),
): ScannerToArchive {
  return {
    ...{ name, folder: name.replaceAll('/', '-'), fetch },
    changes: (before, after) =>
      before === undefined || Buffer.from(before).equals(after) ? [] : [`to ${String(after)}`.trim()],
  };
}

async function started(
  scanners: readonly ScannerToArchive[],
  more: Partial<ArchiveOptions> = {},
): Promise<Archive> {
  const place = new ArchiveFolder({
    ...{ folder, zone: 'UTC', keepDays: 3 },
  });
  const archive = await Archive.open({
    ...{ clock, scanners, place, stateFolder: folder, spreadMinutes: 60 },
    time: { hour: 2, minute: 30, zone: 'UTC' },
    log: (entry) => Promise.resolve(void entries.push(entry)),
    reportError: (error) => {
      throw error;
    },
    ...more,
  });
  archive.start();
  onTestFinished(() => archive.close());
  return archive;
}

const happened = () => entries.map((entry) => (entry.kind === 'happening' ? entry.what : entry.kind));

describe('an archive', () => {
  test('begins at once, and goes on once each night, each scanner at its own time', async () => {
    const times = new Map<string, number[]>([
      ['hall/gate1', []],
      ['hall/gate2', []],
    ]);
    const scanners = [...times].map(([name, at]) =>
      scanner(name, () => {
        at.push(clock.now());
        return Promise.resolve(both);
      }),
    );
    await started(scanners);
    await clock.advance(3 * day, 2);
    for (const at of times.values()) {
      expect(at).toHaveLength(4);
      for (const time of at.slice(1)) {
        const ofDay = time % day;
        expect(ofDay).toBeGreaterThanOrEqual(2.5 * hour);
        expect(ofDay).toBeLessThan(3.5 * hour);
      }
    }
    const [one = [], other = []] = [...times.values()];
    expect(one[1]).not.toBe(other[1]);
    expect(readdirSync(join(folder, 'hall-gate1'))).toContain('backup-2026-05-04.json');
  });

  test('is readable for its owner only', async () => {
    await started([scanner('gate1')]);
    await clock.advance(1);
    const path = join(folder, 'gate1', 'site-2026-05-04.yaml');
    expect(readFileSync(path, 'utf8')).toBe('port: 2115\n');
    const modes = [folder, join(folder, 'gate1'), path, join(folder, 'gate1', 'backup-2026-05-04.json')];
    expect(modes.map((each) => (statSync(each).mode & 0o777).toString(8))).toEqual([
      '700',
      '700',
      '600',
      '600',
    ]);
  });

  test('keeps files for some days, always the newest ones, and touches no others', async () => {
    const archive = await started([scanner('gate1')]);
    await clock.advance(1);
    writeFileSync(join(folder, 'gate1', 'notes.txt'), 'mine');
    writeFileSync(join(folder, 'gate1', 'backup-2020-01-01.zip'), 'mine');
    await clock.advance(6 * day);
    await archive.close();
    const names = readdirSync(join(folder, 'gate1')).toSorted();
    expect(names.filter((name) => name.startsWith('site-'))).toEqual([
      'site-2026-05-07.yaml',
      'site-2026-05-08.yaml',
      'site-2026-05-09.yaml',
      'site-2026-05-10.yaml',
    ]);
    expect(names).toContain('notes.txt');
    expect(names).toContain('backup-2020-01-01.zip');
  });

  test('makes up for a night in which it did not run, and for no other', async () => {
    let count = 0;
    const counted = scanner('gate1', () => {
      count++;
      return Promise.resolve(both);
    });
    const first = await started([counted]);
    await clock.advance(hour);
    await first.close();
    expect(count).toBe(1);
    const soon = await started([counted]);
    await clock.advance(hour);
    await soon.close();
    expect(count).toBe(1);
    await clock.advance(3 * day, 0);
    await started([counted]);
    await clock.advance(1);
    expect(count).toBe(2);
  });

  test('tells what has changed', async () => {
    let port = 2115;
    await started([scanner('gate1', () => Promise.resolve({ files: [file('site', `port: ${port}\n`)] }))]);
    await clock.advance(1);
    port = 2116;
    await clock.advance(day);
    expect(entries).toMatchObject([
      { kind: 'happening', what: 'backup', scanner: 'gate1', text: 'site file stored, nothing has changed' },
      { kind: 'happening', what: 'backup', text: 'site file stored: to port: 2116' },
    ]);
  });
});

describe('a backup that fails', () => {
  test('is tried again each hour, and told once a night', async () => {
    let tries = 0;
    let works = false;
    const begin = clock.now();
    const flaky = scanner('gate1', () => {
      tries++;
      if (works) return Promise.resolve(both);
      return Promise.reject(new AnswerError('http://gate1', 'DeviceIdent', 'a page'));
    });
    const archive = await started([flaky]);
    await clock.advance(5.5 * hour);
    expect(tries).toBe(6);
    expect(happened()).toEqual(['backup-failed']);
    // It counts from the begin: a condition begins after days without a backup.
    expect(archive.archivedAt('gate1')).toBe(begin);
    await clock.advance(day);
    expect(happened()).toEqual(['backup-failed', 'backup-failed']);
    works = true;
    await clock.advance(hour);
    expect(happened().at(-1)).toBe('backup');
    expect(archive.archivedAt('gate1')).toBeGreaterThan(begin);
  });

  test('counts from the first begin, also after a restart', async () => {
    const begin = clock.now();
    const silent = scanner('gate1', () =>
      Promise.reject(new AnswerError('http://gate1', 'DeviceIdent', 'a page')),
    );
    const first = await started([silent]);
    await clock.advance(2 * day);
    await first.close();
    expect((await started([silent])).archivedAt('gate1')).toBe(begin);
  });

  test('for want of a password is not tried again before the next night: scanners lock logins', async () => {
    let tries = 0;
    const refused = scanner('gate1', () => {
      tries++;
      return Promise.resolve({
        files: [file('site', 'port: 2115\n')],
        failure: new PasswordMissingError('CreateParameterBackup', 'Service'),
      });
    });
    await started([refused]);
    await clock.advance(12 * hour);
    expect(tries).toBe(1);
    // What could be fetched is stored.
    expect(readdirSync(join(folder, 'gate1'))).toEqual(['site-2026-05-04.yaml']);
    await clock.advance(day);
    expect(tries).toBe(2);
    expect(happened()).toEqual(['backup-failed', 'backup-failed']);
  });

  test('of one scanner keeps no other from its own', async () => {
    const broken = scanner('gate1', () =>
      Promise.reject(new AnswerError('http://gate1', 'DeviceIdent', 'a page')),
    );
    await started([broken, scanner('gate2')]);
    await clock.advance(1, 2);
    expect(readdirSync(folder).toSorted()).toEqual(['azimuth-archive.json', 'gate2']);
  });
});

test('an archive that is closed while a scanner is silent does not wait for it', async () => {
  let archive: Archive | undefined;
  await new Promise<void>((resolve) => {
    const silent = scanner('gate1', () => {
      resolve();
      return new Promise(() => undefined);
    });
    void started([silent]).then(async (opened) => {
      archive = opened;
      await clock.advance(1);
    });
  });
  await archive?.close();
  expect(entries).toEqual([]);
});

test.each([
  ['..', '.. is no name of a folder'],
  ['a/b', 'a/b is no name of a folder'],
  ['GATE1', 'would have the same folder GATE1'],
])('a folder %s is refused', async (name, message) => {
  const other = { ...scanner('other'), folder: name };
  await expect(started([scanner('gate1'), other])).rejects.toThrow(message);
});
