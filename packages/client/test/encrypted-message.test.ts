import { createCipheriv, createHash, createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { encryptedMessage, freshBytes } from '../src/encrypted-message.js';

const counting = (from: number) => Uint8Array.from({ length: 16 }, (_, index) => from + index);
const change = {
  user: 'Service',
  realm: 'SICK Sensor',
  oldSalt: [...counting(0x10)],
  oldPassword: 'servicelevel',
  newPassword: 'newSecret1!',
};
const fresh = { iv: counting(0), newSalt: counting(0x20) };

test('the message is that of the published vector', () => {
  const message = encryptedMessage(change, fresh);
  expect(Buffer.from(message).toString('hex')).toBe(
    '000102030405060708090a0b0c0d0e0f8e846c024b4e05226e0937370bcbf0e00d3e63a70c7dbf50861accd7416e796d' +
      '6eb71231f79c58548cfde0b1d26dbebf7828ec24ce676b0d01965fbc94eed37fda6ee24a5935076ad42b3263f41f7c04',
  );
});

test('without a salt the new hash is padded in place of one', () => {
  const hash = (password: string) => createHash('sha256').update(`Service:SICK Sensor:${password}`).digest();
  const old = hash('servicelevel');
  const cipher = createCipheriv('aes-128-cbc', old.subarray(0, 16), fresh.iv);
  const sealed = Buffer.concat([fresh.iv, cipher.update(hash('newSecret1!')), cipher.final()]);
  const expected = Buffer.concat([sealed, createHmac('sha256', old).update(sealed).digest()]);

  const message = encryptedMessage({ ...change, oldSalt: [] }, fresh);
  expect(message).toHaveLength(96);
  expect(Buffer.from(message).equals(expected)).toBe(true);
});

test('the random part is new each time', () => {
  const [one, other] = [freshBytes(), freshBytes()];
  const hex = [one.iv, one.newSalt, other.iv, other.newSalt].map((bytes) =>
    Buffer.from(bytes).toString('hex'),
  );
  expect(new Set(hex).size).toBe(4);
  expect(hex.every((text) => text.length === 32)).toBe(true);
});
