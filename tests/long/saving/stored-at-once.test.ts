import { describe, expect, test } from 'vitest';
import { authorizedClient, maintenance, service } from '../../support/client.js';
import { expectData, expectDone, expectStatus } from '../../support/envelope.js';
import { changePassword } from '../../support/password-change.js';
import { ProcessBench } from '../../support/scanner-process.js';

const renewed = { ...service, password: 'renewed' };

describe('without WriteEeprom', () => {
  test('a changed password outlives a power cut', async () => {
    const bench = new ProcessBench();
    const scanner = await bench.start();
    expectData(await changePassword(scanner.client(), service, renewed.password), { result: 0 });
    await scanner.kill();
    const again = await bench.start();
    expectDone(await again.client().call('checkCredentials', undefined, renewed));
    expectStatus(await again.client().call('checkCredentials', undefined, service), 4);
  });

  test('the switches of the user levels outlive a power cut', async () => {
    const bench = new ProcessBench();
    const scanner = await bench.start();
    const enable = { userLevel: 3, isEnabled: true };
    expectData(await scanner.client().call('EnableUserLevel', enable), { result: 0 });
    await scanner.kill();
    const again = await bench.start();
    expectDone(await again.client().call('checkCredentials', undefined, authorizedClient));
    expectStatus(await again.client().call('checkCredentials', undefined, maintenance), 4);
    expectData(await again.client().call('EnableUserLevel', { ...enable, isEnabled: false }), { result: 0 });
    await again.powerCycle();
    expectStatus(await again.client().call('checkCredentials', undefined, authorizedClient), 4);
  });

  test('a SoftReset leaves password and switches as they are', async () => {
    const scanner = await new ProcessBench().start();
    const client = scanner.client();
    await client.call('EnableUserLevel', { userLevel: 3, isEnabled: true });
    await changePassword(client, service, renewed.password);
    await scanner.throughReboot(async () => {
      expectDone(await client.call('SoftReset', { ProcessorNbr: 0 }, renewed));
    });
    expectDone(await client.call('checkCredentials', undefined, renewed));
    expectDone(await client.call('checkCredentials', undefined, authorizedClient));
  });
});

describe('LoadFactoryDefaults', () => {
  test('leaves the passwords and puts the level switches at factory state, for good', async () => {
    const bench = new ProcessBench();
    const scanner = await bench.start();
    const client = scanner.client();
    await client.call('EnableUserLevel', { userLevel: 2, isEnabled: true });
    await client.call('EnableUserLevel', { userLevel: 3, isEnabled: true });
    expectData(await changePassword(client, service, renewed.password), { result: 0 });
    expectDone(await client.call('LoadFactoryDefaults', undefined, renewed));
    expectDone(await client.call('checkCredentials', undefined, renewed));
    expectStatus(await client.call('checkCredentials', undefined, maintenance), 4);
    await scanner.kill();
    const again = (await bench.start()).client();
    expectDone(await again.call('checkCredentials', undefined, renewed));
    expectStatus(await again.call('checkCredentials', undefined, authorizedClient), 4);
  });

  test('LoadApplicationDefaults leaves both', async () => {
    const client = (await new ProcessBench().start()).client();
    await client.call('EnableUserLevel', { userLevel: 3, isEnabled: true });
    await changePassword(client, service, renewed.password);
    expectDone(await client.call('LoadApplicationDefaults', undefined, renewed));
    expectDone(await client.call('checkCredentials', undefined, renewed));
    expectDone(await client.call('checkCredentials', undefined, authorizedClient));
  });
});

describe('passwords given at start', () => {
  test('are in force for their level, the others keep those of the factory', async () => {
    const scanner = await new ProcessBench().start([
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
    const client = (await new ProcessBench().start([], { env })).client();
    const login = { ...service, password: env.AZIMUTH_PASSWORD_SERVICE };
    expectDone(await client.call('checkCredentials', undefined, login));
  });

  test('the log says when one of the factory is in force, and not otherwise', async () => {
    const plain = await new ProcessBench().start();
    const { log } = await plain.stop();
    expect(log).toMatch(/factory password/i);
    const flags = ['Service', 'Maintenance', 'AuthorizedClient'].flatMap((level) => [
      '--password',
      `${level}=own`,
    ]);
    const own = await new ProcessBench().start(flags);
    expect((await own.stop()).log).not.toMatch(/factory password/i);
  });

  test('of a level that cannot log in end the start with a clear line', async () => {
    const { code, stdout, log } = await new ProcessBench().refuse(['--password', 'Nobody=x']);
    expect(code).toBeGreaterThan(0);
    expect(stdout).toBe('');
    expect(log).toContain('LEVEL=password, LEVEL one of');
    expect(log).not.toContain('Nobody');
    expect(log).not.toMatch(/^\s+at /m);
  });
});
