import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@azimuth/test-support/scanner-process';
import { afterEach, expect, it, vi } from 'vitest';
import { installationFor } from '../scripts/prepare.mjs';
import { run } from '../scripts/run.mjs';

afterEach(() => vi.restoreAllMocks());

it('npm start keeps all packages, if they are there, and otherwise installs those that it needs', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'preact'));
  expect(installationFor(folder)).toBe('installed for a start');
  mkdirSync(join(folder, 'vitest'));
  expect(installationFor(folder)).toBe('installed');
  rmSync(folder, { recursive: true });
});

it('a program of Node is run without a shell, also on Windows, where its path has blanks', () => {
  vi.spyOn(process, 'platform', 'get').mockReturnValue('win32');
  expect(run(process.execPath, ['-e', 'process.exit(7)'])).toBe(7);
});
