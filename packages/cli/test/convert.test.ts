import { linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordingHeader, recordOf } from '@azimuth/telegrams';
import { imuBytes } from '@azimuth/test-support/golden/compact';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { azimuth } from './run.js';

let folder: string;
let hall: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'azimuth-convert-'));
  hall = join(folder, 'hall.azrec');
  const records = [1, 2].map((second) => recordOf(1_790_000_000_000_000 + second * 1_000_000, imuBytes));
  writeFileSync(hall, Buffer.concat([recordingHeader({ made: '2026-09-21T14:13:20Z' }), ...records]));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('azimuth convert', () => {
  test('makes a new folder, and says what it has written', async () => {
    const to = join(folder, 'new', 'hall.mcap');
    const { stdout, exitCode } = await azimuth('convert', hall, to, '--json');
    expect([exitCode, JSON.parse(stdout)]).toEqual([
      0,
      { file: to, bytes: readFileSync(to).length, telegrams: 2, leftOut: 0 },
    ]);
  });

  test('replaces a file only with --force', async () => {
    const to = join(folder, 'hall.pcap');
    writeFileSync(to, 'mine');
    const refused = await azimuth('convert', hall, to);
    expect([refused.exitCode, readFileSync(to, 'utf8')]).toEqual([2, 'mine']);
    expect(refused.stderr).toContain('use --force');
    expect((await azimuth('convert', hall, to, '--force')).exitCode).toBe(0);
    expect(readFileSync(to).length).toBeGreaterThan(100);
  });

  test('never writes over what it reads: another name of the file, and a file of the folder', async () => {
    const other = join(folder, 'same.mcap');
    linkSync(hall, other);
    const bag = join(folder, 'bag');
    mkdirSync(bag);
    const part = join(bag, 'bag_0.mcap');
    await azimuth('convert', hall, part);
    for (const [from, to] of [
      [hall, other],
      [bag, part],
    ] as const) {
      const before = readFileSync(to);
      const { exitCode, stderr } = await azimuth('convert', from, to, '--force');
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('name another file')]);
      expect(readFileSync(to).equals(before)).toBe(true);
    }
  });
});
