import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { beforeEach, expect, test, vi } from 'vitest';
import { azimuth } from '../run.js';

beforeEach(() => {
  vi.stubEnv('AZIMUTH_PASSWORD', 'servicelevel');
});

test.each([
  ['scan', '--count', '1', '--json'],
  ['scan', '--png', '-'],
  ['record', '-', '--frames', '2'],
])('%s --aim %s ends without a warning of the scanner that nobody listens', async (...words) => {
  const scanner = await new ScannerFolder().start(['--any-ports']);
  const device = ['--device', `http://127.0.0.1:${scanner.httpPort}`];
  for (let time = 0; time < 4; time++) {
    expect((await azimuth(...words, '--aim', ...device)).exitCode).toBe(0);
  }
  const { log } = await scanner.stop();
  expect(log).not.toContain('nobody listens');
});
