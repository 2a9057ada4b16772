import { expect, test } from 'vitest';
import { hash1, headerFor, passwordBytes } from './client.js';
import { encryptedMessage } from './password-change.js';

const oldSalt = Buffer.from('101112131415161718191a1b1c1d1e1f', 'hex');
const newSalt = Buffer.from('202122232425262728292a2b2c2d2e2f', 'hex');
const login = { user: 'Service', password: 'servicelevel' };

test('the salted hash of a password is the published one', () => {
  expect(hash1(login, 'SICK Sensor', oldSalt)).toBe(
    'a76c4d1e933d3b51ab2a7c33b147bd1cb35acb02af9c24bbe414323aee6baf13',
  );
  expect(hash1({ user: 'Service', password: 'newSecret1!' }, 'SICK Sensor', newSalt)).toBe(
    'b61be77d245118fcf5b126bd37e3d65de2b4cfd93d57477a6fee3f2ef865aed7',
  );
});

test('the message that changes a password is the published one', () => {
  const message = encryptedMessage({
    realm: 'SICK Sensor',
    oldLogin: login,
    oldSalt,
    newPassword: 'newSecret1!',
    newSalt,
    iv: Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex'),
  });
  expect(message.toString('hex')).toBe(
    '000102030405060708090a0b0c0d0e0f8e846c024b4e05226e0937370bcbf0e0' +
      '0d3e63a70c7dbf50861accd7416e796d6eb71231f79c58548cfde0b1d26dbebf' +
      '7828ec24ce676b0d01965fbc94eed37fda6ee24a5935076ad42b3263f41f7c04',
  );
});

test('characters of a password count as one byte each', () => {
  expect(passwordBytes('aß€')).toEqual(Buffer.from([0x61, 0xdf, 0xac]));
});

test('a response differs with the endpoint, the nonce and the salt', () => {
  const challenge = { realm: 'r', nonce: 'n', opaque: 'o', salt: oldSalt };
  const responses = [
    headerFor(challenge, login, 'A'),
    headerFor(challenge, login, 'B'),
    headerFor({ ...challenge, nonce: 'm' }, login, 'A'),
    headerFor({ ...challenge, salt: newSalt }, login, 'A'),
    headerFor({ ...challenge, salt: undefined }, login, 'A'),
  ].map((header) => header.response);
  expect(new Set(responses).size).toBe(5);
});
