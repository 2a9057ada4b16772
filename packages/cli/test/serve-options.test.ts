import type { Command } from 'commander';
import { describe, expect, test, vi } from 'vitest';
import { azimuthProgram } from '../src/all-commands.js';
import { resolveSwitches } from '../src/serve/serve-options.js';
import { passwordsOfEnvironment, typedPasswords } from '../src/serve/service-options.js';
import { azimuth } from './run.js';

describe('a password', () => {
  const takes =
    '--password: expected LEVEL=password, with one of the levels Maintenance, AuthorizedClient, Service';

  test.each([
    ['--password', ['service=topsecret'], `${takes}; did you mean Service=…?`],
    ['--password', ['topsecret'], takes],
    ['--password', ['top=secret'], takes],
    ['--password', ['=topsecret'], takes],
    ['--password', ['Service='], '--password: the password of Service must not be empty'],
    ['--pasword', ['Service=topsecret'], "unknown option '--pasword'; did you mean --password?"],
    ['--passphrase=Service=topsecret', [], "unknown option '--passphrase=…'"],
    ['--json', ['Service=topsecret'], "too many arguments for 'serve'. Expected 0 arguments but got 1."],
  ])('in a wrong form is not in the error: %s %j', async (option, values, line) => {
    const { stderr, exitCode } = await azimuth('serve', option, ...values);
    expect(stderr).toBe(`azimuth: ${line}\n`);
    expect(exitCode).toBe(2);
  });

  test('may be given for several levels, and the last one for a level is used', () => {
    expect(typedPasswords(['Service=a=b', 'Maintenance=m', 'Service=c'])).toEqual({
      Service: 'c',
      Maintenance: 'm',
    });
  });

  test('comes from the environment, where an empty one counts as not given', () => {
    const environment = {
      AZIMUTH_PASSWORD_SERVICE: '',
      AZIMUTH_PASSWORD_MAINTENANCE: 'm',
      AZIMUTH_PASSWORD_AUTHORIZEDCLIENT: '',
      AZIMUTH_PASSWORD_AUTHORIZED_CLIENT: 'c',
    };
    expect(passwordsOfEnvironment(environment)).toEqual({ Maintenance: 'm', AuthorizedClient: 'c' });
  });
});

/** The parsed options of `azimuth serve`. */
async function parsedOptions(...argv: readonly string[]): Promise<Command> {
  const program = await azimuthProgram(['serve']);
  const serve = program.commands.find((command) => command.name() === 'serve');
  if (serve === undefined) throw new Error('there is no serve');
  serve.action(() => resolveSwitches(serve));
  await program.parseAsync(['serve', ...argv], { from: 'user' });
  return serve;
}

const switches = ['json', 'enableWebserver', 'strictEvents'];
const variableOf = (name: string) =>
  `AZIMUTH_${name.replace(/[A-Z]/, (letter) => `_${letter}`).toUpperCase()}`;

describe('a switch in the environment', () => {
  test.each(['false', '0', 'no', 'off', 'n', 'Off', ''])('%j is off', async (word) => {
    for (const name of switches) vi.stubEnv(variableOf(name), word);
    const serve = await parsedOptions();
    for (const name of switches) {
      expect(serve.getOptionValue(name)).toBeUndefined();
      expect(serve.getOptionValueSource(name)).toBeUndefined();
    }
  });

  test.each(['true', '1', 'yes', 'on'])('%j is on', async (word) => {
    for (const name of switches) vi.stubEnv(variableOf(name), word);
    const serve = await parsedOptions();
    for (const name of switches) expect(serve.getOptionValue(name)).toBe(true);
  });

  test('that is off can be overridden on the command line', async () => {
    vi.stubEnv('AZIMUTH_JSON', 'off');
    expect((await parsedOptions('--json')).opts()).toMatchObject({ json: true });
  });

  test('that is neither is refused', async () => {
    vi.stubEnv('AZIMUTH_JSON', 'maybe');
    expect(await azimuth('serve')).toEqual({
      stdout: '',
      stderr: 'azimuth: AZIMUTH_JSON: expected on or off, got "maybe"\n',
      exitCode: 2,
    });
  });
});

test('an empty variable counts as not given, whatever the option', async () => {
  const found = (await parsedOptions()).opts();
  const { commands } = await azimuthProgram(['serve']);
  const serve = commands.find((command) => command.name() === 'serve');
  for (const { envVar } of serve?.options ?? []) if (envVar !== undefined) vi.stubEnv(envVar, '');
  expect(process.env.AZIMUTH_DATA).toBe('');
  expect((await parsedOptions()).opts()).toEqual(found);
});

