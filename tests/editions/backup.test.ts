import { isFrom } from '@azimuth/model';
import { dataOf } from '@azimuth/test-support/client';
import { editions, scannerOf } from '@azimuth/test-support/edition-scanner';
import { expectData, expectDone, expectStatus } from '@azimuth/test-support/envelope';
import { describe, expect, test } from 'vitest';
import { isFixed, otherValues, variablesOf } from './edition-values.js';

const passphrases = ['', 'correct horse battery'];

const withBackups = editions.filter(([, { release }]) => isFrom(release, '2.2.0'));
const without = editions.filter(([, { release }]) => !isFrom(release, '2.2.0'));

describe.each(withBackups)('a scanner of %s', (_, edition) => {
  const scanner = scannerOf(edition);
  const others = otherValues(edition);
  const stored = variablesOf(edition).filter((variable) => variable.stored);

  async function values(): Promise<Record<string, unknown>> {
    const found: Record<string, unknown> = {};
    for (const { name } of stored) found[name] = await scanner().client.value(name);
    return found;
  }

  test.each(passphrases)(
    'gives back every stored variable as it was backed up (passphrase "%s")',
    async (Passphrase) => {
      const { client } = scanner();
      expectDone(await client.call('LoadFactoryDefaults'));
      const factory = await values();
      for (const [name, value] of others) expectDone(await client.write(name, value));
      const backedUp = await values();
      for (const variable of stored) {
        const { name } = variable;
        if (!isFixed(variable)) expect(backedUp[name], name).not.toEqual(factory[name]);
      }

      expectData(await client.call('CreateParameterBackup', { Passphrase }), { Result: true });
      expectDone(await client.call('LoadFactoryDefaults'));
      expect(await values()).toEqual(factory);
      expectData(await client.call('RestoreParameterBackup', { Passphrase }), {
        Result: true,
        RestoreResult: 0,
        ParametersFailedToRestore: [],
      });
      expect(await values()).toEqual(backedUp);
      await scanner().powerCycle();
      expect(await values()).toEqual(backedUp);
    },
  );

  test('restores an uploaded backup after creating another one', async () => {
    const { client } = scanner();
    for (const [name, value] of others) expectDone(await client.write(name, value));
    const backedUp = await values();
    expectData(await client.call('CreateParameterBackup', {}), { Result: true });
    const headers: Record<string, string> = {};
    if (isFrom(edition.release, '2.3.1')) {
      headers['X-Session-Token'] = String(dataOf(await client.call('CreateSessionToken')).token);
    }
    const file = await client.send({ method: 'GET', path: '/api/parameterbackup', headers });
    expect(file.httpStatus).toBe(200);
    expectDone(await client.call('LoadFactoryDefaults'));
    expectData(await client.call('CreateParameterBackup', {}), { Result: true });
    expectDone(await client.send({ method: 'PUT', path: '/api/parameterbackup', headers, body: file.text }));
    expect(dataOf(await client.call('RestoreParameterBackup')).Result).toBe(true);
    expect(await values()).toEqual(backedUp);
  });
});

describe.each(without)('a scanner of %s', (_, edition) => {
  const scanner = scannerOf(edition);

  test('has no backups', async () => {
    const { client } = scanner();
    expectStatus(await client.call('CreateParameterBackup', {}), 5);
    expectStatus(await client.get('parameterbackup'), 5);
  });
});
