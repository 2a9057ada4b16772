import {
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@azimuth/test-support/serve-process';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { programAndArguments } from '../src/scanners/password-command.js';
import { azimuth } from './run.js';

let folder: string;
let file: string;

beforeEach(() => {
  folder = realpathSync(temporaryFolder());
  file = join(folder, 'azimuth', 'devices.yaml');
  vi.stubEnv('XDG_CONFIG_HOME', folder);
  vi.stubEnv('AZIMUTH_DEVICES', '');
});

const ok = { stdout: '', stderr: '', exitCode: 0 };

function written(text: string): void {
  mkdirSync(join(folder, 'azimuth'), { recursive: true });
  writeFileSync(file, text, { mode: 0o600 });
}

describe('add', () => {
  test('stores names for their owner alone, and list shows them', async () => {
    expect(await azimuth('devices', 'add', 'gate3', 'http://192.168.0.3')).toEqual(ok);
    const more = ['--user', 'AuthorizedClient', '--password-command', 'pass show "hall 4"'];
    expect(await azimuth('devices', 'add', '@hall/gate4', 'http://192.168.0.4', ...more)).toEqual(ok);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder, 'azimuth'))).toEqual(['devices.yaml']);
    expect((await azimuth('devices', 'list')).stdout).toBe(
      [
        'NAME         URL                 USER              PASSWORD  GROUPS',
        '@gate3       http://192.168.0.3  -                 -         -',
        '@hall/gate4  http://192.168.0.4  AuthorizedClient  command   -',
        '',
      ].join('\n'),
    );
    const listed = await azimuth('devices', 'list', 'hall/*', '--json');
    expect(JSON.parse(listed.stdout)).toEqual([
      {
        name: 'hall/gate4',
        url: 'http://192.168.0.4',
        user: 'AuthorizedClient',
        passwordCommand: 'pass show "hall 4"',
        groups: [],
      },
    ]);
  });

  test('list shows a long URL whole', async () => {
    const url = `https://proxy.example/${'hall/'.repeat(60)}gate3`;
    await azimuth('devices', 'add', 'gate3', url);
    expect((await azimuth('devices', 'list')).stdout).toContain(`  ${url}  `);
  });

  test('keeps comments, and what else is in the file', async () => {
    written('# The hall\ndevices:\n  gate1: # at the north\n    url: http://10.0.0.1\n');
    await azimuth('devices', 'add', 'gate2', 'http://10.0.0.2');
    expect(readFileSync(file, 'utf8')).toBe(
      '# The hall\ndevices:\n  gate1:\n    # at the north\n    url: http://10.0.0.1\n  gate2:\n    url: http://10.0.0.2\n',
    );
  });

  test('replaces a name only with --force', async () => {
    await azimuth('devices', 'add', 'gate3', 'http://10.0.0.1');
    expect(await azimuth('devices', 'add', 'gate3', 'http://10.0.0.2')).toEqual({
      stdout: '',
      stderr: 'azimuth: gate3 is there already, for http://10.0.0.1: use --force to replace it\n',
      exitCode: 2,
    });
    expect(await azimuth('devices', 'add', 'gate3', 'http://10.0.0.2', '--force')).toEqual(ok);
    expect((await azimuth('devices', 'show', '@gate3')).stdout).toMatch(
      /^name +gate3\nurl +http:\/\/10\.0\.0\.2\n/,
    );
  });

  test('writes through a link to another file', async () => {
    mkdirSync(join(folder, 'azimuth'));
    writeFileSync(join(folder, 'mine.yaml'), '');
    symlinkSync(join(folder, 'mine.yaml'), file);
    await azimuth('devices', 'add', 'gate3', 'http://10.0.0.1');
    expect(readFileSync(join(folder, 'mine.yaml'), 'utf8')).toContain('gate3');
    expect(realpathSync(file)).toBe(join(folder, 'mine.yaml'));
  });

  test.each([
    [['*', 'http://x'], '"*" cannot be a name: expected letters, digits'],
    [['-', 'http://x'], '"-" cannot be a name'],
    [['hall/', 'http://x'], '"hall/" cannot be a name'],
    [['gate3', 'ftp://x'], 'expected the URL of a scanner with http:// or https://, got "ftp://x"'],
    [['gate3', 'http://me:geheim@x'], 'the URL of a scanner must not contain a user or a password'],
    [['gate3', 'http://x', '--user', 'service'], 'did you mean Service?'],
    [['gate3', 'http://x', '--password', 'geheim'], 'do not give the password on the command line'],
    [
      ['gate3', 'http://x', '--password-file', 'a', '--password-command', 'b'],
      'give --password-file or --password-command, not both',
    ],
  ])('refuses %j, and writes nothing', async (argv, line) => {
    const { stderr, exitCode } = await azimuth('devices', 'add', ...argv);
    expect(stderr).toContain(line);
    expect(stderr).not.toContain('geheim');
    expect(exitCode).toBe(2);
    expect(readdirSync(folder)).toEqual([]);
  });
});

test('AZIMUTH_DEVICES names another file', async () => {
  const other = join(folder, 'other.yaml');
  vi.stubEnv('AZIMUTH_DEVICES', other);
  await azimuth('devices', 'add', 'gate3', 'http://10.0.0.1');
  expect(readFileSync(other, 'utf8')).toContain('gate3');
});

