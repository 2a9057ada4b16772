import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SeededRandom } from '@azimuth/test-support/seeded-random';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FolderLog, type FolderLogOptions } from '../../src/log/folder/folder-log.js';
import { FailingDisk } from './failing-disk.js';
import { allOf, day, FastClock, noon, textOf, told } from './test-entries.js';

async function newFolder(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'azimuth-log-'));
  onTestFinished(() => rm(parent, { recursive: true }));
  return join(parent, 'log');
}

/** A log in a folder, and what it reports. */
async function opened(folder: string, options: Partial<FolderLogOptions> = {}) {
  const reports: string[] = [];
  const clock = new FastClock();
  const log = await FolderLog.open({ folder, clock, report: (text) => reports.push(text), ...options });
  const texts = async (query = {}) => (await allOf(log.read(query))).map(textOf);
  return { log, reports, clock, texts };
}

describe('the log in a folder', () => {
  it('keeps entries in a file of their day, for its owner only', async () => {
    const folder = await newFolder();
    const { log, texts } = await opened(folder);
    await log.append(told('one'));
    await log.append(told('two', noon + day));
    await log.append(told('three', noon));
    expect((await readdir(folder)).sort()).toEqual(['2026-11-29.jsonl', '2026-11-30.jsonl', 'lock']);
    const modes = await Promise.all(
      [folder, join(folder, '2026-11-29.jsonl')].map(async (path) => (await stat(path)).mode & 0o777),
    );
    expect(modes).toEqual([0o700, 0o600]);
    expect(await texts()).toEqual(['one', 'three', 'two']);
    await log.close();
    const again = await opened(folder);
    expect(await again.texts()).toEqual(['one', 'three', 'two']);
    await again.log.close();
    expect(await readdir(folder)).not.toContain('lock');
  });

  it('writes lines of JSON with the time as ISO text and in ms', async () => {
    const folder = await newFolder();
    const { log } = await opened(folder);
    await log.append({ ...told('\u202e\u009b evil'), id: 'my-id' });
    await log.close();
    const line = await readFile(join(folder, '2026-11-29.jsonl'), 'utf8');
    expect(line).toBe(
      `{"v":1,"time":"2026-11-29T12:00:00.000Z","id":"my-id","at":${noon},"kind":"monitor","scanner":"","text":"\\u202e\\u009b evil","crc":"${line.slice(-11, -3)}"}\n`,
    );
  });

  it('belongs to one process at a time', async () => {
    const folder = await newFolder();
    const { log } = await opened(folder);
    await expect(opened(folder)).rejects.toThrow(`${folder} is in use by process ${process.pid}`);
    await log.close();
    await expect(opened(folder).then((next) => next.log.close())).resolves.toBeUndefined();
  });

  it('writes entries that wait together with one fsync', async () => {
    const disk = new FailingDisk();
    const { log, texts } = await opened(await newFolder(), { disk });
    const before = disk.syncs;
    await Promise.all(Array.from({ length: 500 }, (_, number) => log.append(told(`${number}`))));
    expect(disk.syncs - before).toBe(1);
    expect((await texts()).length).toBe(500);
    await log.close();
  });

  it('finds the last entries of many days', async () => {
    const { log, texts } = await opened(await newFolder());
    for (let number = 0; number < 10; number++)
      await log.append(told(`${number}`, noon + Math.floor(number / 3) * day));
    expect(await texts({ limit: 4 })).toEqual(['6', '7', '8', '9']);
    expect(await texts({ limit: 1, until: noon + day })).toEqual(['5']);
    expect(await texts({ limit: 100 })).toHaveLength(10);
    expect(await texts({ limit: 0 })).toEqual([]);
    expect(await texts({ since: noon + 3 * day })).toEqual(['9']);
    await log.close();
  });

  it('cuts a line that a power cut has torn, and keeps all others', async () => {
    const folder = await newFolder();
    const first = await opened(folder);
    await first.log.append(told('one'));
    await first.log.append(told('two'));
    await first.log.close();
    const path = join(folder, '2026-11-29.jsonl');
    const whole = await readFile(path);
    const oneLine = whole.indexOf('\n') + 1;
    for (const length of [oneLine + 1, whole.length - 1]) {
      await writeFile(path, Buffer.concat([whole.subarray(0, length), Buffer.alloc(length % 2 ? 0 : 700)]));
      const { log, reports, texts } = await opened(folder);
      expect(await texts()).toEqual(['one']);
      expect(reports).toEqual([
        expect.stringMatching(/2026-11-29\.jsonl: the last \d+ bytes were a part of a line/),
      ]);
      await log.append(told('three'));
      expect(await texts()).toEqual(['one', 'three']);
      await log.close();
    }
  });

  it('keeps a bound of bytes for each file and for all', async () => {
    const folder = await newFolder();
    const { log, texts } = await opened(folder, { fileBytes: 1000, keepBytes: 4000 });
    for (let number = 0; number < 60; number++) await log.append(told(`${number}`));
    await log.close();
    const files = (await readdir(folder)).filter((name) => name !== 'lock');
    const sizes = await Promise.all(files.map(async (name) => (await stat(join(folder, name))).size));
    expect(Math.max(...sizes)).toBeLessThan(1200);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(5200);
    expect(files).not.toContain('2026-11-29.jsonl');
    expect((await texts()).at(-1)).toBe('59');
  });

  it('removes days that are too old, but none if the clock is wrong for a moment', async () => {
    const folder = await newFolder();
    const { log } = await opened(folder, { keepDays: 3 });
    for (let number = 0; number < 6; number++) await log.append(told(`${number}`, noon + number * day));
    await log.append(told('wrong', Date.UTC(2099, 0, 1)));
    await log.append(told('right', noon + 6 * day));
    await log.close();
    const days = (await readdir(folder)).filter((name) => name !== 'lock').sort();
    expect(days).toEqual(['2026-12-03', '2026-12-04', '2026-12-05', '2099-01-01'].map((of) => `${of}.jsonl`));
  });
});

