import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FakeDevice } from '@azimuth/test-support/fake-device';
import { temporaryFolder } from '@azimuth/test-support/serve-process';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { azimuth } from './run.js';

let devices: FakeDevice[];
let folder: string;

beforeEach(async () => {
  devices = [];
  for (const name of ['north', 'south', 'yard']) {
    const device = await FakeDevice.start();
    device.values.set('LocationName', `the ${name}`);
    devices.push(device);
  }
  folder = temporaryFolder();
  vi.stubEnv('AZIMUTH_DEVICES', join(folder, 'devices.yaml'));
  vi.stubEnv('AZIMUTH_DEVICE', '');
  vi.stubEnv('AZIMUTH_PASSWORD', 'servicelevel');
  name({});
});
afterEach(() => Promise.all(devices.map((device) => device.stop())));

/** Names the three scanners, each with further members. */
function name(more: Readonly<Record<string, string>>, of = ['hall/north', 'hall/south', 'yard']): void {
  const entries = of.map((device, index) => {
    const member = more[device] === undefined ? '' : `\n    ${more[device]}`;
    return `  ${device}:\n    url: ${devices[index]?.url}${member}`;
  });
  writeFileSync(join(folder, 'devices.yaml'), `devices:\n${entries.join('\n')}\ngroups:\n  mine: [yard]\n`, {
    mode: 0o600,
  });
}

const unreachable = /cannot be reached: ECONNREFUSED/;

describe('the words that name scanners', () => {
  test.each([
    [['get', '@yard', 'LocationName'], 'the yard\n'],
    [['get', 'LocationName', '--device', '@yard'], 'the yard\n'],
    [['@yard', 'get', 'LocationName'], 'the yard\n'],
    [['get', '--user', 'Service', '@yard', 'LocationName'], 'the yard\n'],
    [['get', '@hall/*', 'LocationName'], 'hall/north  the north\nhall/south  the south\n'],
    [['get', '@hall', 'LocationName'], 'hall/north  the north\nhall/south  the south\n'],
    [['get', '@mine', 'LocationName'], 'yard  the yard\n'],
    [['get', '@yard', '@hall/south', 'LocationName'], 'yard        the yard\nhall/south  the south\n'],
    [['get', '@yard', '@yard', 'LocationName'], 'yard  the yard\n'],
    [['get', '@*', 'LocationName'], 'hall/north  the north\nhall/south  the south\nyard        the yard\n'],
  ])('%j', async (argv, stdout) => {
    expect(await azimuth(...argv)).toEqual({ stdout, stderr: '', exitCode: 0 });
  });

  test('may be URLs, also in the environment', async () => {
    const [one, two] = devices.map(({ url }) => url);
    const stdout = `${one}  the north\n${two}  the south\n`;
    expect((await azimuth('get', 'LocationName', '--device', `${one}`, '--device', `${two}`)).stdout).toBe(
      stdout,
    );
    vi.stubEnv('AZIMUTH_DEVICE', `${one} ${two}`);
    expect((await azimuth('get', 'LocationName')).stdout).toBe(stdout);
  });

  test('are values behind the name of a variable', async () => {
    expect((await azimuth('set', '@yard', 'LocationName', '"@hall/*"')).exitCode).toBe(0);
    expect(devices.map(({ values }) => values.get('LocationName'))).toEqual([
      'the north',
      'the south',
      '@hall/*',
    ]);
  });

  test.each([
    ['@yrd', /there is no scanner or group @yrd in .*devices\.yaml; did you mean @yard\?/],
    ['@roof/*', /no scanner matches @roof\/\* in .*; azimuth devices list shows all/],
  ])('%s is refused before anything is sent', async (word, line) => {
    const { stderr, exitCode } = await azimuth('set', '@yard', word, 'LocationName', 'x');
    expect(stderr).toMatch(line);
    expect(exitCode).toBe(2);
    expect(devices.flatMap(({ requests: asked }) => asked)).toEqual([]);
  });

  test('without a file say how to make one', async () => {
    vi.stubEnv('AZIMUTH_DEVICES', join(folder, 'none.yaml'));
    expect((await azimuth('get', '@yard', 'LocationName')).stderr).toContain('azimuth devices add NAME URL');
  });
});

