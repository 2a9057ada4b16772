import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FakeDevice } from '@azimuth/test-support/fake-device';
import { temporaryFolder } from '@azimuth/test-support/serve-process';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { fileNameFor } from '../src/scanners/file-per-scanner.js';
import { azimuth } from './run.js';

let devices: readonly FakeDevice[];
let folder: string;
const names = ['hall/north', 'hall/south'];
const at = (name: string) => join(folder, name);

beforeEach(async () => {
  devices = await Promise.all(names.map(() => FakeDevice.start()));
  folder = temporaryFolder();
  for (const [index, { values }] of devices.entries()) {
    values.set('DeviceIdent', { Name: 'picoScan', Version: '2.4.4.0R' });
    values.set('SerialNumber', `2345000${index}`);
  }
  const entries = devices.map(({ url }, index) => `  ${names[index]}: { url: "${url}" }\n`);
  writeFileSync(at('devices.yaml'), `devices:\n${entries.join('')}`, { mode: 0o600 });
  vi.stubEnv('AZIMUTH_DEVICES', at('devices.yaml'));
  vi.stubEnv('AZIMUTH_DEVICE', '');
  vi.stubEnv('AZIMUTH_PASSWORD', 'servicelevel');
});
afterEach(() => Promise.all(devices.map((device) => device.stop())));

const allRequests = () => devices.flatMap((device) => device.requests);

describe('the name of a file', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: new Date(2026, 4, 4, 23, 59), toFake: ['Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test.each([
    ['{scanner}.json', 'hall-gate3.json'],
    ['b/{date}/{scanner}-{date}.json', 'b/2026-05-04/hall-gate3-2026-05-04.json'],
    ['plain.json', 'plain.json'],
    ['-', '-'],
  ])('%s becomes %s', (typed, name) => {
    expect(fileNameFor(typed, { label: 'hall/gate3' })).toBe(name);
  });

  test('without a scanner cannot name one', () => {
    expect(() => fileNameFor('{scanner}.azrec', undefined)).toThrow('no scanner is asked');
    expect(fileNameFor('{date}.azrec', undefined)).toBe('2026-05-04.azrec');
  });
});

describe('a placeholder that there is not is refused before anything is sent', () => {
  test.each([
    ['backup', '@hall', '{scanner}-{time}.json'],
    ['diagnose', '@hall', '{scanner}-{time}.zip'],
    ['export', '@hall', '{scaner}.yaml'],
    ['restore', '@hall', '{host}.json', '--yes'],
    ['certificate', 'set', '@hall', '{name}.pem', 'key.pem'],
    ['record', '@hall/north', '{}.azrec'],
    ['scan', '@hall/north', '--png', '{serial}.png'],
  ])('%j', async (...argv) => {
    const { stderr, exitCode } = await azimuth(...argv);
    expect(stderr).toMatch(/: expected the placeholder \{scanner\} or \{date\}, got \{\w*\}\n$/);
    expect([exitCode, allRequests()]).toEqual([2, []]);
  });
});

describe('export', () => {
  test('writes a file for each scanner, and makes the folders', async () => {
    const path = at('sites/{date}/{scanner}.yaml');
    const { stdout, exitCode } = await azimuth('export', '@hall', path, '--json');
    expect(exitCode).toBe(0);
    const written = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(written.map(({ scanners }) => scanners)).toEqual([['hall/north'], ['hall/south']]);
    for (const { file, scanners } of written) {
      expect(Object.keys(parse(readFileSync(file, 'utf8')).scanners)).toEqual(scanners);
    }
  });

  test('writes all scanners into one file without {scanner} in its name', async () => {
    expect((await azimuth('export', '@hall', at('sites/{date}.yaml'))).exitCode).toBe(0);
    const [file = ''] = readdirSync(at('sites'));
    expect(Object.keys(parse(readFileSync(at(join('sites', file)), 'utf8')).scanners)).toEqual(names);
  });

  test('makes no folder if it has nothing to write', async () => {
    await Promise.all(devices.map((device) => device.stop()));
    expect((await azimuth('export', '@hall', at('sites/{scanner}.yaml'))).exitCode).toBe(3);
    expect(existsSync(at('sites'))).toBe(false);
  });
});

