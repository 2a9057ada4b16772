import { LegacyScanMode, legacyProtocols } from '@azimuth/model';
import { expect, test } from 'vitest';
import { Reader, serve, temporaryFolder } from '../../../tests/support/serve-process.js';
import { Bench } from '../../../tests/support/service-test-bench.js';
import { welcome } from '../src/serve/startup-output.js';
import { azimuth } from './run.js';

const lineOf = (text: string) => text.split('\n').find((line) => line.startsWith('  search')) ?? '';

/** What a person sees at the start of a scanner, about the device search. */
async function started(...flags: readonly string[]): Promise<string> {
  const stdout = new Reader(serve({ flags: ['--data', temporaryFolder(), '--no-dns-sd', ...flags] }).stdout);
  await stdout.until((text) => text.includes('  folder   '));
  return lineOf(stdout.text);
}

/** Does the command that a line promises find this scanner? */
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

test('and at another one', async () => {
  const line = await started('--serial', '78100002', '--search-port', '0');
  expect(line).toMatch(/UDP port (\d+); azimuth discover --port \1 finds it$/);
  expect(await keepsItsPromise(line, '78100002')).toBe(true);
});

test('nothing is promised where the settings keep it silent, or it does not listen', async () => {
  const bench = await Bench.start({ searchPort: 0 });
  const { parameters, network } = bench.service.device;
  parameters.change((change) =>
    change.set(legacyProtocols.members.EtherLegacyScanMode, LegacyScanMode.DISABLED),
  );
  network.activate();
  expect(lineOf(welcome({ folder: 'x', service: bench.service }))).toBe(
    `  search   UDP port ${bench.service.ports.search}; silent, as its settings say`,
  );
  const without = await Bench.start();
  expect(welcome({ folder: 'x', service: without.service })).not.toContain('search');
});
