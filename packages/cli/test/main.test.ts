import { createServer } from 'node:http';
import { FakeDevice } from '@azimuth/test-support/fake-device';
import { listening } from '@azimuth/test-support/listening';
import type { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { azimuthProgram, commandTable } from '../src/all-commands.js';
import { exitCodes } from '../src/command-failure.js';
import { azimuth } from './run.js';

let device: FakeDevice;

beforeEach(async () => {
  device = await FakeDevice.start();
  vi.stubEnv('AZIMUTH_DEVICE', device.url);
});
afterEach(() => device.stop());

describe('help', () => {
  test('prints the table of exit codes', async () => {
    const { stdout, exitCode } = await azimuth('--help');
    expect(exitCode).toBe(0);
    for (const { code, text } of Object.values(exitCodes)) expect(stdout).toContain(`${code}  ${text}\n`);
  });

  test.each(commandTable)(
    'of $name and each of its commands has examples and a sentence',
    async ({ load }) => {
      for (const path of pathsOf(await load())) {
        const { stdout, exitCode } = await azimuth(...path, '--help');
        expect(stdout, path.join(' ')).toMatch(/^Usage: .*\n\n[A-Z][^.]*[.:]/);
        expect(stdout).toMatch(new RegExp(`Examples:\\n(.*\\n)* +(AZIMUTH_\\S+ )*azimuth ${path.join(' ')}`));
        expect(exitCode).toBe(0);
      }
    },
  );
});

/** The names that call a command, and each command below it. */
function pathsOf(command: Command): string[][] {
  const below = command.commands.flatMap(pathsOf);
  return [[command.name()], ...below.map((path) => [command.name(), ...path])];
}

test('the list of commands describes each as its own help does', async () => {
  const { stdout } = await azimuth('--help');
  for (const { name, load } of commandTable) {
    const command = await load();
    expect(command.name()).toBe(name);
    expect(stdout).toContain(`  ${name} ${command.usage()}  `);
  }
});

test('a command is found after options of the program, and after help', async () => {
  device.prepare('LocationName', { data: { LocationName: 'serve' } });
  expect((await azimuth('--device', device.url, 'get', 'LocationName')).stdout).toBe('serve\n');
  expect((await azimuth('help', 'get')).stdout).toContain('Usage: azimuth get [options] [name...]');
});

test('the version is that of the package', async () => {
  expect((await azimuth('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('an option after a command belongs to the command, also if the program has one of this name', async () => {
  const program = await azimuthProgram(['serve']);
  const serve = program.commands.find((command) => command.name() === 'serve');
  serve?.action(() => {});
  await program.parseAsync(['serve', '--json'], { from: 'user' });
  expect(serve?.opts()).toMatchObject({ json: true });
  expect(program.opts()).toEqual({});
});

describe('wrong usage is one line on stderr and code 2', () => {
  test.each([
    [['gte', 'x'], "azimuth: unknown command 'gte'; did you mean get?\n"],
    [['get', 'x', '--devise', 'y'], "azimuth: unknown option '--devise'; did you mean --device?\n"],
    [['gett'], "azimuth: unknown command 'gett'; did you mean get?\n"],
    [['xyzzy'], "azimuth: unknown command 'xyzzy'\n"],
    [
      ['set', 'LocationName', '-x'],
      "azimuth: unknown option '-x'; a value that begins with a dash goes behind --: azimuth set LocationName -- -x\n",
    ],
    [
      ['set', '--device', '127.0.0.1', '-xyz', 'LocationName'],
      "azimuth: unknown option '-xyz'; a value that begins with a dash goes behind --: azimuth set NAME -- -xyz\n",
    ],
    [['describe', '-x'], "azimuth: unknown option '-x'\n"],
    [['set', 'LocationName'], "azimuth: missing required argument 'value'\n"],
    [
      ['get', 'LocationName', '--device', 'ftp://x'],
      'azimuth: expected the URL of a scanner with http:// or https://, got "ftp://x"\n',
    ],
    [
      ['get', 'LocationName', '--device', 'http://me:geheim@x'],
      'azimuth: the URL of a scanner must not contain a user or a password\n',
    ],
  ])('%j', async (argv, stderr) => {
    expect(await azimuth(...argv)).toEqual({ stdout: '', stderr, exitCode: 2 });
  });
});

describe('a password on the command line is refused, and the error does not contain it', () => {
  const hint =
    'do not give the password on the command line: set AZIMUTH_PASSWORD, or name a file with --password-file\n';
  const commands = [
    ['set', 'LocationName', 'Gate'],
    ['call', 'WriteEeprom'],
    ['get', 'LocationName'],
    ['backup', 'gate.json'],
    ['restore', 'gate.json', '--yes'],
    ['update', 'new.spk'],
    ['diagnose', 'gate.zip'],
    ['certificate', 'remove'],
    ['password', 'Service'],
    ['users', 'enable', 'Maintenance'],
    ['watch', 'DeviceStatus'],
    ['scan'],
    ['record', 'hall.azrec'],
  ];

  test.each(
    commands.flatMap((argv) => [
      { argv: [...argv, '--password', 'geheim-4711'], told: '--password' },
      { argv: [...argv, '--password=geheim-4711'], told: '--password=…' },
      { argv: [...argv, '-p', 'geheim-4711'], told: '-p' },
      { argv: [...argv, '-pgeheim-4711'], told: '-p…' },
    ]),
  )('$argv', async ({ argv, told }) => {
    vi.stubEnv('AZIMUTH_PASSWORD', 'servicelevel');
    expect(await azimuth(...argv)).toEqual({
      stdout: '',
      stderr: `azimuth: unknown option '${told}'; ${hint}`,
      exitCode: 2,
    });
    expect(device.requests).toEqual([]);
  });

  test.each([
    ['set', '--password', 'geheim-4711', 'LocationName', 'Gate'],
    ['--password', 'geheim-4711', 'set', 'LocationName', 'Gate'],
    ['set', 'LocationName', 'Gate', '--passwd', 'geheim-4711'],
    ['set', 'LocationName', 'Gate', '-P', 'geheim-4711'],
    ['call', 'WriteEeprom', '--pwd=geheim-4711'],
    ['set', 'LocationName', '--pass', 'geheim-4711'],
  ])('at any place and with any option name: %j', async (...argv) => {
    const { stderr, exitCode } = await azimuth(...argv);
    expect(stderr).toMatch(new RegExp(`^azimuth: unknown option '-[^']*'; ${hint}$`));
    expect(stderr).not.toContain('geheim');
    expect(exitCode).toBe(2);
    expect(device.requests).toEqual([]);
  });

  test.each([
    [['password', 'Service', '--new-password', 'geheim-4711'], 'AZIMUTH_NEW_PASSWORD', '--new-password-file'],
    [['backup', 'gate.json', '--passphrase', 'geheim-4711'], 'AZIMUTH_PASSPHRASE', '--passphrase-file'],
    [['restore', 'gate.json', '--passphrase=geheim-4711'], 'AZIMUTH_PASSPHRASE', '--passphrase-file'],
  ])('%j: other secrets likewise', async (argv, variable, option) => {
    const { stderr, exitCode } = await azimuth(...argv);
    expect(stderr).toContain(`set ${variable}, or name a file with ${option}\n`);
    expect(stderr).not.toContain('geheim');
    expect(exitCode).toBe(2);
  });

  test.each([['discover'], ['sim'], ['serve'], ['describe', 'LocationName']])(
    'the same for commands without a login: %j',
    async (...argv) => {
      const { stderr, exitCode } = await azimuth(...argv, '-pgeheim-4711');
      expect(stderr).toContain("unknown option '-p…'");
      expect(stderr).not.toContain('geheim');
      expect(exitCode).toBe(2);
    },
  );
});

describe('a failure is one line on stderr and an exit code', () => {
  test('if nothing answers', async () => {
    await device.stop();
    expect(await azimuth('get', 'LocationName')).toEqual({
      stdout: '',
      stderr: `azimuth: ${device.url} cannot be reached: ECONNREFUSED – is it running? azimuth discover lists the scanners that answer\n`,
      exitCode: 3,
    });
  });

  test('if the answer is not of a scanner', async () => {
    const server = createServer((_, response) => response.end('hello'));
    const port = await listening(server);
    expect(await azimuth('get', 'LocationName', '--device', `127.0.0.1:${port}`)).toEqual({
      stdout: '',
      stderr: `azimuth: LocationName: http://127.0.0.1:${port} answered something other than JSON (HTTP 200)\n`,
      exitCode: 3,
    });
  });

  test('if the scanner refuses, with its detail', async () => {
    vi.stubEnv('AZIMUTH_PASSWORD', 'servicelevel');
    device.prepare('LocationName', { status: 7, headers: { 'Azimuth-Detail': 'LocationName: too long' } });
    expect(await azimuth('set', 'LocationName', 'x')).toEqual({
      stdout: '',
      stderr: 'azimuth: LocationName: Out Of Bounds (7) – LocationName: too long\n',
      exitCode: 1,
    });
  });

  test('as JSON without characters that a terminal obeys', async () => {
    device.prepare('LocationName', { status: 77, message: 'one \u009b31m \u202etwo' });
    const { stderr } = await azimuth('get', 'LocationName', '--json');
    expect(stderr).toMatch(/^[\x20-\x7e]+\n$/);
    expect(JSON.parse(stderr)).toMatchObject({ exitCode: 1 });
  });

  test('with escaped control characters of the scanner', async () => {
    device.prepare('LocationName', { status: 77, message: 'one\r\ntwo \u001b[31m' });
    expect((await azimuth('get', 'LocationName')).stderr).toBe(
      'azimuth: LocationName: one two \\u001b[31m (77)\n',
    );
  });
});

test('values of a scanner are printed without characters that a terminal obeys, as text and as JSON', async () => {
  device.values.set('LocationName', 'Gate\u009b31m\u202e3');
  expect((await azimuth('get', 'LocationName')).stdout).toBe('Gate\\u009b31m\\u202e3\n');
  expect((await azimuth('get', 'LocationName', '--json')).stdout).toContain('Gate\\u009b31m\\u202e3');
  expect((await azimuth('doctor', '--no-discover', '--all')).stdout).not.toMatch(/[\u0080-\u009f\u202e]/);
});
