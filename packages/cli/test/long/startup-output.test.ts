import { LegacyScanMode, legacyProtocols } from '@azimuth/model';
import { Reader, serve, temporaryFolder } from '@azimuth/test-support/serve-process';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { expect, test } from 'vitest';
import { welcome } from '../../src/serve/startup-output.js';
import { azimuth } from '../run.js';

const lineOf = (text: string) => text.split('\n').find((line) => line.startsWith('  search')) ?? '';

/** The output for people about the device search at the start of a scanner. */
async function started(...flags: readonly string[]): Promise<string> {
  const stdout = new Reader(serve({ flags: ['--data', temporaryFolder(), '--no-dns-sd', ...flags] }).stdout);
  await stdout.until((text) => text.includes('  folder   '));
  return lineOf(stdout.text);
}

/** True if the command in a line finds this scanner. */
async function keepsItsPromise(line: string, serial: string): Promise<boolean> {
  const [, words = ''] = /azimuth (discover.*) finds it$/.exec(line) ?? [];
  expect(words).not.toBe('');
  const { stdout } = await azimuth(...words.split(' '), '--no-dns-sd', '--timeout', '0.5');
  return stdout.includes(serial);
}

test('the line of the device search names a command that finds the scanner, at the usual port', async () => {
  const line = await started('--serial', '78100001');
  expect(line).toMatch(/^ {2}search {3}UDP port 30718; azimuth discover finds it$/);
  expect(await keepsItsPromise(line, '78100001')).toBe(true);
});

test('at another port, this line names the port', async () => {
  const line = await started('--serial', '78100002', '--search-port', '0');
  expect(line).toMatch(/UDP port (\d+); azimuth discover --port \1 finds it$/);
  expect(await keepsItsPromise(line, '78100002')).toBe(true);
});

test('the line is omitted if the settings disable the device search, or it does not listen', async () => {
  const scanner = await TestScanner.start({ searchPort: 0 });
  const {
    parameters,
    features: { network },
  } = scanner.service.device;
  parameters.change((change) =>
    change.set(legacyProtocols.members.EtherLegacyScanMode, LegacyScanMode.DISABLED),
  );
  network.activate();
  expect(lineOf(welcome({ stored: { in: 'folder', where: 'x' }, service: scanner.service }))).toBe(
    `  search   UDP port ${scanner.service.ports.search}; does not answer, because of EtherLegacyScanMode`,
  );
  const without = await TestScanner.start();
  expect(welcome({ stored: { in: 'folder', where: 'x' }, service: without.service })).not.toContain('search');
});
