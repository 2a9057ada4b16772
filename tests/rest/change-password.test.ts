import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { answer, authorizedClient, maintenance, service } from '../support/client.js';
import { expectData, expectDone, expectStatus } from '../support/envelope.js';
import {
  expectCounted,
  expectLocked,
  expectNotCounted,
  expectNotLocked,
  failLogins,
  resetFailedLogins,
} from '../support/failed-logins.js';
import { changePassword, encryptedMessage, messageFor, sendMessage } from '../support/password-change.js';
import { ProcessBench, sharedScanner } from '../support/scanner-process.js';

const scanner = sharedScanner();
const client = () => scanner().client();

beforeEach(() => resetFailedLogins(scanner()));

describe('a right message', () => {
  test('replaces the password at once, and the old one is wrong from then on', async () => {
    const fresh = (await new ProcessBench().start()).client();
    const renewed = { ...service, password: 'newSecret1!' };
    expectData(await changePassword(fresh, service, renewed.password), { result: 0 });
    expectStatus(await fresh.call('checkCredentials', undefined, service), 4);
    expectDone(await fresh.call('checkCredentials', undefined, renewed));
    expectDone(await fresh.write('LocationName', 'Gate 3', renewed));
  });

  test('brings the salt that getChallenge hands out afterwards', async () => {
    const fresh = (await new ProcessBench().start()).client();
    const { realm, salt } = await fresh.challenge();
    const newSalt = randomBytes(16);
    const message = encryptedMessage({
      realm,
      oldLogin: service,
      oldSalt: salt ?? Buffer.alloc(0),
      newPassword: 'x',
      newSalt,
      iv: randomBytes(16),
    });
    expectData(await sendMessage(fresh, 'Service', message), { result: 0 });
    expect((await fresh.challenge()).salt).toEqual(newSalt);
    expectDone(await fresh.call('checkCredentials', undefined, { ...service, password: 'x' }));
  });

  test('is the published one, byte for byte: from `servicelevel` to `newSecret1!`', async () => {
    const fresh = (await new ProcessBench().start()).client();
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

  test('works once: the same message does not fit the new password', async () => {
    const fresh = (await new ProcessBench().start()).client();
    const message = await messageFor(fresh, service, 'once');
    expectData(await sendMessage(fresh, 'Service', message), { result: 0 });
    expectData(await sendMessage(fresh, 'Service', message), { result: 2 });
    expectDone(await fresh.call('checkCredentials', undefined, { ...service, password: 'once' }));
  });

  test('leaves the other levels alone', async () => {
    const fresh = (await new ProcessBench().start()).client();
    for (const userLevel of [2, 3]) await fresh.call('EnableUserLevel', { userLevel, isEnabled: true });
    expectData(await changePassword(fresh, authorizedClient, 'other'), { result: 0 });
    expectDone(await fresh.call('checkCredentials'));
    expectDone(await fresh.call('checkCredentials', undefined, maintenance));
    expectStatus(await fresh.call('checkCredentials', undefined, authorizedClient), 4);
  });

  test('plants no password in a level that is disabled: the old one is in force once it is enabled', async () => {
    const fresh = (await new ProcessBench().start()).client();
    const planted = { ...maintenance, password: 'disabled, but mine' };
    expectData(await changePassword(fresh, maintenance, planted.password), { result: 4 });
    await fresh.call('EnableUserLevel', { userLevel: 2, isEnabled: true });
    expectStatus(await fresh.call('checkCredentials', undefined, planted), 4);
    expectDone(await fresh.call('checkCredentials', undefined, maintenance));
    expectData(await changePassword(fresh, maintenance, planted.password), { result: 0 });
    await fresh.call('EnableUserLevel', { userLevel: 2, isEnabled: false });
    expectData(await changePassword(fresh, planted, 'again'), { result: 4 });
  });

  test('makes a challenge that was fetched before it useless for the old password', async () => {
    const fresh = (await new ProcessBench().start()).client();
    const challenge = await fresh.challenge();
    expectData(await changePassword(fresh, service, 'renewed'), { result: 0 });
    const header = answer(challenge, service, 'WriteEeprom');
    const { text } = await fresh.post('WriteEeprom', { header });
    expect(text).not.toContain('"status":0');
  });

  test.each(['', 'pässwörd', '€uro', 'with : colons :', 'x'.repeat(300)])(
    'sets the password "%s"',
    async (text) => {
      const fresh = (await new ProcessBench().start()).client();
      expectData(await changePassword(fresh, service, text), { result: 0 });
      expectDone(await fresh.call('checkCredentials', undefined, { ...service, password: text }));
    },
  );

  test('is judged by itself: a header beside it is ignored, right or wrong', async () => {
    const fresh = (await new ProcessBench().start()).client();
    const message = await messageFor(fresh, service, 'with a header');
    const wrong = { ...(await fresh.header('changePassword')), response: '0'.repeat(64) };
    const data = { encryptedMessage: [...message], userLevel: 'Service' };
    expectData(await fresh.post('changePassword', { header: wrong, data }), { result: 0 });
  });
});

describe('a message that is not accepted', () => {
  const tampered = (index: number) => async () => {
    const message = await messageFor(client(), service, 'never in force');
    message.writeUInt8(message.readUInt8(index) ^ 1, index);
    return message;
  };

  test.each([
    ['with a changed iv', tampered(0)],
    ['with a changed ciphertext', tampered(40)],
    ['with a changed mac', tampered(95)],
    ['made with a wrong old password', () => messageFor(client(), { ...service, password: 'x' }, 'y')],
    ['made for another level', () => messageFor(client(), maintenance, 'y')],
    ['of zeros', async () => Buffer.alloc(96)],
    ['of 95 bytes', async () => Buffer.alloc(95)],
    ['without a byte', async () => Buffer.alloc(0)],
    ['that stops before the mac', async () => (await messageFor(client(), service, 'y')).subarray(0, 64)],
  ])('%s: it is a failed login and the password stays', async (_, make) => {
    await expectCounted(client(), async () => {
      expectData(await sendMessage(client(), 'Service', await make()), { result: 2 });
    });
    await scanner().advance(31_000);
    expectDone(await client().call('checkCredentials'));
  });

  test('five of them lock, and then the time lock is active', async () => {
    for (let time = 0; time < 5; time++) {
      expectData(await sendMessage(client(), 'Service', Buffer.alloc(96)), { result: 2 });
    }
    await expectLocked(client());
    expectData(await sendMessage(client(), 'Service', Buffer.alloc(96)), { result: 5 });
    expectData(await sendMessage(client(), 'Maintenance', Buffer.alloc(10)), { result: 5 });
  });

  test.each(['Run', 'Operator'])(
    'for %s: its password cannot be changed, and nothing is counted',
    async (level) => {
      await expectNotCounted(client(), async () => {
        expectData(await sendMessage(client(), level, Buffer.alloc(96)), { result: 4 });
      });
    },
  );
});

describe('a request that is refused', () => {
  const encrypted = Array.from({ length: 96 }, () => 0);

  test.each([
    ['no data', undefined, 1],
    ['no level', { encryptedMessage: encrypted }, 1],
    ['no message', { userLevel: 'Service' }, 1],
    ['97 items', { encryptedMessage: [...encrypted, 0], userLevel: 'Service' }, 7],
    ['an item that is no byte', { encryptedMessage: [256], userLevel: 'Service' }, 6],
    ['a negative item', { encryptedMessage: [-1], userLevel: 'Service' }, 6],
    ['an item that is a fraction', { encryptedMessage: [0.5], userLevel: 'Service' }, 2],
    ['an item that is null', { encryptedMessage: [null], userLevel: 'Service' }, 2],
    ['a message that is text', { encryptedMessage: '00'.repeat(96), userLevel: 'Service' }, 2],
    ['the blank form of a level', { encryptedMessage: encrypted, userLevel: 'Authorized Client' }, 7],
    ['an unknown level', { encryptedMessage: encrypted, userLevel: 'Nobody' }, 9],
    ['a level in lower case', { encryptedMessage: encrypted, userLevel: 'service' }, 9],
    ['a level that is a number', { encryptedMessage: encrypted, userLevel: 4 }, 2],
    ['a member too many', { encryptedMessage: encrypted, userLevel: 'Service', x: 1 }, 2],
  ])('%s, and it counts as no failed login', async (_, data, status) => {
    await expectNotCounted(client(), async () => {
      expectStatus(await client().post('changePassword', { data }), status);
    });
  });

  test('its fault is told during the lock as well', async () => {
    await failLogins(client(), 5);
    expectStatus(await client().post('changePassword', { data: { userLevel: 'Service' } }), 1);
    await scanner().advance(30_000);
    await expectNotLocked(client());
  });
});
