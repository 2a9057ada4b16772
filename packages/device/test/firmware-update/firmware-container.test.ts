import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  DamagedContainer,
  isSignedBy,
  readContainer,
  writeContainer,
  writeSigned,
} from '../../src/firmware-update/index.js';
import { built, complete, foreign, pieces, signed, trusted } from './files.js';

/** An Ed25519 private key of fixed bytes, so that its signatures are always the same. */
const fixedKey = createPrivateKey({
  key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, 7)]),
  format: 'der',
  type: 'pkcs8',
});

function sha256(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

describe('a container', () => {
  test('holds magic, length, manifest, payload and seal, byte by byte', async () => {
    const payload = Buffer.from('payload');
    const manifest = `{"deviceType":"T","release":"2.4.4","payloadBytes":7,"payloadSha256":"${sha256(payload).toString('hex')}"}`;
    const head = Buffer.concat([
      Buffer.from([0x41, 0x5a, 0x49, 0x4d, 0x55, 0x54, 0x48, 0x01, 0, 0, 0, manifest.length]),
      Buffer.from(manifest),
    ]);
    const file = await complete(writeContainer({ deviceType: 'T', release: '2.4.4' }, () => pieces(payload)));
    expect(file).toEqual(Buffer.concat([head, payload, sha256(head, payload)]));
  });

  test('that is signed has 64 bytes more, over purpose and seal', async () => {
    const file = await built();
    const { seal } = await readContainer(pieces(file));
    const longer = await complete(writeSigned(pieces(file), seal, fixedKey));
    expect(longer.subarray(0, file.length)).toEqual(file);
    expect(longer.length).toBe(file.length + 64);
    const { signature = Buffer.alloc(64) } = await readContainer(pieces(longer));
    expect(isSignedBy(seal, signature, createPublicKey(fixedKey))).toBe(true);
    expect(isSignedBy(seal, signature, foreign.publicKey)).toBe(false);
  });

  test.each([1, 12, 64, 100_000])('reads the same in pieces of %i bytes', async (size) => {
    const file = await signed();
    const { manifest, signature } = await readContainer(pieces(file, size));
    expect(manifest).toMatchObject({ release: '2.4.4', payloadBytes: 11 });
    expect(signature).toEqual(file.subarray(-64));
  });

  test('may have no payload at all', async () => {
    const { manifest } = await readContainer(pieces(await built({}, '')));
    expect(manifest.payloadBytes).toBe(0);
  });

  test('with any bit flipped is damaged, or its signature no longer fits', async () => {
    const file = await signed();
    for (let at = 0; at < file.length * 8; at++) {
      const flipped = Buffer.from(file);
      flipped[at >> 3] = (file[at >> 3] ?? 0) ^ (1 << (at & 7));
      const isGood = await readContainer(pieces(flipped, 4096)).then(
        ({ seal, signature }) => signature !== undefined && isSignedBy(seal, signature, trusted.publicKey),
        (error: unknown) => {
          expect(error, `bit ${at}`).toBeInstanceOf(DamagedContainer);
          return false;
        },
      );
      expect(isGood, `bit ${at}`).toBe(false);
    }
  });

  test('cut off anywhere is damaged, unless it is the signature that is off', async () => {
    const file = await signed();
    for (let length = 0; length < file.length; length++) {
      const reading = readContainer(pieces(file.subarray(0, length), 4096));
      if (length === file.length - 64) expect((await reading).signature).toBeUndefined();
      else await expect(reading, `${length} bytes`).rejects.toThrow(DamagedContainer);
    }
  });

  test('with something behind it is damaged', async () => {
    const more = Buffer.concat([await signed(), Buffer.of(0)]);
    await expect(readContainer(pieces(more))).rejects.toThrow('after the signature');
  });

  test.each([
    ['no JSON', '{', 'not JSON'],
    ['a list', '[]', 'not a JSON object'],
    [
      'a member too many',
      '{"deviceType":"T","release":"2.4.4","payloadBytes":0,"payloadSha256":"","x":1}',
      'x',
    ],
    [
      'a payload of no length',
      '{"deviceType":"T","release":"2.4.4","payloadBytes":-1,"payloadSha256":""}',
      'payloadBytes',
    ],
    [
      'a payload without a hash',
      '{"deviceType":"T","release":"2.4.4","payloadBytes":0,"payloadSha256":""}',
      'payloadSha256',
    ],
    [
      'a release that is no text',
      '{"deviceType":"T","release":2,"payloadBytes":0,"payloadSha256":""}',
      'strings',
    ],
  ])('whose manifest is %s is damaged, however well it is sealed', async (_, manifest, why) => {
    const head = Buffer.concat([
      Buffer.from('AZIMUTH\x01\0\0\0', 'latin1'),
      Buffer.of(manifest.length),
      Buffer.from(manifest),
    ]);
    const file = Buffer.concat([head, sha256(head)]);
    await expect(readContainer(pieces(file))).rejects.toThrow(why);
  });

  test('does not make room for a manifest of gigabytes', async () => {
    const file = Buffer.concat([
      Buffer.from('AZIMUTH\x01', 'latin1'),
      Buffer.alloc(4, 0xff),
      Buffer.alloc(9),
    ]);
    await expect(readContainer(pieces(file))).rejects.toThrow('at most 4096');
  });

  test('whose payload is not the one of the manifest is damaged, however well it is sealed', async () => {
    const file = await built({}, 'the payload');
    const other = Buffer.from(file.toString('latin1').replace('the payload', 'the PAYLOAD'), 'latin1');
    const body = other.subarray(0, -32);
    await expect(readContainer(pieces(Buffer.concat([body, sha256(body)])))).rejects.toThrow(
      'does not match the manifest',
    );
  });
});
