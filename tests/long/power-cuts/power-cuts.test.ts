import { rmSync } from 'node:fs';
import { temporaryFolder } from '@azimuth/test-support/scanner-process';
import { expect, onTestFinished, test } from 'vitest';
import { Series } from './series.js';

const seed = process.env.AZIMUTH_FUZZ_SEED ?? String(Math.floor(Math.random() * 2 ** 31));
const scanners = 2;
const cuts = Math.ceil(Number(process.env.AZIMUTH_POWER_CUTS ?? 200) / scanners);

function folder(): string {
  const path = temporaryFolder();
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test(
  `a power cut in the middle of a save leaves the old set or the new one, ${scanners * cuts} times (seed ${seed})`,
  async () => {
    const series = Array.from({ length: scanners }, (_, index) => new Series(folder(), `${seed}/${index}`));
    const hits = await Promise.all(series.map((one) => one.run(cuts)));
    console.log(`AZIMUTH_FUZZ_SEED=${seed}: ${scanners * cuts} cuts`, hits);
    const sum = (count: 'unanswered' | 'lost' | 'kept' | 'otherUnanswered') =>
      hits.reduce((total, each) => total + each[count], 0);
    // A cut after the answer says little: a good share has to come before it, and to either side of the moment in
    // which the new set takes the place of the old one.
    expect(sum('unanswered')).toBeGreaterThan((scanners * cuts) / 5);
    expect(sum('lost')).toBeGreaterThan(0);
    expect(sum('kept')).toBeGreaterThan(0);
    expect(sum('otherUnanswered')).toBeGreaterThan(0);
  },
  Math.max(240_000, scanners * cuts * 2000),
);

test('a scanner that overwrites its documents in place fails this test', async () => {
  const hook = new URL('write-in-place.mjs', import.meta.url).href;
  const series = new Series(folder(), 'in place', { NODE_OPTIONS: `--import=${hook}` });
  await expect(series.run(60)).rejects.toThrow();
}, 120_000);