describe('certificate set', () => {
  const pem = (text: string) => `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`;

  test('gives each scanner its own files', async () => {
    for (const name of ['hall-north', 'hall-south']) writeFileSync(at(`${name}.pem`), pem(name));
    writeFileSync(at('key.pem'), pem('key'));
    for (const { responses } of devices)
      responses.set('setCertificateBundle', { success: true, errorCode: { error: 'None' } });
    expect(await azimuth('certificate', 'set', '@hall', at('{scanner}.pem'), at('key.pem'))).toMatchObject({
      stderr: '',
      exitCode: 0,
    });
    const sent = devices.map(({ exchanges }) => exchanges.at(-1)?.body.data);
    expect(sent).toEqual(
      ['hall-north', 'hall-south'].map((name) => ({
        contentCertificateBundle: pem(name),
        contentPrivateKey: pem('key'),
      })),
    );
  });

  test('sends nothing if the file of one scanner is missing', async () => {
    writeFileSync(at('hall-north.pem'), pem('north'));
    writeFileSync(at('key.pem'), pem('key'));
    const { stderr, exitCode } = await azimuth(
      'certificate',
      'set',
      '@hall',
      at('{scanner}.pem'),
      at('key.pem'),
    );
    expect(stderr).toContain('hall-south.pem cannot be read: there is no such file');
    expect([exitCode, allRequests()]).toEqual([2, []]);
  });
});

describe('a change of passwords that broke off', () => {
  beforeEach(() => {
    vi.stubEnv('AZIMUTH_NEW_PASSWORD', 'next-4711');
  });

  test('goes on where it stopped', async () => {
    devices[0]?.setPassword('Service', 'next-4711', [1, 2, 3]);
    expect(await azimuth('password', '@hall', 'Service')).toEqual({ stdout: '', stderr: '', exitCode: 0 });
    vi.stubEnv('AZIMUTH_PASSWORD', 'next-4711');
    expect((await azimuth('call', '@hall', 'checkCredentials')).exitCode).toBe(0);
  });

  test('tries the new password once where the old one is wrong', async () => {
    devices[1]?.setPassword('Service', 'a third one', [1, 2, 3]);
    const { stderr, exitCode } = await azimuth('password', '@hall', 'Service');
    expect(stderr).toMatch(
      /^azimuth: hall\/south: .*the old password is wrong\nazimuth: 1 of 2 scanners failed\n$/,
    );
    expect(exitCode).toBe(4);
    const logins = devices[1]?.requests.filter((name) => name !== 'getChallenge');
    expect(logins).toEqual(['changePassword', 'checkCredentials']);
    expect(devices[0]?.requests).not.toContain('checkCredentials');
  });

  test('does not call a password wrong that a locked scanner could not check', async () => {
    devices[1]?.setPassword('Service', 'next-4711', [1, 2, 3]);
    devices[1]?.prepare('changePassword', { data: { result: 5 } });
    const { stderr } = await azimuth('password', '@hall', 'Service');
    expect(stderr).toContain('hall/south: changePassword: TIMELOCK_ACTIVE (5)');
    expect(devices[1]?.requests).not.toContain('checkCredentials');
  });
});

describe('devices remove', () => {
  const left = async () => JSON.parse((await azimuth('devices', 'list', '--json')).stdout);

  test('takes patterns', async () => {
    writeFileSync(
      at('devices.yaml'),
      'devices:\n  hall/a: { url: "http://10.0.0.1" }\n  hall/b: { url: "http://10.0.0.2" }\n  yard: { url: "http://10.0.0.3" }\n',
    );
    expect((await azimuth('devices', 'remove', 'hall/*', '@hall/a')).exitCode).toBe(0);
    expect(await left()).toMatchObject([{ name: 'yard' }]);
  });

  test('refuses a pattern that means nothing, and removes nothing', async () => {
    const { stderr, exitCode } = await azimuth('devices', 'remove', 'hall/north', 'roof/*');
    expect(stderr).toContain('no scanner matches @roof/*');
    expect(exitCode).toBe(2);
    expect(await left()).toHaveLength(2);
  });
});
