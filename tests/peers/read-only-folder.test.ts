import { chmodSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { ProcessBench } from '../support/scanner-process.js';
import { documentsOf, expectNothingStoredOrLost, expectStoringAgain, prepare } from './unwritable.js';

// Rights of files mean nothing to root: there the scanner is started without what makes him so.
const isRoot = process.getuid?.() === 0;
const launcher = isRoot ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : [];

/** The folder cannot be written until the returned function is called, or the test ends. */
function protect({ folder }: ProcessBench): () => void {
  const release = () => chmodSync(folder, 0o700);
  chmodSync(folder, 0o555);
  onTestFinished(release);
  return release;
}

const told =
  /: EACCES: permission denied; give the scanner the right to write to its folder, then try again$/;

test('in a read-only folder nothing is stored and nothing lost; with rights again the save works', async () => {
  const bench = new ProcessBench();
  const scanner = await bench.start([], { launcher });
  await prepare(scanner);
  const release = protect(bench);
  await expectNothingStoredOrLost(bench, scanner, told);
  release();
  await expectStoringAgain(bench, scanner);
});

test('a start in a read-only folder is refused in a line, and harms nothing', async () => {
  const bench = new ProcessBench();
  const scanner = await bench.start([], { launcher });
  await prepare(scanner);
  await scanner.stop();
  const before = documentsOf(bench);
  const release = protect(bench);
  const { code, stdout, log } = await bench.refuse([], { launcher });
  expect(code).toBe(1);
  expect(stdout).toBe('');
  expect(log).toMatch(new RegExp(`^azimuth: ${bench.folder}: permission denied \\(EACCES\\)$`, 'm'));
  expect(log).not.toMatch(/^\s+at /m);
  expect(documentsOf(bench)).toEqual(before);
  release();
  expect(await (await bench.start([], { launcher })).client().value('LocationName')).toBe('stored');
});

test('a scanner whose folder has become read-only ends cleanly, and the folder is not locked by that', async () => {
  const bench = new ProcessBench();
  const scanner = await bench.start([], { launcher });
  const release = protect(bench);
  expect((await scanner.stop()).code).toBe(0);
  release();
  expect(await (await bench.start([], { launcher })).client().value('PowerOnCnt')).toBe(2);
});
