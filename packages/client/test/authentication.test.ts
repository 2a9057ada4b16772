import { createHash } from 'node:crypto';
import { latch } from '@azimuth/test-support/waiting';
import { describe, expect, test } from 'vitest';
import { credentials, hash1, legacyPasswordHash, serialized } from '../src/authentication.js';
import { Scanner } from '../src/scanner.js';

const login = { user: 'Service', realm: 'SICK Sensor', password: 'servicelevel' };
const salt = Array.from({ length: 16 }, (_, index) => 16 + index);

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const sha256 = (...parts: (string | Buffer)[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};

describe('hash1', () => {
  test('covers a colon and the raw bytes of the salt', () => {
    expect(hex(hash1(login, salt))).toBe('a76c4d1e933d3b51ab2a7c33b147bd1cb35acb02af9c24bbe414323aee6baf13');
  });

  test('omits colon and salt if the salt is empty', () => {
    expect(hex(hash1(login, []))).toBe(sha256('Service:SICK Sensor:servicelevel'));
  });

  test('takes character codes modulo 256 as bytes', () => {
    // U+0120 is 0x20 modulo 256, a blank; é is one byte, not the two of UTF-8.
    const password = 'caf\u00e9\u0120';
    expect(hex(hash1({ ...login, password }, []))).toBe(
      sha256('Service:SICK Sensor:', Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x20])),
    );
  });
});

describe('the response to a challenge', () => {
  const challenge = { realm: login.realm, nonce: 'ab', opaque: 'cd', salt };
  const header = credentials(challenge, login.user, login.password, 'EtherIPAddress');

  test('hashes hash1, the nonce, and the endpoint as requested', () => {
    const first = 'a76c4d1e933d3b51ab2a7c33b147bd1cb35acb02af9c24bbe414323aee6baf13';
    expect(header.response).toBe(sha256(`${first}:ab:${sha256('POST:EtherIPAddress')}`));
  });

  test('returns user, realm, nonce and opaque', () => {
    expect(header).toMatchObject({ user: 'Service', realm: 'SICK Sensor', nonce: 'ab', opaque: 'cd' });
    expect(Object.keys(header)).toHaveLength(5);
  });
});

test.each([
  ['test', 3410122659],
  ['client', 0xf4724744],
  ['main', 0xb21ace26],
  ['servicelevel', 0x81be23aa],
  ['testtest', 0x1920e4c9],
])('the legacy hash of %s is the published one', (password, hash) => {
  expect(legacyPasswordHash(password)).toBe(hash);
});

test('a login for a scanner begins after the previous one for it has ended', async () => {
  const { open, opened } = latch();
  const seen: string[] = [];
  const first = serialized('http://a', async () => {
    seen.push('first begins');
    await opened;
    seen.push('first ends');
  });
  const second = serialized('http://a', async () => void seen.push('second'));
  await serialized('http://b', async () => void seen.push('other scanner'));
  open();
  await Promise.all([first, second]);
  expect(seen).toEqual(['first begins', 'other scanner', 'first ends', 'second']);
});

test('logins of scanners behind the same port do not wait for each other', async () => {
  const { open, opened } = latch();
  const fetch = async (url: string | URL | Request) => {
    if (String(url).includes('/scanners/1/')) await opened;
    return new Response(JSON.stringify({ header: { status: 0, message: 'Ok' }, challenge: {} }), {
      headers: { 'Content-Type': 'application/json' },
    });
  };
  const scannerOf = (serial: number) => new Scanner({ url: `http://fleet/scanners/${serial}`, fetch });
  const first = scannerOf(1).callAny('getChallenge', { user: 'Service' });
  expect(await scannerOf(2).callAny('getChallenge', { user: 'Service' })).toEqual({});
  open();
  expect(await first).toEqual({});
});

test('a login that fails rejects only its own call, and the next one begins', async () => {
  const failing = serialized('http://a', () => Promise.reject(new Error('no')));
  const next = serialized('http://a', async () => 'done');
  await expect(failing).rejects.toThrow('no');
  await expect(next).resolves.toBe('done');
});
