import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { firmware } from '@azimuth/test-support/firmware';
import { ended, serve, temporaryFolder } from '@azimuth/test-support/serve-process';
import { beforeEach, describe, expect, test } from 'vitest';
import { azimuth } from './run.js';

let folder: string;
const at = (name: string) => join(folder, name);
const privateKey = () => at('keys/firmware-private.pem');
const publicKey = () => at('keys/firmware-public.pem');
const done = { stdout: '', stderr: '', exitCode: 0 };

beforeEach(() => {
  folder = temporaryFolder();
});

async function keygen(...more: readonly string[]) {
  return azimuth('firmware', 'keygen', '--out', at('keys'), ...more);
}

async function build(...more: readonly string[]) {
  return azimuth('firmware', 'build', '--release', '2.4.4', '--out', at('F.spk'), ...more);
}

async function expectFailure(outcome: Promise<object>, line: string): Promise<void> {
  expect(await outcome).toEqual({ stdout: '', stderr: `azimuth: ${line}\n`, exitCode: 2 });
}

describe('azimuth firmware keygen', () => {
  test('writes a private key that only its owner can read, and a public one, and prints where', async () => {
    expect(await keygen()).toEqual({ ...done, stdout: `${privateKey()}\n${publicKey()}\n` });
    expect(statSync(privateKey()).mode & 0o777).toBe(0o600);
    expect(readFileSync(privateKey(), 'utf8')).toContain('BEGIN PRIVATE KEY');
    expect(readFileSync(publicKey(), 'utf8')).toContain('BEGIN PUBLIC KEY');
    expect(readdirSync(at('keys'))).toHaveLength(2);
  });

  test('replaces a key only with --force', async () => {
    await keygen();
    const before = readFileSync(privateKey(), 'utf8');
    await expectFailure(keygen(), `${privateKey()} already exists; use --force to replace it`);
    expect(readFileSync(privateKey(), 'utf8')).toBe(before);
    expect((await keygen('--force')).exitCode).toBe(0);
    expect(readFileSync(privateKey(), 'utf8')).not.toBe(before);
    expect(statSync(privateKey()).mode & 0o777).toBe(0o600);
  });
});

