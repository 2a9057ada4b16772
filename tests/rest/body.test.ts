import { service } from '@azimuth/test-support/client';
import { expectData, expectDone, expectStatus } from '@azimuth/test-support/envelope';
import { sharedScanner } from '@azimuth/test-support/scanner-process';
import { beforeEach, expect, test } from 'vitest';

const scanner = sharedScanner();
const client = () => scanner().client();

beforeEach(async () => {
  await scanner().advance(31_000);
  expectDone(await client().call('checkCredentials'));
});

test('the Content-Type makes no difference', async () => {
  for (const type of [
    'application/json; charset=utf-8',
    'text/plain',
    'application/x-www-form-urlencoded',
    '???',
  ]) {
    const headers = { 'Content-Type': type };
    expectStatus(await client().postText('getChallenge', '{"data":{"user":"Service"}}', headers), 0);
  }
});

test('the body null means that there is no payload', async () => {
  const body = 'null';
  expectData(await client().postText('GetWebserverEnabled', body), { IsEnabled: true });
  expectStatus(await client().postText('getChallenge', body), 1);
  expectStatus(await client().postText('checkCredentials', body), 4);
  expectStatus(await client().postText('WriteEeprom', body), 4);
});

test('a value that is a little too long is status 7; a body over the limit of its endpoint is status 1', async () => {
  expectStatus(await client().write('LocationName', 'x'.repeat(500)), 7);
  expectStatus(await client().write('LocationName', 'x'.repeat(900_000)), 1);
});

test('a value may be written with escapes, and JSON on many lines', async () => {
  const header = await client().header('LocationName', service);
  const value = '\\ud83d\\ude00'.repeat(32);
  const text = `{\r\n\t"header": ${JSON.stringify(header, undefined, 8)},\r\n\t"data": {\r\n\t\t"LocationName": "${value}"\r\n\t}\r\n}\r\n`;
  expectDone(await client().postText('LocationName', text));
  expect(await client().value('LocationName')).toBe('😀'.repeat(32));
});

test('a body that is nested deeper than its endpoint allows is status 1, and one level less is status 2', async () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  expectStatus(await client().callText('LocationName', `{"LocationName":${nested(3)}}`), 1);
  expectStatus(await client().callText('LocationName', `{"LocationName":${nested(2)}}`), 2);
});

test('a read may have a body, which is ignored', async () => {
  const reply = await client().send({ method: 'GET', path: '/api/DeviceStatus', body: '{"data":1}' });
  expectData(reply, { DeviceStatus: 3 });
});
