import { execFileSync, spawn } from 'node:child_process';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { largestScene } from '@azimuth/simulation/world';
import { temporaryFolder } from '@azimuth/test-support/files';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Alias } from 'yaml';
import { maxFileBytes } from '../../src/input/bounded-file.js';
import { YamlDocument } from '../../src/yaml/yaml-document.js';
import { azimuth } from '../run.js';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const many = 20_000;
const lines = (line: (n: number) => string, count = many) =>
  Array.from({ length: count }, (_, n) => line(n)).join('\n');

const apply = (path: string) => azimuth('apply', '--dry-run', '--device', 'http://127.0.0.1:9', path);
const fleet = (path: string) => azimuth('fleet', 'run', '--dry-run', path);
const faults = (path: string) => azimuth('sim', 'fault', 'load', path, '--control', 'http://127.0.0.1:9');
const scene = (path: string) => azimuth('sim', 'scene', path, '--control', 'http://127.0.0.1:9');
const restore = (path: string) => azimuth('restore', path, '--yes', '--device', 'http://127.0.0.1:9');
const device = ['--device', 'http://127.0.0.1:9'];
const password = (path: string) => azimuth('set', 'LocationName', 'x', '--password-file', path, ...device);
const pem = (path: string) => azimuth('certificate', 'set', path, path, ...device);
const actor = (path: string) => azimuth('sim', 'actor', 'add', path, '--control', 'http://127.0.0.1:9');
const devices = (path: string) => {
  vi.stubEnv('AZIMUTH_DEVICES', path);
  return azimuth('devices', 'list');
};

/** Functions that read files of users. */
const readers = { apply, fleet, faults, scene, restore, devices, password, pem, actor };
type Reader = keyof typeof readers;

async function refusal(reader: Reader, path: string): Promise<string> {
  const { stderr, exitCode } = await readers[reader](path);
  expect(stderr).not.toContain('internal error');
  expect(exitCode, stderr.slice(0, 500)).toBe(2);
  return stderr;
}

describe('a file with 20,000 keys is read in one pass', () => {
  test.each<[Reader, string, RegExp]>([
    ['apply', `parameters:\n${lines((n) => `  key${n}: 1`)}`, /there is no parameter "key0"/],
    ['apply', `scanners:\n${lines((n) => `  scanner${n}: {serial: "1"}`)}`, /says nothing about/],
    ['fleet', `groups:\n  a:\n    count: 1\n${lines((n) => `    key${n}: 1`)}`, /no member "key0"/],
    ['fleet', `groups:\n${lines((n) => `  group${n}: {count: 6}`)}`, /are too many/],
    ['devices', `devices:\n  a:\n    url: x\n${lines((n) => `    key${n}: 1`)}`, /no member "key0"/],
    ['faults', `faults: []\n${lines((n) => `k${n}: 1`)}`, /unknown|expected/],
  ])('%s', async (reader, content, mistake) => {
    expect(await refusal(reader, file('large.yaml', content))).toMatch(mistake);
  });

  test('devices in groups', async () => {
    const content = `devices:\n${lines((n) => `  d${n}: {url: x}`, 20_000)}\ngroups:\n  g:\n${lines((n) => `  - d${n}`, 20_000)}`;
    const { stdout } = await devices(file('devices.yaml', content));
    expect(stdout.split('\n').filter((line) => line.endsWith(' g'))).toHaveLength(20_000);
  });

  test('aliases', async () => {
    const content = `scanners:\n  s: &s {serial: "1"}\n${lines((n) => `  s${n}: *s`)}`;
    expect(await refusal('apply', file('large.yaml', content))).toMatch(/says nothing about/);
  });

  test('anchors and keys that are lists', async () => {
    const content = `a:\n${lines((n) => `- &a${n} x`)}\nb:\n${lines((n) => `  ? [${n}]\n  : 1`)}`;
    expect(await refusal('devices', file('large.yaml', content))).toContain('expected a text as key');
  });
});