describe('a disk that fails', () => {
  it('is tried again, and nothing is lost or there twice', async () => {
    const disk = new FailingDisk();
    const { log, reports, texts } = await opened(await newFolder(), { disk });
    await log.append(told('before'));
    disk.room = 400;
    const waiting = ['a', 'b', 'c', 'd', 'e'].map((text) => log.append(told(text)).catch(String));
    await expect
      .poll(() => reports)
      .toEqual([expect.stringMatching(/cannot be written: ENOSPC.*5 entries wait/)]);
    await expect(Promise.all(waiting)).resolves.toEqual(
      Array.from({ length: 5 }, () => expect.stringMatching(/^NotStored: the log in .* ENOSPC/)),
    );
    expect(await texts()).not.toContain('e');
    disk.room = Number.POSITIVE_INFINITY;
    await log.append(told('after'));
    expect(await texts()).toEqual(['before', 'a', 'b', 'c', 'd', 'e', 'after']);
    expect(reports.at(-1)).toMatch(/is written again$/);
    expect(log.counts).toEqual({ stored: 7, waiting: 0, lost: 0 });
    await log.close();
  });

  it('acknowledges nothing whose fsync failed', async () => {
    const disk = new FailingDisk();
    const { log, texts } = await opened(await newFolder(), { disk });
    disk.syncFailure = new Error('EIO: i/o error, fdatasync');
    await expect(log.append(told('one'))).rejects.toThrow('EIO');
    disk.syncFailure = undefined;
    await log.append(told('two'));
    expect(await texts()).toEqual(['one', 'two']);
    await log.close();
  });

  it('loses entries only if too many wait, counts them, and tells it in the log', async () => {
    const disk = new FailingDisk();
    const { log, reports, texts } = await opened(await newFolder(), { disk });
    disk.room = 0;
    const appends = Array.from({ length: 10_010 }, (_, number) =>
      log.append(told(`${number}`)).catch(String),
    );
    expect(log.counts).toMatchObject({ waiting: 10_000, lost: 10 });
    expect(await appends.at(-1)).toMatch(/^NotStored: .*too many entries wait/);
    await expect.poll(() => reports.length).toBe(1);
    disk.room = Number.POSITIVE_INFINITY;
    await expect.poll(() => log.counts).toEqual({ stored: 10_001, waiting: 0, lost: 10 });
    expect((await texts()).at(-1)).toBe('10 entries are lost: the log could not be written');
    expect(reports.at(-1)).toMatch(/is written again; 10 entries are lost$/);
    await log.close();
  });

  it('does not hold up the end: what waits is reported as lost', async () => {
    const disk = new FailingDisk();
    const { log, reports } = await opened(await newFolder(), { disk });
    disk.room = 0;
    const append = log.append(told('one')).catch(String);
    await log.close();
    expect(await append).toMatch(/^NotStored/);
    expect(reports.at(-1)).toMatch(/^1 entries are lost/);
  });

  it('is a folder that somebody removes, too', async () => {
    const folder = await newFolder();
    const { log, texts } = await opened(folder);
    await log.append(told('one'));
    await rename(folder, `${folder}.old`);
    await mkdir(folder);
    await rm(join(`${folder}.old`, '2026-11-29.jsonl'));
    await log.append(told('two'));
    expect(await texts()).toEqual(['two']);
    await log.close();
  });
});

