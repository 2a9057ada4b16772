import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FakeDevice } from '@azimuth/test-support/fake-device';
import { temporaryFolder } from '@azimuth/test-support/serve-process';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { azimuth } from './run.js';

/** A device that answers one variable, and status 5 to everything else. */
async function fake(name: string): Promise<FakeDevice> {
  const device = await FakeDevice.start();
  onTestFinished(() => device.stop());
  device.values.set('DeviceIdent', { Name: name, Version: '2.4.4.0R' });
  return device;
}

function keyPair(folder: string, name: string): { readonly secret: string; readonly open: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const [secret, open] = [join(folder, `${name}.pem`), join(folder, `${name}.pub.pem`)];
  writeFileSync(secret, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(open, publicKey.export({ type: 'spki', format: 'pem' }));
  return { secret, open };
}

describe('the reports of azimuth check', () => {
  test('are written for all scanners together, also if one of them cannot be checked', async () => {
    const folder = temporaryFolder();
    const [one, other] = [await fake('one'), await fake('other')];
    const files = ['report', 'html', 'junit', 'sarif'].map((format) => [`--${format}`, join(folder, format)]);
    const urls = [one.url, other.url, 'http://127.0.0.1:1'];
    const { exitCode } = await azimuth('check', ...urls, '--only', 'status.ok', ...files.flat());
    expect(exitCode).toBe(3);
    for (const [, path = ''] of files) {
      const text = readFileSync(path, 'utf8');
      for (const { url } of [one, other]) expect(text).toContain(url);
    }
    expect(readdirSync(folder)).toHaveLength(4);
  });

  test('are checked before a scanner is: folders, files that are there, and two of one name', async () => {
    const { url, requests } = await fake('one');
    const folder = temporaryFolder();
    const taken = join(folder, 'taken');
    writeFileSync(taken, 'mine');
    const refused = async (...options: string[]) => {
      const { stderr, exitCode } = await azimuth('check', url, '--only', 'status.ok', ...options);
      expect(exitCode).toBe(2);
      return stderr;
    };
    expect(await refused('--junit', join(folder, 'no', 'a.xml'))).toContain(
      `there is no folder ${folder}/no`,
    );
    expect(await refused('--html', join(taken, 'a.html'))).toContain('is not a folder');
    expect(await refused('--sarif', taken)).toContain('use --force to replace it');
    expect(await refused('--sarif', join(folder, 'a'), '--html', join(folder, 'a'))).toContain(
      'is the file of --html',
    );
    expect(await refused('--key', taken)).toContain('give --report FILE or --json');
    expect(await refused('--key', taken, '--json')).toContain('contains no Ed25519 key');
    expect(requests).toEqual([]);
    expect(readFileSync(taken, 'utf8')).toBe('mine');
    await azimuth('check', url, '--only', 'status.ok', '--sarif', taken, '--force');
    expect(JSON.parse(readFileSync(taken, 'utf8'))).toMatchObject({ version: '2.1.0' });
  });

  test('place results of SARIF in the profile, if it is below the working directory', async () => {
    const { url } = await fake('one');
    const profile = { azimuthProfile: 1, release: '2.4.4', variant: 'basic', deviations: [] };
    const placeWith = async (path: string) => {
      writeFileSync(path, JSON.stringify(profile));
      const sarif = join(temporaryFolder(), 'a.sarif');
      await azimuth('check', url, '--profile', path, '--only', 'status.ok', '--sarif', sarif);
      return readFileSync(sarif, 'utf8');
    };
    const outside = join(temporaryFolder(), 'gate 1.json');
    expect(await placeWith(outside)).toContain('"uri":"scanners/127.0.0.1-');
    const below = temporaryFolder();
    mkdirSync(join(below, 'all profiles'));
    vi.spyOn(process, 'cwd').mockReturnValue(below);
    onTestFinished(() => {
      vi.restoreAllMocks();
    });
    expect(await placeWith(join(below, 'all profiles', 'gate 1.json'))).toContain(
      '"uri":"all%20profiles/gate%201.json"',
    );
  });
});

describe('a signed report', () => {
  test('is verified: who was checked, when, and with which result', async () => {
    const folder = temporaryFolder();
    const { url } = await fake('one\u001b[2J');
    const own = keyPair(folder, 'own');
    const report = join(folder, 'report.json');
    const checked = await azimuth(
      'check',
      url,
      '--only',
      'status.ok',
      '--report',
      report,
      '--key',
      own.secret,
    );
    expect(checked.exitCode).toBe(5);
    const { stdout, exitCode } = await azimuth('check', 'verify', report, '--key', own.open);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`one\\u001b[2J 2.4.4.0R at ${url}, 20`);
    expect(stdout).toContain('0 passed, 1 failed, 0 warnings, 0 not tested');
    const json = await azimuth('check', 'verify', report, '--key', own.open, '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ reports: [{ scanner: { url }, counts: { fail: 1 } }] });
  });

  test('is not valid with another key, if it was changed, or if it is none', async () => {
    const folder = temporaryFolder();
    const { url } = await fake('one');
    const [own, other] = [keyPair(folder, 'own'), keyPair(folder, 'other')];
    const only = ['--only', 'status.ok', '--json'];
    const { stdout } = await azimuth('check', url, ...only, '--key', own.secret);
    const codeOf = async (text: string, key: string) => {
      const path = join(folder, 'report.json');
      writeFileSync(path, text);
      return (await azimuth('check', 'verify', path, '--key', key)).exitCode;
    };
    expect(await codeOf(stdout, own.open)).toBe(0);
    expect(await codeOf(stdout, other.open)).toBe(1);
    expect(await codeOf(stdout.replace('"fail":1', '"fail":0'), own.open)).toBe(1);
    expect(await codeOf('{}', own.open)).toBe(1);
    expect(await codeOf('text', own.open)).toBe(2);
    expect(await codeOf(stdout, own.secret)).toBe(2);
  });
});