test('a file with many mistakes names the first 100, and says that there may be more', async () => {
  const stderr = await refusal('apply', file('site.yaml', `parameters:\n${lines((n) => `  key${n}: 1`)}`));
  const told = stderr.trimEnd().split('\n');
  expect(told).toHaveLength(101);
  expect(told[99]).toContain(':101:3: there is no parameter "key99"');
  expect(told[100]).toContain('there may be more mistakes');
});

describe('a file that is nested without end is refused with the place', () => {
  const forms = {
    lists: '- '.repeat(100_000),
    brackets: '['.repeat(100_000),
    braces: '{a: '.repeat(100_000),
    keys: '? '.repeat(100_000),
    indents: lines((n) => `${' '.repeat(n)}a:`, 1000),
  };
  const every: readonly Reader[] = ['apply', 'fleet', 'faults', 'devices'];
  test.each(Object.entries(forms))('%s', async (_, content) => {
    for (const reader of every) {
      expect(await refusal(reader, file('deep.yaml', content))).toMatch(
        /deep\.yaml:\d+:\d+: expected at most 200 maps, lists and keys inside one another/,
      );
    }
  });

  test('a scene', async () => {
    const path = file('deep.json', '{"walls":['.repeat(100_000));
    expect(await refusal('scene', path)).toContain('nested too deeply');
  });
});

describe('aliases that would make a file far larger than it is are refused', () => {
  const bomb = `a0: &a0 [x]\n${lines((n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}]`, 40)}`;
  test.each<Reader>(['apply', 'fleet', 'faults', 'devices'])('%s', async (reader) => {
    expect(await refusal(reader, file('bomb.yaml', bomb))).toContain('more than 2000000 values');
  });

  test('also those that stand for what they are in, and for nothing', () => {
    expect(new YamlDocument('a: &a [*a]').problems).toEqual([
      { offset: 7, message: '*a is inside of what it stands for' },
    ]);
    expect(new YamlDocument('a: *b\nb: &b 1').problems).toHaveLength(1);
  });

  test('those that are used as people use them are resolved', () => {
    // The library would search all anchors for each alias.
    const search = vi.spyOn(Alias.prototype, 'resolve');
    onTestFinished(() => search.mockRestore());
    const yaml = new YamlDocument('a: &a {x: 1}\nb: *a\nc: &a 2\nd: *a\n');
    expect(yaml.problems).toEqual([]);
    expect(yaml.toJS()).toEqual({ a: { x: 1 }, b: { x: 1 }, c: 2, d: 2 });
    expect(search).not.toHaveBeenCalled();
  });
});

describe('a file that is larger than any of its kind is refused before it is read', () => {
  const limits: Readonly<Record<Reader, number>> = {
    apply: maxFileBytes.site,
    fleet: maxFileBytes.fleet,
    faults: maxFileBytes.faults,
    scene: largestScene,
    restore: maxFileBytes.backup,
    devices: maxFileBytes.devices,
    password: maxFileBytes.secret,
    pem: maxFileBytes.pem,
    actor: maxFileBytes.commands,
  };
  test.each(Object.entries(limits))('%s: %i bytes', async (name, limit) => {
    const reader = Object.keys(readers).find((one): one is Reader => one === name) ?? 'apply';
    const path = file(name === 'scene' ? 'a.json' : 'a.yaml', '');
    truncateSync(path, limit + 1);
    expect(await refusal(reader, path)).toContain(`expected at most ${limit} bytes, got`);
  });

  test.skipIf(process.platform === 'win32')('a pipe that never ends, too', async () => {
    const pipe = join(folder, 'pipe.yaml');
    execFileSync('mkfifo', [pipe]);
    const writer = spawn('sh', ['-c', `yes "a: 1" > "${pipe}"`], { stdio: 'ignore' });
    try {
      expect(await refusal('apply', pipe)).toContain(`expected at most ${maxFileBytes.site} bytes`);
    } finally {
      writer.kill('SIGKILL');
    }
  });
});

test.each<Reader>(['apply', 'fleet', 'restore', 'password', 'pem'])(
  '- is a file and not standard input for what does not say otherwise: %s',
  async (reader) => {
    expect(await refusal(reader, '-')).toMatch(/- cannot be read: there is no such file/);
  },
);