describe('reading', () => {
  it('leaves out damaged lines, and tells their file and number', async () => {
    const folder = await newFolder();
    const { log, reports, texts } = await opened(folder);
    for (const text of ['one', 'two', 'three', 'four']) await log.append(told(text));
    const path = join(folder, '2026-11-29.jsonl');
    const whole = await readFile(path);
    const lines = whole.toString().split('\n');
    const second = (lines[0]?.length ?? 0) + 1;
    const flipped = Buffer.from(whole);
    flipped.writeUInt8(flipped.readUInt8(second + 60) ^ 4, second + 60);
    await writeFile(path, flipped);
    expect(await texts()).toEqual(['one', 'three', 'four']);
    expect(reports).toEqual([`${path}, line 2: cannot be read, and is left out: its crc is another one`]);
    // The line feed between two lines.
    flipped.set(whole);
    flipped.writeUInt8(0x0b, second - 1);
    await writeFile(path, flipped);
    expect(await texts()).toEqual(['one', 'two', 'three', 'four']);
    await log.close();
  });

  it('survives any damage of any byte, and loses the lines with it only', async () => {
    const folder = await newFolder();
    const { log, texts } = await opened(folder);
    const all = Array.from({ length: 8 }, (_, number) => `${number}`);
    for (const text of all) await log.append(told(text));
    const path = join(folder, '2026-11-29.jsonl');
    const whole = await readFile(path);
    for (let at = 0; at < whole.length; at += 7) {
      const damaged = Buffer.from(whole);
      damaged.writeUInt8(damaged.readUInt8(at) ^ (1 << (at % 8)), at);
      await writeFile(path, damaged);
      const left = await texts();
      expect(left.length, `byte ${at}`).toBeGreaterThanOrEqual(7);
      expect(all).toEqual(expect.arrayContaining([...left]));
    }
    await log.close();
  });

  it('skips what is no line of a log, of any length, and files that it may not read', async () => {
    const folder = await newFolder();
    const { log, reports, texts } = await opened(folder);
    await log.append(told('one'));
    await writeFile(join(folder, '2026-11-28.jsonl'), `${'x'.repeat(3_000_000)}\n\n{"v":1}\n\u0000`);
    await writeFile(join(folder, 'notes.txt'), 'mine');
    await mkdir(join(folder, '2026-11-27.jsonl'));
    expect(await texts()).toEqual(['one']);
    expect(reports.map((text) => text.slice(folder.length + 1))).toEqual([
      expect.stringMatching(/^2026-11-27\.jsonl: cannot be read/),
      '2026-11-28.jsonl, line 1: cannot be read, and is left out: it is longer than any entry',
      '2026-11-28.jsonl, line 3: cannot be read, and is left out: it does not end with its crc',
    ]);
    await chmod(folder, 0o700);
    await log.close();
  });

  it('survives random damage: what it finds was written, and it goes on', async () => {
    const random = new SeededRandom('damaged logs');
    const folder = await newFolder();
    const first = await opened(folder);
    const all = Array.from({ length: 30 }, (_, number) => `${number}`);
    for (const text of all) await first.log.append(told(text));
    await first.log.close();
    const path = join(folder, '2026-11-29.jsonl');
    const whole = await readFile(path);
    for (let round = 0; round < 150; round++) {
      await writeFile(path, damaged(whole, random));
      const { log, texts } = await opened(folder);
      await log.append(told('after'));
      const found = await texts();
      expect([...all, 'after']).toEqual(expect.arrayContaining([...found]));
      expect(new Set(found).size).toBe(found.length);
      expect(found.at(-1)).toBe('after');
      await log.close();
    }
  });
});

/** Returns a file with a part that is overwritten, left out or repeated. */
function damaged(whole: Buffer, random: SeededRandom): Buffer {
  const from = random.below(whole.length);
  const to = Math.min(whole.length, from + random.between(1, 600));
  const [before, part, after] = [whole.subarray(0, from), whole.subarray(from, to), whole.subarray(to)];
  const noise = Buffer.from(random.bytes(part.length));
  const others = [noise, Buffer.alloc(part.length), Buffer.from('\n'.repeat(part.length)), Buffer.alloc(0)];
  const cut = random.percent(20) ? Buffer.alloc(0) : after;
  return Buffer.concat([before, random.pick(others), cut]);
}
