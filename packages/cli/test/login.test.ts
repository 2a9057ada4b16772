import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeDevice } from '@azimuth/test-support/fake-device';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { azimuth } from './run.js';

let device: FakeDevice;
let folder: string;

beforeEach(async () => {
  device = await FakeDevice.start();
  device.setPassword('AuthorizedClient', 'client', [1, 2, 3]);
  folder = await mkdtemp(join(tmpdir(), 'azimuth-'));
  vi.stubEnv('AZIMUTH_DEVICE', device.url);
  vi.stubEnv('AZIMUTH_PASSWORD', '');
  vi.stubEnv('AZIMUTH_USER', '');
});
afterEach(async () => {
  await device.stop();
  await rm(folder, { recursive: true });
});

async function passwordFile(text: string): Promise<string> {
  const path = join(folder, 'password');
  await writeFile(path, text);
  return path;
}

const levelAsked = () => device.exchanges[0]?.body.data;

describe('the password', () => {
  test.each(['servicelevel', 'servicelevel\n', 'servicelevel\r\n'])('comes from a file: %j', async (text) => {
    const file = await passwordFile(text);
    expect(await azimuth('set', 'LocationName', 'x', '--password-file', file)).toMatchObject({ exitCode: 0 });
  });

  test('in a file takes precedence over that of the environment', async () => {
    vi.stubEnv('AZIMUTH_PASSWORD', 'wrong');
    const file = await passwordFile('servicelevel');
    expect((await azimuth('set', 'LocationName', 'x', '--password-file', file)).exitCode).toBe(0);
    expect((await azimuth('set', 'LocationName', 'x')).exitCode).toBe(4);
  });

  test('that is wrong ends with the exit code of denied access', async () => {
    vi.stubEnv('AZIMUTH_PASSWORD', 'opensesame');
    const { stderr, exitCode } = await azimuth('set', 'LocationName', 'x');
    expect(exitCode).toBe(4);
    expect(stderr).toMatch(/^azimuth: LocationName: Access Denied \(4\) – wrong password, .*\n$/);
    expect(stderr).not.toContain('opensesame');
  });

  test('that is missing is an error before anything is sent', async () => {
    expect(await azimuth('set', 'LocationName', 'x')).toEqual({
      stdout: '',
      stderr:
        'azimuth: the password of Service is needed: give --password-file or AZIMUTH_PASSWORD (cannot ask for it without a terminal)\n',
      exitCode: 2,
    });
    expect(device.requests).toEqual([]);
  });

  test('in a missing or empty file is an error', async () => {
    const missing = join(folder, 'missing');
    expect(await azimuth('set', 'LocationName', 'x', '--password-file', missing)).toMatchObject({
      stderr: `azimuth: the password file ${missing} cannot be read: there is no such file\n`,
      exitCode: 2,
    });
    const empty = await passwordFile('\n');
    expect((await azimuth('set', 'LocationName', 'x', '--password-file', empty)).stderr).toMatch(
      /is empty\n$/,
    );
  });
});

test('a lock of logins is reported', async () => {
  vi.stubEnv('AZIMUTH_PASSWORD', 'servicelevel');
  device.prepare('getChallenge', { status: 4 });
  expect(await azimuth('set', 'LocationName', 'x')).toMatchObject({
    stderr: expect.stringContaining('logins are locked: for up to 30 s after five failed ones'),
    exitCode: 4,
  });
});

describe('the user level', () => {
  beforeEach(() => vi.stubEnv('AZIMUTH_PASSWORD', 'client'));

  test.each([
    ['behind the arguments', ['set', 'LocationName', 'x', '--user', 'AuthorizedClient']],
    ['between them', ['set', '--user', 'AuthorizedClient', 'LocationName', 'x']],
    ['before the command', ['--user', 'AuthorizedClient', 'set', 'LocationName', 'x']],
    [
      'twice: the nearer one',
      ['--user', 'Service', 'set', 'LocationName', 'x', '--user', 'AuthorizedClient'],
    ],
  ])('may be given %s', async (_, argv) => {
    expect((await azimuth(...argv)).exitCode).toBe(0);
    expect(levelAsked()).toEqual({ user: 'AuthorizedClient' });
  });

  test('comes from the environment if no option is given', async () => {
    vi.stubEnv('AZIMUTH_USER', 'AuthorizedClient');
    expect((await azimuth('set', 'LocationName', 'x')).exitCode).toBe(0);
    expect(levelAsked()).toEqual({ user: 'AuthorizedClient' });
    await azimuth('set', 'LocationName', 'x', '--user', 'Service');
    expect(device.exchanges[2]?.body.data).toEqual({ user: 'Service' });
  });

  test('that has no login is refused', async () => {
    expect(await azimuth('set', 'LocationName', 'x', '--user', 'Operator')).toEqual({
      stdout: '',
      stderr:
        'azimuth: expected one of the user levels Maintenance, AuthorizedClient, Service, got "Operator"\n',
      exitCode: 2,
    });
  });
});
