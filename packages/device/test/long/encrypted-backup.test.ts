import { createDecipheriv, scryptSync } from 'node:crypto';
import { SeededRandom } from '@azimuth/test-support/seeded-random';
import { TestDevice } from '@azimuth/test-support/test-device';
import { describe, expect, test } from 'vitest';
import { decrypted, encrypted, RestoreRefused } from '../../src/backup-restore/backup-file.js';
import { SystemRandom } from '../../src/index.js';
import { fileOf, refusal, restored, success } from '../backup-restore/files.js';

const random = new SystemRandom();
const plain = Buffer.from('{"what": "ever"}');
const passphrase = 'correct horse ü 電池';

async function resultOf(container: Uint8Array, words = passphrase): Promise<string> {
  try {
    await decrypted(container, words);
    return 'Ok';
  } catch (error) {
    if (error instanceof RestoreRefused) return error.result;
    throw error;
  }
}

describe('an encrypted backup', () => {
  test('is laid out as documented, so that others can read it', async () => {
    const container = await encrypted(plain, passphrase, random);
    expect(container.toString('latin1', 0, 8)).toBe('AZBACKUP');
    expect(container.readUInt32BE(8)).toBe(1);
    expect(container.readUInt32BE(12)).toBe(plain.length);
    expect(container.length).toBe(44 + plain.length + 16);
    const key = scryptSync(passphrase, container.subarray(16, 32), 32, {
      N: 32768,
      r: 8,
      p: 1,
      maxmem: 2 ** 26,
    });
    const gcm = createDecipheriv('aes-256-gcm', key, container.subarray(32, 44));
    gcm.setAAD(container.subarray(0, 44)).setAuthTag(container.subarray(-16));
    expect(Buffer.concat([gcm.update(container.subarray(44, -16)), gcm.final()])).toEqual(plain);
  });

  test('never has the same salt and vector twice, and tells nothing of what it holds', async () => {
    const one = await encrypted(plain, passphrase, random);
    const other = await encrypted(plain, passphrase, random);
    expect(one.subarray(16, 44)).not.toEqual(other.subarray(16, 44));
    expect(one.includes('what')).toBe(false);
  });

  test('comes back under its passphrase, and under no other', async () => {
    const container = await encrypted(plain, passphrase, random);
    expect(await decrypted(container, passphrase)).toEqual(plain);
    for (const wrong of ['', `${passphrase} `, passphrase.toUpperCase(), passphrase.slice(1)]) {
      expect(await resultOf(container, wrong)).toBe('DecryptionError');
    }
  });

  test('is refused with a bit flipped, each part for its own reason', async () => {
    const container = await encrypted(Buffer.from('{}'), passphrase, new SeededRandom());
    const tag = container.length - 16;
    const edges = new Set([16, 31, 32, 43, 44, tag - 1, tag, container.length - 1]);
    const found = new Map<string, Set<string>>();
    for (let at = 0; at < container.length; at++) {
      for (let bit = 0; bit < 8; bit++) {
        // Tests a bit of the first and of the last byte of every part. From the salt on, each test derives a key.
        if (at >= 16 && (bit !== at % 8 || !edges.has(at))) continue;
        const flipped = Buffer.from(container);
        flipped[at] = (flipped[at] ?? 0) ^ (1 << bit);
        const part = at < 12 ? 'magic and version' : at < 16 ? 'length' : 'the rest';
        found.set(part, (found.get(part) ?? new Set()).add(await resultOf(flipped)));
      }
    }
    expect(Object.fromEntries([...found].map(([part, results]) => [part, [...results]]))).toEqual({
      'magic and version': ['DecryptionHeaderError'],
      length: ['DecryptionLengthError'],
      'the rest': ['DecryptionError'],
    });
  });

  test('is refused when it is cut off or longer than it says', async () => {
    const container = await encrypted(plain, passphrase, random);
    for (const length of [8, 12, 43, 44, 59, container.length - 1]) {
      expect(await resultOf(container.subarray(0, length)), String(length)).toBe('DecryptionLengthError');
    }
    expect(await resultOf(Buffer.concat([container, Buffer.of(0)]))).toBe('DecryptionLengthError');
    expect(await resultOf(container.subarray(0, 7))).toBe('DecryptionHeaderError');
  });

  test('is what CreateParameterBackup makes of a passphrase, and a restore needs that passphrase', async () => {
    const testDevice = await TestDevice.open();
    expect(await testDevice.respond('CreateParameterBackup', { Passphrase: passphrase })).toEqual({
      Result: true,
    });
    const file = await fileOf(testDevice);
    expect(file.toString('latin1', 0, 8)).toBe('AZBACKUP');
    expect(await restored(testDevice, file, { Passphrase: passphrase })).toEqual(success);
    expect(await restored(testDevice, file, { Passphrase: 'wrong' })).toEqual(refusal(6));
    expect(await restored(testDevice, file)).toEqual(refusal(6));
    expect(JSON.stringify(testDevice.log)).not.toContain('correct horse');
  });
});