describe('several scanners', () => {
  test('have their name in front of each line', async () => {
    for (const { values } of devices) values.set('EtherIPAddress', [10, 0, 0, 1]);
    expect((await azimuth('get', '@hall', 'LocationName', 'EtherIPAddress')).stdout).toBe(
      [
        'hall/north  LocationName    the north',
        'hall/north  EtherIPAddress  10.0.0.1',
        'hall/south  LocationName    the south',
        'hall/south  EtherIPAddress  10.0.0.1',
        '',
      ].join('\n'),
    );
  });

  test('are printed with what each of them has, and a line for each name that one lacks', async () => {
    devices[0]?.values.set('EtherIPAddress', [10, 0, 0, 1]);
    expect(await azimuth('get', '@hall', 'LocationName', 'EtherIPAddress', 'PowerOnCnt')).toEqual({
      stdout: [
        'hall/north  LocationName    the north',
        'hall/north  EtherIPAddress  10.0.0.1',
        'hall/south  LocationName  the south',
        '',
      ].join('\n'),
      stderr: [
        'azimuth: hall/north: PowerOnCnt: Not Found (5)',
        'azimuth: hall/south: EtherIPAddress: Not Found (5)',
        'azimuth: hall/south: PowerOnCnt: Not Found (5)',
        'azimuth: 2 of 2 scanners failed',
        '',
      ].join('\n'),
      exitCode: 1,
    });
  });

  test('have a line of JSON each', async () => {
    expect((await azimuth('get', '@hall', 'LocationName', '--json')).stdout).toBe(
      '{"scanner":"hall/north","result":{"LocationName":"the north"}}\n{"scanner":"hall/south","result":{"LocationName":"the south"}}\n',
    );
  });

  test('are printed in their order, whoever answers first', async () => {
    devices[0]?.files.set('LocationName', () => undefined);
    const asked = azimuth('get', '@*', 'LocationName', '--at-once', '3');
    await expect.poll(() => devices[2]?.requests).toEqual(['LocationName']);
    await expect.poll(() => devices[0]?.requests).toEqual(['LocationName']);
    await devices[0]?.stop();
    expect((await asked).stdout).toBe('hall/south  the south\nyard        the yard\n');
  });

  test('go on after a failure, which is told at the end', async () => {
    await devices[1]?.stop();
    const { stdout, stderr, exitCode } = await azimuth('get', '@*', 'LocationName');
    expect(stdout).toBe('hall/north  the north\nyard        the yard\n');
    const [line, summary, end] = stderr.split('\n');
    expect(line).toMatch(/^azimuth: hall\/south: http:.* cannot be reached: ECONNREFUSED/);
    expect([summary, end]).toEqual(['azimuth: 1 of 3 scanners failed', '']);
    expect(exitCode).toBe(3);
  });

  test('report failures as JSON, too', async () => {
    await devices[1]?.stop();
    const { stderr } = await azimuth('get', '@*', 'LocationName', '--json');
    expect(JSON.parse(stderr)).toEqual({
      scanner: 'hall/south',
      error: expect.stringMatching(unreachable),
      exitCode: 3,
    });
  });

  test('that fail for different reasons end with exit code 1', async () => {
    await devices[1]?.stop();
    devices[0]?.setPassword('Service', 'another', [1]);
    const { stderr, exitCode } = await azimuth('set', '@*', 'LocationName', 'x', '--yes');
    expect(stderr).toMatch(
      /^azimuth: hall\/north: .*Access Denied.*\nazimuth: hall\/south: .*ECONNREFUSED.*\nazimuth: 2 of 3 scanners failed\n$/,
    );
    expect(exitCode).toBe(1);
    expect(devices[2]?.values.get('LocationName')).toBe('x');
  });

  test('name one reason once', async () => {
    vi.stubEnv('AZIMUTH_PASSWORD', '');
    const { stderr, exitCode } = await azimuth('set', '@*', 'LocationName', 'x', '--yes');
    expect(stderr).toBe(
      'azimuth: hall/north, hall/south, yard: the password of Service is needed: give --password-file or AZIMUTH_PASSWORD (cannot ask for it without a terminal)\nazimuth: 3 of 3 scanners failed\n',
    );
    expect(exitCode).toBe(2);
  });

  test('write files of their own', async () => {
    for (const { responses, files } of devices) {
      responses.set('CreateParameterBackup', { Result: true });
      responses.set('CreateSessionToken', { token: 'the-token', timeToLive: 60 });
      files.set('parameterbackup', () => ({ body: '{}' }));
    }
    expect(await azimuth('backup', '@hall', join(folder, 'b.json'))).toMatchObject({
      stderr: expect.stringContaining('put {scanner} into its name'),
      exitCode: 2,
    });
    expect(devices.flatMap(({ requests: asked }) => asked)).toEqual([]);
    await azimuth('backup', '@hall', join(folder, 'b', '{date}', '{scanner}.json'));
    expect(readdirSync(join(folder, 'b'))).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d$/)]);
    const [date = ''] = readdirSync(join(folder, 'b'));
    expect(readdirSync(join(folder, 'b', date))).toEqual(['hall-north.json', 'hall-south.json']);
  });

  test('are not for commands that show one', async () => {
    expect(await azimuth('scan', '@hall')).toEqual({
      stdout: '',
      stderr: 'azimuth: azimuth scan works with one scanner at a time; these are 2: hall/north, hall/south\n',
      exitCode: 2,
    });
  });
});

