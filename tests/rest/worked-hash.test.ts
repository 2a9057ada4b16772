import { readFileSync } from 'node:fs';
import { hash1, headerFor, readChallenge, service, sha256 } from '@azimuth/test-support/client';
import { bytes, type JsonObject, object, parse, string } from '@azimuth/test-support/json';
import { sharedScanner } from '@azimuth/test-support/scanner-process';
import { expect, test } from 'vitest';

const page = readFileSync(new URL('../../docs/rest.md', import.meta.url), 'utf8');
const section = page.split(/^## /m).find((part) => part.startsWith('Logging in\n')) ?? '';
const blocks = [...section.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = '']) => object(parse(text)));
const [given = {}, sent = {}] = blocks;
const challenge = object(given.challenge);

/** What the table says of one of the three hashes. */
function documented(name: string): string {
  return new RegExp(`^\\| ${name} \\|.*\\| \`([0-9a-f]{64})\` \\|$`, 'm').exec(section)?.[1] ?? '';
}

/** The members of an object with the types of their values, all the way down. */
function shapeOf(json: unknown): unknown {
  if (Array.isArray(json)) return [json.length, ...new Set(json.map((item) => typeof item))];
  if (typeof json !== 'object' || json === null) return typeof json;
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, shapeOf(value)]));
}

const scanner = sharedScanner();

test('the hashes that docs/rest.md works out are those of its challenge', () => {
  const { realm, nonce, opaque, salt } = challenge;
  const read = { realm: string(realm), nonce: string(nonce), opaque: string(opaque), salt: bytes(salt) };
  expect(documented('hash1')).toBe(hash1(service, read.realm, read.salt));
  expect(documented('hash2')).toBe(sha256('POST:LocationName'));
  expect(documented('response')).toBe(sha256(`${documented('hash1')}:${read.nonce}:${documented('hash2')}`));
  expect(sent).toEqual({
    header: headerFor(read, service, 'LocationName'),
    data: { LocationName: 'Gate 3' },
  });
});

test('a scanner gives a challenge of the form that docs/rest.md prints, and takes such an answer', async () => {
  const client = scanner().client();
  const reply = await client.post('getChallenge', { data: { user: 'Service' } });
  const came: JsonObject = object(parse(reply.text));
  expect(shapeOf(came)).toEqual(shapeOf(given));
  expect(object(came.challenge).realm).toBe(challenge.realm);
  for (const name of ['nonce', 'opaque']) {
    expect(String(object(came.challenge)[name])).toMatch(/^[0-9a-f]{64}$/);
    expect(String(challenge[name])).toMatch(/^[0-9a-f]{64}$/);
  }
  const header = headerFor(readChallenge(reply), service, 'LocationName');
  expect(shapeOf({ ...sent, header })).toEqual(shapeOf(sent));
  const written = await client.post('LocationName', { ...sent, header });
  expect(object(parse(written.text))).toEqual({ header: { status: 0, message: 'Ok' } });
});
