import { setInterval } from 'node:timers/promises';
import { startScanner, type TestScanner } from '@azimuth/testing';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { azimuth } from './run.js';

beforeEach(() => {
  vi.stubEnv('AZIMUTH_PASSWORD', 'servicelevel');
});

async function standing(): Promise<TestScanner> {
  const scanner = await startScanner();
  onTestFinished(() => scanner.close());
  // Not at a whole second: a clock that counts seconds could show it, too.
  await scanner.advance(1.5);
  return scanner;
}

test('a clock that stands at a whole second is looked at for longer than a second', async () => {
  const scanner = await startScanner();
  onTestFinished(() => scanner.close());
  const begin = performance.now();
  expect((await azimuth('reboot', '--wait', '--device', scanner.url)).stderr).toContain('stands still');
  expect(performance.now() - begin).toBeGreaterThan(1000);
});

describe('a scanner whose clock stands still', () => {
  test.each([
    ['reboot', ['reboot', '--wait']],
    ['what follows SoftReset', ['call', 'SoftReset', 'ProcessorNbr=0', '--wait', '--yes']],
    ['the installation', ['update', 'package.json', '--yes']],
  ])('is told at once, and nothing is done: %s', async (what, words) => {
    const scanner = await standing();
    await scanner.write('LocationName', 'not saved');
    const { exitCode, stderr } = await azimuth(...words, '--device', scanner.url);
    expect(stderr).toContain('the clock of this scanner stands still');
    expect(stderr).toContain(`${what} does not end by itself. Nothing was done.`);
    expect(exitCode).toBe(1);
    // It accepts changes: no reboot is requested.
    await scanner.write('LocationName', 'still up');
    expect(scanner.read('LocationName')).toBe('still up');
  });

  test('is waited for as long as was said, and then the command fails with what it waited for', async () => {
    const { url } = await standing();
    const { exitCode, stderr } = await azimuth('reboot', '--wait', '--timeout', '0.5', '--device', url);
    expect(stderr).toContain('It has to be moved on within 0.5 s: azimuth sim advance 60s');
    expect(stderr).toContain('it is not up again within 0.5 s after its reboot');
    expect(exitCode).toBe(3);
  });

  test('is up again if another program moves its clock on meanwhile', async () => {
    const scanner = await standing();
    const ended = new AbortController();
    const moved = (async () => {
      for await (const _ of setInterval(20, undefined, { signal: ended.signal })) await scanner.advance(1000);
    })().catch(() => undefined);
    const words = ['reboot', '--wait', '--timeout', '20', '--json', '--device', scanner.url];
    const { exitCode, stdout } = await azimuth(...words);
    ended.abort();
    await moved;
    expect([exitCode, JSON.parse(stdout)]).toEqual([0, { rebooted: true, saved: true, up: true }]);
  });
});

test('a scanner whose clock runs is not asked twice, and no limit is needed', async () => {
  const scanner = await startScanner({ clock: 'real', bootTime: 0.2 });
  onTestFinished(() => scanner.close());
  const { exitCode, stderr } = await azimuth('reboot', '--wait', '--device', scanner.url);
  expect([exitCode, stderr]).toEqual([0, '']);
});

test.each([
  ['reboot', '600'],
  ['call', '600'],
  ['update', '1800'],
  ['backup', '600'],
  ['restore', '600'],
  ['diagnose', '300'],
])('%s says in its help how long it waits: %s s', async (command, seconds) => {
  const { stdout } = await azimuth(command, '--help');
  expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
    new RegExp(`--timeout <seconds> .*\\(default: ${seconds}\\)`),
  );
});