test('remove takes a name out of the file and of all groups', async () => {
  written(
    'devices:\n  a:\n    url: http://10.0.0.1\n  b:\n    url: http://10.0.0.2\ngroups:\n  night: [a, b, a]\n',
  );
  expect(await azimuth('devices', 'remove', 'a')).toEqual(ok);
  expect(readFileSync(file, 'utf8')).toBe(
    'devices:\n  b:\n    url: http://10.0.0.2\ngroups:\n  night: [ b ]\n',
  );
  expect((await azimuth('devices', 'remove', 'night')).stderr).toContain(
    'azimuth devices group night --remove',
  );
});

test('a group has the scanners that were named last', async () => {
  written('devices:\n  a:\n    url: http://10.0.0.1\n  hall/b:\n    url: http://10.0.0.2\n');
  await azimuth('devices', 'group', 'night', 'a', '@hall/*', 'a');
  expect((await azimuth('devices', 'group', 'night')).stdout).toBe('@a\n@hall/b\n');
  expect((await azimuth('devices', 'group', 'hall')).stdout).toBe('@hall/b\n');
  await azimuth('devices', 'group', 'night', 'hall/b');
  expect((await azimuth('devices', 'group', '@night')).stdout).toBe('@hall/b\n');
  expect((await azimuth('devices', 'show', 'hall/b')).stdout).toMatch(/groups +night\n/);
  expect((await azimuth('devices', 'group', 'a', 'hall/b')).stderr).toContain('a is the name of a scanner');
  expect((await azimuth('devices', 'add', 'night', 'http://x')).stderr).toContain('is the name of a group');
  await azimuth('devices', 'group', 'night', '--remove');
  expect(await azimuth('devices', 'group', 'night')).toMatchObject({
    stderr: expect.stringContaining('there is no scanner or group @night'),
    exitCode: 2,
  });
});

describe('a wrong file is refused with the place of the error', () => {
  test.each([
    ['devices: [', /devices\.yaml:1:1\d: /],
    ['device:\n  a: {}', /devices\.yaml:1:1: there is no member "device"; did you mean devices\?/],
    ['devices:\n  a: {}', /:2:6: devices\.a\.url is missing/],
    ['devices:\n  "a b": {url: http://x}', /:2:10: devices\.a b: the name is not allowed/],
    [
      'devices:\n  a:\n    url: http://x\n    password-command: [cat, 1]',
      /:4:23: .*expected a command, or a list of its words/,
    ],
    [
      'devices:\n  a: {url: http://x, password-file: a, password-command: b}',
      /:2:6: devices\.a: expected password-file or password-command, not both/,
    ],
    ['devices: 1', /:1:10: devices: expected names, each with its members/],
    ['- 1', /:1:1: expected devices and groups/],
    ['devices:\n  a: http://x', /:2:6: devices\.a: expected at least url/],
    [
      'devices:\n  a:\n    url: http://x\n    password: geheim',
      /:4:5: devices\.a: a password does not belong in this file \("password"\)/,
    ],
    [
      'devices:\n  a:\n    url: http://x\n    passwd: geheim',
      /:4:5: devices\.a: a password does not belong in this file \("passwd"\)/,
    ],
    [
      'devices:\n  a:\n    url: http://u:geheim@x',
      /:3:10: devices\.a\.url: a user or a password does not belong/,
    ],
    [
      'devices:\n  a:\n    url: http://x\n    usr: Service',
      /:4:5: devices\.a: there is no member "usr"; did you mean user\?/,
    ],
    [
      'devices:\n  a:\n    url: http://x\n    user: root',
      /:4:11: devices\.a\.user: expected one of Maintenance/,
    ],
    ['devices:\n  a:\n    url: http://x\ngroups:\n  n: [b]', /:5:7: groups\.n\[0\]: there is no device "b"/],
    ['devices:\n  a:\n    url: http://x\ngroups:\n  a: [a]', /:5:6: groups\.a: a device has the same name/],
  ])('%j', async (text, line) => {
    written(text);
    const { stderr, exitCode } = await azimuth('devices', 'list');
    expect(stderr).toMatch(line);
    expect(stderr).not.toContain('geheim');
    expect(exitCode).toBe(2);
  });

  test('others may not write to a file with commands', async () => {
    written('devices:\n  a:\n    url: http://x\n    password-command: echo\n');
    const { chmodSync } = await import('node:fs');
    chmodSync(file, 0o666);
    expect((await azimuth('devices', 'list')).stderr).toContain('others may write to it');
  });
});

test('without names, list says how to add one', async () => {
  expect((await azimuth('devices', 'list')).stderr).toContain('azimuth devices add NAME URL');
  expect((await azimuth('devices', 'list', '--json')).stdout).toBe('[]\n');
});

test.each([
  ['pass show gate3', ['pass', 'show', 'gate3']],
  ['pass  show "hall 3" \'a b\'c', ['pass', 'show', 'hall 3', 'a bc']],
  ['pass show x | head -1', ['/bin/sh', '-c', 'pass show x | head -1']],
  ['echo $PASS', ['/bin/sh', '-c', 'echo $PASS']],
  ['echo "it', ['/bin/sh', '-c', 'echo "it']],
])('the command %j runs as %j', (line, words) => {
  expect(programAndArguments(line)).toEqual(words);
});
