import { authorizedClient, maintenance, readChallenge, service } from '@azimuth/test-support/client';
import { expectDone, expectStatus } from '@azimuth/test-support/envelope';
import { sharedScanner } from '@azimuth/test-support/scanner-process';
import { beforeEach, expect, test } from 'vitest';

// The rows of the specification's table of errors, one after the other. Status 11 needs a scanner of its own.

const scanner = sharedScanner();
const client = () => scanner().client();

beforeEach(async () => {
  await scanner().advance(31_000);
  expectDone(await client().call('checkCredentials'));
});

test('0: a success', async () => {
  expectStatus(await client().get('DeviceStatus'), 0);
});

test('1: a body that is not valid JSON', async () => {
  expectStatus(await client().postText('getChallenge', '{"data":{"user":"Service"}'), 1);
});

test('1: a required field of data is missing', async () => {
  expectStatus(await client().post('getChallenge', { data: {} }), 1);
  expectStatus(await client().call('EnableUserLevel', { userLevel: 2 }), 1);
  expectStatus(await client().call('LocationName'), 1);
});

test('2: the key in data differs from the endpoint name, if only in case', async () => {
  expectStatus(await client().call('LocationName', { locationName: 'Gate 3' }), 2);
  expectStatus(await client().call('LocationName', { EtherIPMask: 'Gate 3' }), 2);
});

test('2: a value of the wrong type', async () => {
  expectStatus(await client().write('LocationName', 3), 2);
  expectStatus(await client().write('ScanDataEnable', 1), 2);
});

test('3: a challenge for an unknown user name', async () => {
  expectStatus(await client().post('getChallenge', { data: { user: 'Nobody' } }), 3);
});

test('4: a wrong password', async () => {
  expectStatus(await client().call('WriteEeprom', undefined, { ...service, password: 'wrong' }), 4);
});

test('4: a missing header', async () => {
  expectStatus(await client().post('WriteEeprom'), 4);
  expectStatus(await client().post('WriteEeprom', { data: {} }), 4);
});

test('4: a hash computed for another endpoint', async () => {
  const header = await client().header('RebootDevice');
  expectStatus(await client().post('WriteEeprom', { header }), 4);
});

test('4: a user level that is not enabled', async () => {
  expectStatus(await client().call('WriteEeprom', undefined, authorizedClient), 4);
  expectStatus(await client().call('WriteEeprom', undefined, maintenance), 4);
});

test.each([
  'Nothing',
  'locationName',
  'LOCATIONNAME',
  'LocationNam',
  'LocationName ',
  'toString',
  'constructor',
  '__proto__',
  'hasOwnProperty',
  '',
])('5: the unknown name "%s", read and written', async (name) => {
  expectStatus(await client().get(encodeURIComponent(name)), 5);
  expectStatus(await client().post(encodeURIComponent(name), {}), 5);
});

test('5: a path below a name, and the bare path of the interface', async () => {
  for (const path of [
    '/api',
    '/api/LocationName/x',
    '/api/LocationName/LocationName',
    '/api/%zz',
    '/api/%',
  ]) {
    expectStatus(await client().send({ method: 'GET', path }), 5);
  }
});

test.each([
  'getChallenge',
  'checkCredentials',
  'changePassword',
  'SetPassword',
  'EnableUserLevel',
  'EnableLegacyUserLevel',
  'WriteEeprom',
  'SoftReset',
  'RebootDevice',
  'LoadFactoryDefaults',
  'LoadApplicationDefaults',
  'EthernetUpdate',
  'SetWebserverEnabled',
  'GetWebserverEnabled',
  'LSPsetdatetime',
])('5: GET on the method %s', async (name) => {
  expectStatus(await client().get(name), 5);
});

test('6: a value outside the allowed range', async () => {
  expectStatus(await client().write('EtherIPMask', [255, 255, 256, 0]), 6);
  expectStatus(await client().write('TSCTCupdatetime', 0), 6);
});

test('7: a value outside the allowed bounds', async () => {
  expectStatus(await client().write('LocationName', 'x'.repeat(33)), 7);
  expectStatus(await client().write('EtherIPMask', [255, 255, 0]), 7);
});

test('7: the name Authorized Client written with a space', async () => {
  expectStatus(await client().post('getChallenge', { data: { user: 'Authorized Client' } }), 7);
});

test.each([
  'DeviceIdent',
  'SerialNumber',
  'FirmwareVersion',
  'OrderNumber',
  'DeviceStatus',
  'LastParaDate',
  'LastParaTime',
  'PowerOnCnt',
  'DailyOpHours',
  'OpHours',
  'EtherMACAddress',
  'EtherIPAddressDHCP',
  'EtherIPGateAddressDHCP',
  'EtherIPMaskDHCP',
  'LSPdatetime',
])('8: a write to the read-only variable %s, with and without credentials', async (name) => {
  const before = await client().get(name);
  const data = { [name]: 'x' };
  expectStatus(await client().post(name, { data }), 8);
  expectStatus(await client().call(name, data), 8);
  expectStatus(await client().postText(name, 'not JSON'), 8);
  if (!['LSPdatetime', 'DailyOpHours', 'LastParaTime'].includes(name)) {
    expect((await client().get(name)).text).toBe(before.text);
  }
});

test('9: a value that is not in the allowed set', async () => {
  expectStatus(await client().write('EtherAddressingMode', 2), 9);
  expectStatus(await client().write('ScanDataFormat', 0), 9);
});

test('10: a challenge that a challenge for another user level has invalidated', async () => {
  const header = await client().header('WriteEeprom');
  readChallenge(await client().post('getChallenge', { data: { user: 'Maintenance' } }));
  expectStatus(await client().post('WriteEeprom', { header }), 10);
});