describe('azimuth firmware build', () => {
  test('writes the container that the docs describe', async () => {
    expect(await build()).toEqual(done);
    const payload = Buffer.from('Azimuth firmware 2.4.4 for picoScan1xx\n');
    expect(readFileSync(at('F.spk'))).toEqual(firmware({ payload }));
  });

  test('accepts a payload and a device type', async () => {
    writeFileSync(at('payload'), 'of yours');
    await build('--payload', at('payload'), '--device-type', 'T');
    const expected = firmware({ payload: Buffer.from('of yours'), deviceType: 'T' });
    expect(readFileSync(at('F.spk'))).toEqual(expected);
  });

  test('makes a payload of any length', async () => {
    for (const size of [0, 1, 200_000]) {
      await build('--size', String(size));
      const { stdout } = await azimuth('firmware', 'inspect', at('F.spk'), '--json');
      expect(JSON.parse(stdout)).toMatchObject({ payloadBytes: size, hash: 'good' });
    }
  });

  test.each([
    [['--release', '9.9.9'], '9.9.9'],
    [['--size', 'x'], '--size'],
    [['--size', '1', '--payload', 'p'], 'cannot be used together'],
    [['--payload', '/nowhere/p'], 'ENOENT'],
    [['--out', '/nowhere/F.spk'], 'ENOENT'],
  ])('refuses %j in one line and writes nothing', async (options, why) => {
    const { stdout, stderr, exitCode } = await build(...options);
    expect([stdout, exitCode]).toEqual(['', 2]);
    expect(stderr).toMatch(/^azimuth: .*\n$/);
    expect(stderr).toContain(why);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('azimuth firmware sign', () => {
  test('writes a signed file beside the other, which inspect accepts', async () => {
    await keygen();
    await build();
    const before = readFileSync(at('F.spk'));
    expect(await azimuth('firmware', 'sign', at('F.spk'), '--key', privateKey())).toEqual(done);
    expect(readFileSync(at('F.spk.signed')).subarray(0, before.length)).toEqual(before);
    const { stdout, exitCode } = await azimuth(
      'firmware',
      'inspect',
      at('F.spk.signed'),
      '--key',
      publicKey(),
      '--json',
    );
    expect([JSON.parse(stdout).signature, exitCode]).toEqual(['good', 0]);
  });

  test('refuses a damaged or signed file, and a file that is not a private key', async () => {
    await keygen();
    await build();
    const sign = (file: string, key = privateKey()) =>
      azimuth('firmware', 'sign', at(file), '--key', key, '--out', at('out'));
    writeFileSync(at('damaged'), readFileSync(at('F.spk')).subarray(1));
    await expectFailure(sign('damaged'), `${at('damaged')}: this is not a firmware file of this layout`);
    await azimuth('firmware', 'sign', at('F.spk'), '--key', privateKey());
    await expectFailure(sign('F.spk.signed'), `${at('F.spk.signed')} is already signed`);
    await expectFailure(sign('F.spk', publicKey()), `--key: ${publicKey()} contains no Ed25519 key in PEM`);
    expect(existsSync(at('out'))).toBe(false);
  });
});

describe('azimuth firmware inspect', () => {
  test('prints the manifest, the hash and whether there is a signature', async () => {
    await build();
    const { stdout, exitCode } = await azimuth('firmware', 'inspect', at('F.spk'));
    expect(stdout).toMatch(/^release +2\.4\.4\ndeviceType +picoScan1xx\n/);
    expect(stdout).toMatch(/\nhash +good\nsignature +none\n$/);
    expect(exitCode).toBe(0);
  });

  test('fails if the signature is missing or by another key', async () => {
    await keygen();
    await build();
    await azimuth('firmware', 'sign', at('F.spk'), '--key', privateKey());
    await keygen('--force');
    const inspect = (file: string) => azimuth('firmware', 'inspect', at(file), '--key', publicKey());
    const other = await inspect('F.spk.signed');
    expect(other.stdout).toContain('not by this key');
    expect([other.stderr, other.exitCode]).toEqual([
      `azimuth: ${at('F.spk.signed')}: the signature is not by the key\n`,
      2,
    ]);
    expect((await inspect('F.spk')).stderr).toBe(`azimuth: ${at('F.spk')}: not signed\n`);
  });

  test('reports a fault of a file in one line', async () => {
    await build();
    const cut = readFileSync(at('F.spk')).subarray(0, -1);
    writeFileSync(at('F.spk'), cut);
    const line = `${at('F.spk')}: the file is cut off: 1 bytes are missing`;
    await expectFailure(azimuth('firmware', 'inspect', at('F.spk')), line);
  });

  test('prints no control characters of a foreign file', async () => {
    writeFileSync(at('F.spk'), firmware({ deviceType: '\u001b[2J' }));
    const { stdout } = await azimuth('firmware', 'inspect', at('F.spk'));
    expect(stdout).toContain('\\u001b[2J');
    expect(stdout).not.toContain('\u001b');
  });
});

describe('serve --firmware-key', () => {
  test.each([
    ['that is not there', () => at('none.pem'), 'none.pem cannot be read: there is no such file'],
    ['that holds a private key', privateKey, 'contains a private key; give the public key'],
    ['that holds no key', () => at('text.pem'), 'contains no Ed25519 key in PEM'],
    ['that holds a key of another kind', () => at('ec.pem'), 'is not an Ed25519 key'],
  ])('refuses a file %s in one line without its content', async (_, file, why) => {
    await keygen();
    writeFileSync(at('text.pem'), 'top secret');
    writeFileSync(at('ec.pem'), ecKey);
    const { stdout, stderr, exitCode } = await azimuth('serve', '--firmware-key', file());
    expect([stdout, exitCode]).toEqual(['', 2]);
    expect(stderr).toMatch(/^azimuth: --firmware-key.*: .*\n$/);
    expect(stderr).toContain(why);
    expect(stderr).not.toContain('secret');
  });

  test('is not reported as without effect', async () => {
    await keygen();
    const child = serve({ flags: ['--data', at('data'), '--firmware-key', publicKey()] });
    child.stdout?.once('data', () => child.kill('SIGTERM'));
    const { stdout, stderr } = await ended(child);
    expect(stdout).toContain('is ready');
    expect(stderr).not.toContain('no effect');
  });
});

const ecKey = `-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEOtsvY/dAhfF+ctDA0LOiN5BH4OuJ
/rVN861sLcsjI42b4d5mEAscx9VF3OSzu8QgHXtLPwZLQAaHteSlT9TQKA==
-----END PUBLIC KEY-----
`;