test.each(['0', '65536', '12.5', 'ntp'])('a time server is not asked at port %s', async (port) => {
  const { stderr, exitCode } = await azimuth('serve', '--time-server-port', port);
  expect(stderr).toContain('Expected a whole number from 1 to 65535.');
  expect(exitCode).toBe(2);
});

test.each(['--ptp-event-port', '--ptp-general-port'])(
  '%s is not 0: masters need to know it',
  async (option) => {
    const { stderr, exitCode } = await azimuth('serve', option, '0');
    expect(stderr).toContain('Expected a whole number from 1 to 65535.');
    expect(exitCode).toBe(2);
  },
);

test('the clock of the scanner is right, unless an option says otherwise', async () => {
  expect((await parsedOptions()).opts()).toMatchObject({ clockOffset: 0, clockDrift: 0 });
  expect((await parsedOptions('--clock-offset=-3600', '--clock-drift', '200')).opts()).toMatchObject({
    clockOffset: -3600,
    clockDrift: 200,
  });
  const { stderr } = await azimuth('serve', '--clock-drift', '501');
  expect(stderr).toContain('Expected a number from -500 to 500.');
});

test.each([
  ['basic', 'basic'],
  ['core', 'basic'],
  ['picoScan120', 'picoScan120'],
])('the variant %s is %s, on the command line and in the environment', async (typed, variant) => {
  expect((await parsedOptions('--variant', typed)).opts()).toMatchObject({ variant });
  vi.stubEnv('AZIMUTH_VARIANT', typed);
  expect((await parsedOptions()).opts()).toMatchObject({ variant });
});

test('a variant that does not exist is refused with those that do', async () => {
  const { stderr, exitCode } = await azimuth('serve', '--variant', 'half');
  expect(stderr).toContain('Expected full, basic or picoScan120.');
  expect(exitCode).toBe(2);
});

test.each([
  ['--data', '', '--data: expected the name of a folder'],
  ['--serial', '12-3', '--serial: expected up to 9 letters and digits'],
])('%s %j is refused', async (option, value, line) => {
  expect(await azimuth('serve', option, value)).toEqual({
    stdout: '',
    stderr: `azimuth: ${line}\n`,
    exitCode: 2,
  });
});

/** The options of `azimuth serve` from these arguments and the environment. */
async function options(...argv: readonly string[]): Promise<Record<string, unknown>> {
  const program = await azimuthProgram(['serve']);
  const serve = program.commands.find((command) => command.name() === 'serve');
  if (serve === undefined) throw new Error('there is no serve');
  serve.action(() => resolveSwitches(serve));
  await program.parseAsync(['serve', ...argv], { from: 'user' });
  return serve.opts();
}

test('by default a scanner answers the device search at port 30718 and is announced', async () => {
  expect(await options()).toMatchObject({ searchPort: 30718, dnsSd: true });
});

test('the environment and the command line change this', async () => {
  expect(await options('--search-port', '0', '--no-dns-sd')).toMatchObject({ searchPort: 0, dnsSd: false });
  vi.stubEnv('AZIMUTH_SEARCH_PORT', '40000');
  vi.stubEnv('AZIMUTH_DNS_SD', 'off');
  const given = await options();
  expect(given.searchPort).toBe(40000);
  expect(given.dnsSd).not.toBe(true);
  vi.stubEnv('AZIMUTH_DNS_SD', 'on');
  expect(await options()).toMatchObject({ dnsSd: true });
  expect(await options('--no-dns-sd')).toMatchObject({ dnsSd: false });
});

test('the GUI is served unless the command line or the environment says no', async () => {
  expect(await options()).toMatchObject({ gui: true });
  expect(await options('--no-gui')).toMatchObject({ gui: false });
  vi.stubEnv('AZIMUTH_GUI', 'off');
  expect((await options()).gui).not.toBe(true);
});

test.each([
  ['2.0.0', '"2.0.0", which was for another type, the picoScan120.'],
  ['2.5.0', '"2.5.0".'],
])('release %s, which the scanner cannot run, is refused', async (release, end) => {
  for (const words of [
    ['serve', '--firmware', release],
    ['firmware', 'build', '--out', 'never.spk', '--release', release],
  ]) {
    const { stderr, exitCode } = await azimuth(...words);
    const known = '1.4.0, 1.5.0, 2.1.0, 2.2.0, 2.2.1, 2.3.1, 2.3.3, 2.4.4';
    expect(stderr).toContain(`argument '${release}' is invalid. Expected ${known}, got ${end}`);
    expect(exitCode).toBe(2);
  }
});