describe('the password of a named scanner', () => {
  test('is printed by its command, which runs once', async () => {
    vi.stubEnv('AZIMUTH_PASSWORD', 'of something else');
    const command = `password-command: sh -c 'echo x >> ${folder}/ran; echo servicelevel; echo more'`;
    name({ 'hall/north': command, 'hall/south': command });
    expect((await azimuth('set', '@hall', 'LocationName', 'x', '--yes')).exitCode).toBe(0);
    const { readFileSync } = await import('node:fs');
    expect(readFileSync(join(folder, 'ran'), 'utf8')).toBe('x\n');
  });

  test('is read from its file, beside the devices file', async () => {
    vi.stubEnv('AZIMUTH_PASSWORD', '');
    writeFileSync(join(folder, 'yard.txt'), 'servicelevel\n');
    name({ yard: 'password-file: yard.txt' });
    expect((await azimuth('set', '@yard', 'LocationName', 'x')).exitCode).toBe(0);
  });

  test('belongs to its level alone', async () => {
    vi.stubEnv('AZIMUTH_PASSWORD', 'of the client');
    devices[2]?.setPassword('AuthorizedClient', 'of the client', [1]);
    name({ yard: 'password-command: echo servicelevel' });
    expect((await azimuth('set', '@yard', 'LocationName', 'x', '--user', 'AuthorizedClient')).exitCode).toBe(
      0,
    );
  });

  test.each([
    ['false', 'failed (exit code 1)'],
    ['true', 'printed nothing'],
    ['/nonexistent/program', 'cannot be run: ENOENT'],
  ])('is an error if the command %s fails', async (command, why) => {
    name({ yard: `password-command: "${command}"` });
    expect(await azimuth('set', '@yard', 'LocationName', 'x')).toEqual({
      stdout: '',
      stderr: `azimuth: the password command of yard ${why}\n`,
      exitCode: 2,
    });
    expect(devices[2]?.requests).toEqual([]);
  });
});
