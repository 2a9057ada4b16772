import { authorizedClient, maintenance, service } from '@azimuth/test-support/client';
import { expectData, expectDone, expectStatus } from '@azimuth/test-support/envelope';
import { object } from '@azimuth/test-support/json';
import { ScannerFolder, sharedScanner } from '@azimuth/test-support/scanner-process';
import { describe, expect, test } from 'vitest';

const since = new Map([
  ['changePassword', '1.5.0'],
  ['SetPassword', '1.5.0'],
  ['EnableUserLevel', '2.1.0'],
  ['EnableLegacyUserLevel', '2.1.0'],
  ['EthernetUpdate', '2.1.0'],
]);

/** Nothing is older than 1.4.0, so text order is the order of releases. */
describe.each(['1.4.0', '2.1.0', '2.4.4'])('release %s', (release) => {
  const scanner = sharedScanner(['--firmware', release]);

  test('names itself, has what it has and answers 5 for what came later', async () => {
    const client = scanner().client();
    expect(object(await client.value('DeviceIdent')).Version).toBe(`${release}.0R`);
    for (const [name, first] of since) {
      const reply = await client.post(name, { data: {} });
      if (release < first) expectStatus(reply, 5);
      else expect(reply.text, name).not.toContain('"status":5');
    }
    expectStatus(await client.get('FieldEvaluationApplicationState'), 5);
    expectStatus(await client.get('LocationName'), 0);
  });
});

describe('a folder', () => {
  test('refuses an older release and names the present one', async () => {
    const scannerFolder = new ScannerFolder();
    await (await scannerFolder.start(['--firmware', '2.3.1'])).stop();
    const { code, stdout, log } = await scannerFolder.refuse(['--firmware', '2.2.0']);
    expect(code).toBeGreaterThan(0);
    expect(stdout).toBe('');
    expect(log).toContain('2.3.1');
    expect(log).toContain('2.2.0');
    expect(log).not.toMatch(/^\s+at /m);
  });

  test('takes a newer release as an update that keeps parameters, passwords and switches', async () => {
    const scannerFolder = new ScannerFolder();
    const old = await scannerFolder.start(['--firmware', '1.5.0']);
    expectDone(await old.client().write('LocationName', 'Gate 3', authorizedClient));
    expectData(await old.client().call('WriteEeprom', undefined, authorizedClient), { Success: true });
    await old.stop();
    const updated = (await scannerFolder.start(['--firmware', '2.4.4'])).client();
    expect(object(await updated.value('DeviceIdent')).Version).toBe('2.4.4.0R');
    expect(await updated.value('LocationName')).toBe('Gate 3');
    expectDone(await updated.call('checkCredentials', undefined, maintenance));
    expectDone(await updated.call('checkCredentials', undefined, authorizedClient));
    expectData(await updated.call('EnableUserLevel', { userLevel: 2, isEnabled: false }), { result: 0 });
  });

  test('keeps its release where no flag asks for another', async () => {
    const scannerFolder = new ScannerFolder();
    await (await scannerFolder.start(['--firmware', '2.2.0'])).stop();
    const again = (await scannerFolder.start()).client();
    expect(object(await again.value('DeviceIdent')).Version).toBe('2.2.0.0R');
  });

  test('an unknown release ends the start with a clear line', async () => {
    const { code, stdout, log } = await new ScannerFolder().refuse(['--firmware', '3.0.0']);
    expect(code).toBeGreaterThan(0);
    expect(stdout).toBe('');
    expect(log).toContain('3.0.0');
    expect(log).not.toMatch(/^\s+at /m);
  });
});

describe('the alias EtherCoLaScanMode', () => {
  const scanner = sharedScanner();
  const client = () => scanner().client();

  test('is another name of EtherLegacyScanMode', async () => {
    expectData(await client().get('EtherLegacyScanMode'), { EtherLegacyScanMode: 3 });
    expectData(await client().get('EtherCoLaScanMode'), { EtherCoLaScanMode: 3 });
    expectDone(await client().write('EtherCoLaScanMode', 1));
    expect(await client().value('EtherLegacyScanMode')).toBe(1);
  });

  test('the hash of a POST is made with the name as requested', async () => {
    const [alias, name] = ['EtherCoLaScanMode', 'EtherLegacyScanMode'];
    const wrong = await client().header(name, service);
    expectStatus(await client().post(alias, { header: wrong, data: { [alias]: 2 } }), 4);
    const right = await client().header(alias, service);
    expectDone(await client().post(alias, { header: right, data: { [alias]: 2 } }));
    expect(await client().value(name)).toBe(2);
  });

  test('the key in data equals the name as requested', async () => {
    expectStatus(await client().call('EtherCoLaScanMode', { EtherLegacyScanMode: 0 }), 2);
    expectStatus(await client().call('EtherLegacyScanMode', { EtherCoLaScanMode: 0 }), 2);
  });

  test('below 2.1.0 neither name exists, the mode is the boolean EnableColaScan', async () => {
    const old = (await new ScannerFolder().start(['--firmware', '1.5.0'])).client();
    expectStatus(await old.get('EtherLegacyScanMode'), 5);
    expectStatus(await old.get('EtherCoLaScanMode'), 5);
    expect(typeof (await old.value('EnableColaScan'))).toBe('boolean');
    expectStatus(await client().get('EnableColaScan'), 5);
  });
});
