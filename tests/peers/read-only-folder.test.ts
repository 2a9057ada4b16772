import { chmodSync } from 'node:fs';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { expect, onTestFinished, test } from 'vitest';
import { documentsOf, expectNothingStoredOrLost, expectStoringAgain, prepare } from './unwritable.js';

// Rights of files mean nothing to root: there the scanner is started without what makes him so.
const isRoot = process.getuid?.() === 0;
const launcher = isRoot ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : [];

/** The folder cannot be written until the returned function is called, or the test ends. */
function protect({ folder }: ScannerFolder): () => void {
  const release = () => chmodSync(folder, 0o700);
  chmodSync(folder, 0o555);
  onTestFinished(release);
  return release;
}

const told =
  /: EACCES: permission denied; give the scanner the right to write to its folder, then try again$/;

test('in a read-only folder, a save fails and keeps the stored values; with rights again, it works', async () => {
  const scannerFolder = new ScannerFolder();
  const scanner = await scannerFolder.start([], { launcher });
  await prepare(scanner);
  const release = protect(scannerFolder);
  await expectNothingStoredOrLost(scannerFolder, scanner, told);
  release();
  await expectStoringAgain(scannerFolder, scanner);
});

test('a start in a read-only folder is refused in one line and changes no file', async () => {
  const scannerFolder = new ScannerFolder();
  const scanner = await scannerFolder.start([], { launcher });
  await prepare(scanner);
  await scanner.stop();
  const before = documentsOf(scannerFolder);
  const release = protect(scannerFolder);
  const { code, stdout, log } = await scannerFolder.refuse([], { launcher });
  expect(code).toBe(1);
  expect(stdout).toBe('');
  expect(log).toMatch(new RegExp(`^azimuth: ${scannerFolder.folder}: permission denied \\(EACCES\\)$`, 'm'));
  expect(log).not.toMatch(/^\s+at /m);
  expect(documentsOf(scannerFolder)).toEqual(before);
  release();
  expect(await (await scannerFolder.start([], { launcher })).client().value('LocationName')).toBe('stored');
});

test('a scanner whose folder has become read-only ends cleanly and leaves the folder unlocked', async () => {
  const scannerFolder = new ScannerFolder();
  const scanner = await scannerFolder.start([], { launcher });
  const release = protect(scannerFolder);
  expect((await scanner.stop()).code).toBe(0);
  release();
  expect(await (await scannerFolder.start([], { launcher })).client().value('PowerOnCnt')).toBe(2);
});
