import { service } from '@azimuth/test-support/client';
import { expectData, expectDone, expectStatus } from '@azimuth/test-support/envelope';
import { changePassword, messageFor } from '@azimuth/test-support/password-change';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { describe, test } from 'vitest';

describe('a right message', () => {
  test('replaces the password at once', async () => {
    const fresh = (await new ScannerFolder().start()).client();
    const renewed = { ...service, password: 'newSecret1!' };
    expectData(await changePassword(fresh, service, renewed.password), { result: 0 });
    expectStatus(await fresh.call('checkCredentials', undefined, service), 4);
    expectDone(await fresh.call('checkCredentials', undefined, renewed));
    expectDone(await fresh.write('LocationName', 'Gate 3', renewed));
  });

  test('counts alone: a header beside it is ignored', async () => {
    const fresh = (await new ScannerFolder().start()).client();
    const message = await messageFor(fresh, service, 'with a header');
    const wrong = { ...(await fresh.header('changePassword')), response: '0'.repeat(64) };
    const data = { encryptedMessage: [...message], userLevel: 'Service' };
    expectData(await fresh.post('changePassword', { header: wrong, data }), { result: 0 });
  });
});
