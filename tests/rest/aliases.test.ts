import { expect, test } from 'vitest';
import { service } from '../support/client.js';
import { expectData, expectDone, expectStatus } from '../support/envelope.js';
import { Bench, sharedScanner } from '../support/scanner-process.js';

const scanner = sharedScanner();
const client = () => scanner().client();

test('EtherCoLaScanMode is another name of EtherLegacyScanMode', async () => {
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
  const old = (await new Bench().start(['--firmware', '1.5.0'])).client();
  expectStatus(await old.get('EtherLegacyScanMode'), 5);
  expectStatus(await old.get('EtherCoLaScanMode'), 5);
  expect(typeof (await old.value('EnableColaScan'))).toBe('boolean');
  expectStatus(await client().get('EnableColaScan'), 5);
});
