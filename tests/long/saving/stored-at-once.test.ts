import { authorizedClient, maintenance, service } from '@azimuth/test-support/client';
import { expectData, expectDone, expectStatus } from '@azimuth/test-support/envelope';
import { changePassword } from '@azimuth/test-support/password-change';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { describe, expect, test } from 'vitest';

describe('passwords given at start', () => {
  test('apply to their level, and the other levels keep the factory passwords', async () => {
    const scanner = await new ScannerFolder().start([
      '--password',
      'Service=given',
      '--password',
      'Maintenance=pässwörd',
    ]);
    const client = scanner.client();
    const given = { ...service, password: 'given' };
    expectStatus(await client.call('checkCredentials', undefined, service), 4);
    for (const userLevel of [2, 3]) {
      expectData(await client.call('EnableUserLevel', { userLevel, isEnabled: true }, given), { result: 0 });
    }
    expectDone(await client.call('checkCredentials', undefined, { ...maintenance, password: 'pässwörd' }));
    expectDone(await client.call('checkCredentials', undefined, authorizedClient));
  });

  test('come from the environment as well', async () => {
    const env = { AZIMUTH_PASSWORD_SERVICE: 'from the environment' };
    const client = (await new ScannerFolder().start([], { env })).client();
    const login = { ...service, password: env.AZIMUTH_PASSWORD_SERVICE };
    expectDone(await client.call('checkCredentials', undefined, login));
  });

  test('count at the first start only: later, a password that somebody has changed stays, and the log says so', async () => {
    const folder = new ScannerFolder();
    const first = await folder.start(['--password', 'Service=label']);
    await changePassword(first.client(), { ...service, password: 'label' }, 'customer');
    await first.kill();
    const second = await folder.start(['--password', 'Service=label']);
    const client = second.client();
    expectStatus(await client.call('checkCredentials', undefined, { ...service, password: 'label' }), 4);
    expectDone(await client.call('checkCredentials', undefined, { ...service, password: 'customer' }));
    const { log } = await second.stop();
    expect(log).toContain('Passwords were given that are ignored');
    expect(log).not.toMatch(/label|customer/);
    const reset = (await folder.start(['--password', 'Service=label', '--reset-passwords'])).client();
    expectDone(await reset.call('checkCredentials', undefined, { ...service, password: 'label' }));
  });

  test('the log contains a warning if a factory password is in force, and only then', async () => {
    const plain = await new ScannerFolder().start();
    const { log } = await plain.stop();
    expect(log).toMatch(/factory password/i);
    const flags = ['Service', 'Maintenance', 'AuthorizedClient'].flatMap((level) => [
      '--password',
      `${level}=own`,
    ]);
    const own = await new ScannerFolder().start(flags);
    expect((await own.stop()).log).not.toMatch(/factory password/i);
  });

  test('for a level that cannot log in refuse the start in one line', async () => {
    const { code, stdout, log } = await new ScannerFolder().refuse(['--password', 'Nobody=x']);
    expect(code).toBeGreaterThan(0);
    expect(stdout).toBe('');
    expect(log).toContain('LEVEL=password, with one of the levels');
    expect(log).not.toContain('Nobody');
    expect(log).not.toMatch(/^\s+at /m);
  });
});
