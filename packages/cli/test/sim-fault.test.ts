import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { knownIssues } from '@azimuth/model';
import { faultKinds } from '@azimuth/model/faults';
import { temporaryFolder } from '@azimuth/test-support/serve-process';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { readFaultPlan } from '../src/input/fault-plan.js';
import { azimuth } from './run.js';

let scanner: TestScanner;
beforeEach(async () => {
  scanner = await TestScanner.start({ controlPort: 0 });
  vi.stubEnv('AZIMUTH_CONTROL', `http://127.0.0.1:${scanner.controlPort}`);
});

const fault = (...argv: readonly string[]) => azimuth('sim', 'fault', ...argv);

function file(name: string, content: string): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  return path;
}

describe('sim fault', () => {
  test('adds, lists and clears faults', async () => {
    expect(await fault('add', 'stream-loss', '--probability', '0.05', '--stream', 'scan')).toEqual({
      stdout: '1\n',
      stderr: '',
      exitCode: 0,
    });
    expect((await fault('add', 'link-down', '--at', '10s', '--for', '1.5min', '--json')).stdout).toBe(
      '{"ok":true,"ids":[2]}\n',
    );
    expect((await fault('list')).stdout).toBe(
      [
        '1  stream-loss: active, happened 0 of 0 times, stream scan, probability 0.05',
        '2  link-down: planned, happened 0 of 0 times, at 10000 ms, for 90000 ms',
        '',
      ].join('\n'),
    );
    expect(await fault('clear', '1')).toMatchObject({ exitCode: 0, stdout: '' });
    expect(JSON.parse((await fault('list', '--json')).stdout)).toMatchObject([{ id: 2, state: 'planned' }]);
    expect((await fault('clear', '1')).stderr).toBe('azimuth: there is no fault with the id 1\n');
    expect(await fault('clear', '--json')).toMatchObject({ stdout: '{"ok":true}\n' });
    expect(scanner.faults.list).toEqual([]);
  });

  test('known-issue lists what the releases have, and gives the scanner one of them', async () => {
    const { stdout } = await fault('known-issue');
    expect(stdout).toMatch(/^2\.1\.0\/angle-filter +release 2\.1\.0: With the format LMDscandata, /m);
    expect(stdout.trim().split('\n')).toHaveLength(Object.keys(knownIssues).length);
    expect(await fault('known-issue', '2.2.0/too-many-functions')).toEqual({
      stdout: '1\n',
      stderr: '',
      exitCode: 0,
    });
    expect(scanner.faults.list.map((one) => one.fault)).toEqual([
      { kind: 'known-issue', issue: '2.2.0/too-many-functions' },
    ]);
  });

  test('known-issue refuses one that is not known with the list, and one of another release', async () => {
    const { stderr, exitCode } = await fault('known-issue', '2.1.0/angle-filtr');
    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      'no known issue "2.1.0/angle-filtr" (did you mean 2.1.0/angle-filter?): expected all/',
    );
    for (const issue of Object.keys(knownIssues)) expect(stderr).toContain(issue);
    expect((await fault('known-issue', '2.1.0/angle-filter')).stderr).toBe(
      'azimuth: faults[0].issue: 2.1.0/angle-filter belongs to release 2.1.0; this scanner runs 2.4.4\n',
    );
    expect(scanner.faults.list).toEqual([]);
  });

  test('passes switches, negative numbers and numbers among choices', async () => {
    await fault('add', 'http-reset', '--handled', '--endpoint', 'x/*');
    await fault('add', 'device-clock-step', '--step=-2h');
    await fault('add', 'device-status', '--status', '6', '--at', '100');
    expect(scanner.faults.list.map((one) => one.fault)).toEqual([
      { kind: 'http-reset', handled: true, endpoint: 'x/*' },
      { kind: 'device-clock-step', step: -7_200_000 },
      { kind: 'device-status', status: 6, at: 100 },
    ]);
  });

  test.each([
    [['http-latency', '--latency', 'x'], '--latency: a number of ms 0 to 60000, not "x"'],
    [['http-latency', '--latency', '2min'], '--latency: a number of ms 0 to 60000, not 120000'],
    [['stream-los'], "unknown command 'stream-los'; did you mean stream-loss?"],
  ])('add %j is refused before the scanner is asked', async (words, problem) => {
    expect(await fault('add', ...words)).toEqual({
      stdout: '',
      stderr: `azimuth: ${problem}\n`,
      exitCode: 2,
    });
    expect(scanner.faults.list).toEqual([]);
  });

  test('its help lists all kinds, and the help of each its members', async () => {
    const { stdout } = await fault('add', '--help');
    for (const kind of Object.keys(faultKinds)) expect(stdout).toContain(`  ${kind} `);
    const help = (await fault('add', 'http-429', '--help')).stdout.replaceAll(/\s+/g, ' ');
    expect(help).toContain('--retry-after <number> Retry-After: a whole number of s 1 to 3600 (default: 1)');
    expect(help).toContain('--probability <number>');
  });

  test('loads a file in YAML or JSON', async () => {
    const yaml = file('plan.yaml', 'seed: 3\nfaults:\n  - kind: http-429 # busy\n    every: 2\n');
    const json = file('plan.json', '{"faults":[{"kind":"events-drop"}]}');
    expect((await fault('load', yaml)).stdout).toBe('1\n');
    expect((await fault('load', json)).stdout).toBe('2\n');
    expect(scanner.faults.list).toHaveLength(2);
  });
});

describe('a file with a plan', () => {
  test.each([
    ['faults:\n  - kind: link-up\n', /: faults\[0\]\.kind: the name of a kind of fault, not "link-up"/],
    ['faults: [', /:1:10: /],
    ['a: 1\na: 2\n', /:2:1: "a" is there twice: first in line 1, column 1/],
    [
      `a0: &a0 [x]\n${Array.from({ length: 30 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n},*a${n}]\n`).join('')}`,
      /:1:1: with all that its aliases stand for, it has more than 2000000 values/,
    ],
    ['', /: expected an object with the member faults/],
  ])('that says %j is refused with the place', async (content, problem) => {
    const path = file('plan.yaml', content);
    await expect(readFaultPlan(path, '--faults ')).rejects.toThrow(problem);
    await expect(readFaultPlan(path, '--faults ')).rejects.toThrow(`--faults ${path}:`);
  });

  test('that is not there is named', async () => {
    await expect(readFaultPlan('nowhere.yaml', '--faults ')).rejects.toThrow(
      '--faults nowhere.yaml cannot be read: there is no such file',
    );
  });
});
