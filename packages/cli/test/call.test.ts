import { FakeDevice } from '@azimuth/test-support/fake-device';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { azimuth } from './run.js';

let device: FakeDevice;

beforeEach(async () => {
  device = await FakeDevice.start();
  vi.stubEnv('AZIMUTH_DEVICE', device.url);
  vi.stubEnv('AZIMUTH_PASSWORD', 'servicelevel');
});
afterEach(() => device.stop());

test('a method without a request is signed, and its response printed', async () => {
  device.responses.set('WriteEeprom', { Success: true });
  expect(await azimuth('call', 'WriteEeprom')).toEqual({
    stdout: 'Success  true\n',
    stderr: '',
    exitCode: 0,
  });
  expect(device.requests).toEqual(['getChallenge', 'WriteEeprom']);
  expect(device.exchanges[1]?.body).not.toHaveProperty('data');
});

test('an open method needs no password', async () => {
  vi.stubEnv('AZIMUTH_PASSWORD', '');
  device.responses.set('GetWebserverEnabled', { IsEnabled: true });
  expect((await azimuth('call', 'GetWebserverEnabled', '--json')).stdout).toBe('{"IsEnabled":true}\n');
  expect(device.requests).toEqual(['GetWebserverEnabled']);
});

test('a method without a response prints nothing, except with --json', async () => {
  expect((await azimuth('call', 'RebootDevice')).stdout).toBe('');
  expect((await azimuth('call', 'RebootDevice', '--json')).stdout).toBe('{}\n');
});

test.each([
  ['JSON', ['{"userLevel":3,"isEnabled":true}']],
  ['its members', ['userLevel=3', 'isEnabled=on']],
  ['its members by their names', ['userLevel=AuthorizedClient', 'isEnabled=on']],
])('a request may be %s', async (_, words) => {
  device.responses.set('EnableUserLevel', { result: 2 });
  expect(await azimuth('call', 'EnableUserLevel', ...words)).toEqual({
    stdout: 'result  2 NOT_ACCEPTED\n',
    stderr: 'azimuth: EnableUserLevel: refused (result 2 NOT_ACCEPTED)\n',
    exitCode: 1,
  });
  expect(device.exchanges[1]?.body.data).toEqual({ userLevel: 3, isEnabled: true });
});

describe('an invalid call is refused before anything but the description is asked for', () => {
  test.each([
    [['EnableUserLevel'], 'EnableUserLevel.userLevel: required member missing (Parsing Failed)'],
    [
      ['EnableUserLevel', 'userLevel=3'],
      'EnableUserLevel.isEnabled: required member missing (Parsing Failed)',
    ],
    [
      ['EnableUserLevel', '{"userLevel":300,"isEnabled":true}'],
      'EnableUserLevel.userLevel: expected 0 to 255, got 300 (Out Of Range)',
    ],
    [
      ['EnableUserLevel', 'userLevel=Boss', 'isEnabled=on'],
      'EnableUserLevel.userLevel: expected a number, Run, Operator, Maintenance, AuthorizedClient, Service, got "Boss" (Invalid Data)',
    ],
    [['EnableUserLevel', 'three'], 'EnableUserLevel: expected JSON, got "three" (Invalid Data)'],
    [['WriteEeprom', '{"now":true}'], 'WriteEeprom: unknown member now (Invalid Data)'],
    [['WriteEprom'], 'there is no method "WriteEprom"; did you mean WriteEeprom?'],
    [['LocationName'], 'LocationName is a variable, not a method: azimuth get LocationName'],
  ])('%j', async (argv, line) => {
    expect(await azimuth('call', ...argv)).toEqual({
      stdout: '',
      stderr: `azimuth: ${line}\n`,
      exitCode: 2,
    });
    expect(device.requests.filter((request) => request !== '/openapi.json')).toEqual([]);
  });
});
