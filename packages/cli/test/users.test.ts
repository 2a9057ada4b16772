import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FakeDevice } from '@azimuth/test-support/fake-device';
import { temporaryFolder } from '@azimuth/test-support/serve-process';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { azimuth } from './run.js';

let device: FakeDevice;

beforeEach(async () => {
  device = await FakeDevice.start();
  device.setPassword('Maintenance', 'main', [1, 2, 3]);
  device.values.set('DeviceIdent', { Name: 'picoScan', Version: '2.4.4.0R' });
  vi.stubEnv('AZIMUTH_DEVICE', device.url);
  vi.stubEnv('AZIMUTH_PASSWORD', '');
  vi.stubEnv('AZIMUTH_NEW_PASSWORD', '');
  vi.stubEnv('AZIMUTH_USER', '');
});
afterEach(() => device.stop());

describe('users', () => {
  test('lists the levels with their known state, without asking for a password', async () => {
    expect((await azimuth('users')).stdout).toBe(
      [
        'Service           on       cannot be switched off',
        'AuthorizedClient  unknown  off by default',
        'Maintenance       unknown  off by default\n',
      ].join('\n'),
    );
    expect(device.requests).toEqual(['DeviceIdent']);
  });

  test('of a release before 2.1.0 are all on', async () => {
    device.values.set('DeviceIdent', { Name: 'picoScan', Version: '1.5.0.0R' });
    const { stdout } = await azimuth('users', '--json');
    expect(JSON.parse(stdout).map(({ enabled }: { enabled: unknown }) => enabled)).toEqual([
      true,
      true,
      true,
    ]);
  });

  test('are tried if their password is given', async () => {
    vi.stubEnv('AZIMUTH_PASSWORD', 'main');
    expect((await azimuth('users', '--user', 'Maintenance')).stdout).toContain(
      'Maintenance       on       logged in',
    );
    vi.stubEnv('AZIMUTH_PASSWORD', 'wrong');
    expect((await azimuth('users', '--user', 'Maintenance')).stdout).toContain(
      'off, or the password is wrong',
    );
  });

  test('are switched on and off', async () => {
    vi.stubEnv('AZIMUTH_PASSWORD', 'servicelevel');
    device.responses.set('EnableUserLevel', { result: 0 });
    expect((await azimuth('users', 'enable', 'AuthorizedClient')).exitCode).toBe(0);
    expect(device.exchanges[1]?.body.data).toEqual({ userLevel: 3, isEnabled: true });
    expect((await azimuth('users', 'disable', 'Maintenance')).exitCode).toBe(0);
    expect(device.exchanges[3]?.body.data).toEqual({ userLevel: 2, isEnabled: false });
  });

  test('that cannot be switched are an error', async () => {
    vi.stubEnv('AZIMUTH_PASSWORD', 'servicelevel');
    device.responses.set('EnableUserLevel', { result: 2 });
    expect(await azimuth('users', 'disable', 'Service')).toEqual({
      stdout: '',
      stderr: 'azimuth: EnableUserLevel: refused (result 2 NOT_ACCEPTED) – Service has not changed\n',
      exitCode: 1,
    });
    expect((await azimuth('users', 'enable', 'Run')).exitCode).toBe(2);
  });
});

describe('password', () => {
  test('changes the password of the level, from files', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'old'), 'main\n');
    writeFileSync(join(folder, 'new'), 'next-4711\n');
    const flags = ['--password-file', join(folder, 'old'), '--new-password-file', join(folder, 'new')];
    expect(await azimuth('password', 'Maintenance', ...flags)).toEqual({
      stdout: '',
      stderr: '',
      exitCode: 0,
    });
    vi.stubEnv('AZIMUTH_PASSWORD', 'next-4711');
    expect((await azimuth('call', 'checkCredentials', '--user', 'Maintenance')).exitCode).toBe(0);
  });

  test('that is not the old one is refused, and no password told', async () => {
    vi.stubEnv('AZIMUTH_PASSWORD', 'guessed-4711');
    vi.stubEnv('AZIMUTH_NEW_PASSWORD', 'next-4711');
    const { stdout, stderr, exitCode } = await azimuth('password', 'Service');
    expect([stdout, exitCode]).toEqual(['', 4]);
    expect(stderr).toContain('the old password is wrong');
    expect(stderr).not.toContain('4711');
  });

  test('that is missing is an error before anything is sent', async () => {
    vi.stubEnv('AZIMUTH_PASSWORD', 'servicelevel');
    expect((await azimuth('password', 'Service')).stderr).toContain('AZIMUTH_NEW_PASSWORD');
    expect((await azimuth('password', 'Operator')).stderr).toContain(
      'AuthorizedClient, Service, got "Operator"',
    );
    expect(device.requests).toEqual([]);
  });
});

describe('certificate', () => {
  const none = { error: 'None' };

  test('shows what HTTPS uses', async () => {
    device.values.set('httpsStatus', { enabled: false, errorCode: none });
    device.values.set('certificateBundleInfo', { uuidBundle: 'abc', certificates: [], errorCode: none });
    const { stdout } = await azimuth('certificate', 'show');
    expect(stdout).toMatch(/^https\n {2}enabled {2}false\n/);
    expect(stdout).toContain('uuidBundle    abc');
    expect(JSON.parse((await azimuth('certificate', 'show', '--json')).stdout)).toMatchObject({
      https: { enabled: false },
    });
  });

  test('is set from files and removed, and the key is in no output', async () => {
    vi.stubEnv('AZIMUTH_PASSWORD', 'servicelevel');
    const folder = temporaryFolder();
    const [chain, key] = [join(folder, 'chain.pem'), join(folder, 'key.pem')];
    const pem = (what: string, content: string) =>
      `-----BEGIN ${what}-----\n${content}\n-----END ${what}-----\n`;
    writeFileSync(chain, pem('CERTIFICATE', 'abc'));
    writeFileSync(key, pem('PRIVATE KEY', 'key-4711'));
    device.responses.set('setCertificateBundle', { success: true });
    expect(await azimuth('certificate', 'set', chain, key)).toEqual({ stdout: '', stderr: '', exitCode: 0 });
    expect(device.exchanges[1]?.body.data).toEqual({
      contentCertificateBundle: pem('CERTIFICATE', 'abc'),
      contentPrivateKey: pem('PRIVATE KEY', 'key-4711'),
    });

    device.responses.set('setCertificateBundle', { success: false, errorCode: { error: 'KeyMismatch' } });
    expect(await azimuth('certificate', 'set', chain, key)).toEqual({
      stdout: '',
      stderr: 'azimuth: setCertificateBundle: refused (KeyMismatch)\n',
      exitCode: 1,
    });
    writeFileSync(key, pem('PRIVATE KEY', 'key-4711'.repeat(600)));
    const { stderr, exitCode } = await azimuth('certificate', 'set', chain, key);
    expect(stderr).toContain('setCertificateBundle.contentPrivateKey');
    expect(stderr).not.toContain('4711');
    expect(exitCode).toBe(2);
    writeFileSync(key, 'no key');
    expect((await azimuth('certificate', 'set', chain, key)).stderr).toContain('is not a PEM file');

    device.responses.set('removeCertificateBundle', { success: true });
    expect((await azimuth('certificate', 'remove', '--yes')).exitCode).toBe(0);
  });
});
