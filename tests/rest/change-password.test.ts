import { randomBytes } from 'node:crypto';
import { service } from '@azimuth/test-support/client';
import { expectData, expectDone, expectStatus } from '@azimuth/test-support/envelope';
import { expectCounted, expectNotCounted, resetFailedLogins } from '@azimuth/test-support/failed-logins';
import {
  changePassword,
  encryptedMessage,
  messageFor,
  sendMessage,
} from '@azimuth/test-support/password-change';
import { ScannerFolder, sharedScanner } from '@azimuth/test-support/scanner-process';
import { beforeEach, describe, expect, test } from 'vitest';

const scanner = sharedScanner();
const client = () => scanner().client();

beforeEach(() => resetFailedLogins(scanner()));

describe('a right message', () => {
  test('replaces the password at once', async () => {
    const fresh = (await new ScannerFolder().start()).client();
    const renewed = { ...service, password: 'newSecret1!' };
    expectData(await changePassword(fresh, service, renewed.password), { result: 0 });
    expectStatus(await fresh.call('checkCredentials', undefined, service), 4);
    expectDone(await fresh.call('checkCredentials', undefined, renewed));
    expectDone(await fresh.write('LocationName', 'Gate 3', renewed));
  });

  test('is the published one, byte for byte: from `servicelevel` to `newSecret1!`', async () => {
    const fresh = (await new ScannerFolder().start()).client();
    const { realm, salt } = await fresh.challenge();
    const oldSalt = Buffer.from('101112131415161718191a1b1c1d1e1f', 'hex');
    // The published message is for the factory password with this salt.
    const facts = { realm, oldLogin: service, oldSalt: salt ?? Buffer.alloc(0), iv: randomBytes(16) };
    const resalting = encryptedMessage({ ...facts, newPassword: service.password, newSalt: oldSalt });
    expectData(await sendMessage(fresh, 'Service', resalting), { result: 0 });
    expect((await fresh.challenge()).salt).toEqual(oldSalt);
    const published = Buffer.from(
      '000102030405060708090a0b0c0d0e0f8e846c024b4e05226e0937370bcbf0e0' +
        '0d3e63a70c7dbf50861accd7416e796d6eb71231f79c58548cfde0b1d26dbebf' +
        '7828ec24ce676b0d01965fbc94eed37fda6ee24a5935076ad42b3263f41f7c04',
      'hex',
    );
    expectData(await sendMessage(fresh, 'Service', published), { result: 0 });
    expectDone(await fresh.call('checkCredentials', undefined, { ...service, password: 'newSecret1!' }));
  });

  test('counts alone: a header beside it is ignored', async () => {
    const fresh = (await new ScannerFolder().start()).client();
    const message = await messageFor(fresh, service, 'with a header');
    const wrong = { ...(await fresh.header('changePassword')), response: '0'.repeat(64) };
    const data = { encryptedMessage: [...message], userLevel: 'Service' };
    expectData(await fresh.post('changePassword', { header: wrong, data }), { result: 0 });
  });
});

test('a message that is not accepted is a failed login, and the password stays', async () => {
  const message = await messageFor(client(), service, 'never in force');
  message.writeUInt8(message.readUInt8(40) ^ 1, 40);
  await expectCounted(client(), async () => {
    expectData(await sendMessage(client(), 'Service', message), { result: 2 });
  });
  expectData(await sendMessage(client(), 'Service', message), { result: 5 });
  await scanner().advance(31_000);
  expectDone(await client().call('checkCredentials'));
});

test('a request without a message is refused, also during the lock, and does not count', async () => {
  await expectNotCounted(client(), async () => {
    expectStatus(await client().post('changePassword', { data: { userLevel: 'Service' } }), 1);
  });
  expectStatus(await client().post('changePassword', { data: { userLevel: 'Service' } }), 1);
});
