import { FakeDevice } from '@azimuth/test-support/fake-device';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Scanner } from '../src/index.js';

let device: FakeDevice;
let scanner: Scanner;

beforeEach(async () => {
  device = await FakeDevice.start();
  scanner = new Scanner({ url: device.url, password: 'servicelevel' });
});
afterEach(() => device.stop());

const destination = { Protocol: 1, IPAddress: [192, 168, 0, 100], Port: 2115 } as const;

describe('reading', () => {
  test('gives the value and sends no credentials', async () => {
    expect(await scanner.read('LocationName')).toBe('not defined');
    expect(device.exchanges).toEqual([{ method: 'GET', endpoint: 'LocationName', body: {}, status: 0 }]);
  });

  test.each(['nested', 'flat', 'both'] as const)('accepts a struct that arrives %s', async (structs) => {
    device.structs = structs;
    device.values.set('ScanDataEthSettings', destination);
    expect(await scanner.read('ScanDataEthSettings')).toEqual(destination);
  });

  test('refuses a value that is not of the type', async () => {
    device.values.set('PowerOnCnt', 'often');
    await expect(scanner.read('PowerOnCnt')).rejects.toMatchObject({
      name: 'AnswerError',
      message: expect.stringContaining('PowerOnCnt: expected an integer'),
    });
  });

  test('refuses an answer without the value', async () => {
    device.prepare('PowerOnCnt', { data: { PowerOnCount: 3 } });
    await expect(scanner.read('PowerOnCnt')).rejects.toThrow(
      `${device.url} answered without data.PowerOnCnt`,
    );
  });

  test('by a name known at run time only gives JSON as it came', async () => {
    device.values.set('PowerOnCnt', 'often');
    device.values.set('NewestThing', [1, { two: 3 }]);
    expect(await scanner.readAny('PowerOnCnt')).toBe('often');
    expect(await scanner.readAny('NewestThing')).toEqual([1, { two: 3 }]);
  });
});

describe('writing', () => {
  test.each([
    ['salted', Array.from({ length: 16 }, (_, index) => 240 + index)],
    ['unsalted, with an empty salt', []],
    ['unsalted, without one', undefined],
  ])('proves knowledge of the password: %s', async (_, salt) => {
    device.setPassword('Service', 'servicelevel', salt);
    await scanner.write('LocationName', 'Gate 3');
    expect(device.values.get('LocationName')).toBe('Gate 3');
    expect(device.requests).toEqual(['getChallenge', 'LocationName']);
  });

  test('logs in at the requested level', async () => {
    device.setPassword('AuthorizedClient', 'client\u00e9', [1, 2, 3]);
    const client = new Scanner({ url: device.url, user: 'AuthorizedClient', password: 'client\u00e9' });
    await client.write('LocationName', 'Gate 4');
    expect(device.exchanges[0]?.body).toEqual({ data: { user: 'AuthorizedClient' } });
    expect(device.values.get('LocationName')).toBe('Gate 4');
  });

  test('sends the value under the name of the variable, and whole structs', async () => {
    device.values.set('ScanDataEthSettings', null);
    await scanner.write('ScanDataEthSettings', destination);
    expect(device.exchanges[1]?.body.data).toEqual({ ScanDataEthSettings: destination });
  });

  test('by a name known at run time only is signed too', async () => {
    device.values.set('NewestThing', 0);
    await scanner.writeAny('NewestThing', 7);
    expect(device.values.get('NewestThing')).toBe(7);
  });

  test('without a password sends nothing', async () => {
    const nobody = new Scanner({ url: device.url });
    await expect(nobody.write('LocationName', 'x')).rejects.toThrow(
      'LocationName: the password of Service is needed, and none was given',
    );
    expect(device.requests).toEqual([]);
  });
});

describe('calling', () => {
  test('a protected method signs, and gives its checked response', async () => {
    device.responses.set('WriteEeprom', { Success: true });
    expect(await scanner.call('WriteEeprom')).toEqual({ Success: true });
    expect(device.requests).toEqual(['getChallenge', 'WriteEeprom']);
    expect(device.exchanges[1]?.body).not.toHaveProperty('data');
  });

  test('a method for any user level signs as well', async () => {
    expect(await scanner.call('checkCredentials')).toEqual({});
    expect(device.requests).toEqual(['getChallenge', 'checkCredentials']);
  });

  test('an open method sends no credentials', async () => {
    device.responses.set('GetWebserverEnabled', { IsEnabled: false });
    expect(await new Scanner({ url: device.url }).call('GetWebserverEnabled')).toEqual({ IsEnabled: false });
    expect(device.exchanges).toEqual([
      { method: 'POST', endpoint: 'GetWebserverEnabled', body: {}, status: 0 },
    ]);
  });

  test('getChallenge gives the challenge', async () => {
    const challenge = await scanner.call('getChallenge', { user: 'Service' });
    expect(challenge).toMatchObject({ realm: 'Test Sensor', opaque: 'cafe' });
    expect(challenge.salt).toHaveLength(16);
  });

  test('sends the request under data', async () => {
    device.responses.set('EnableUserLevel', { result: 0 });
    await scanner.call('EnableUserLevel', { userLevel: 3, isEnabled: true });
    expect(device.exchanges[1]?.body.data).toEqual({ userLevel: 3, isEnabled: true });
  });

  test('refuses a response that is not of the type', async () => {
    device.responses.set('WriteEeprom', { Success: 1 });
    await expect(scanner.call('WriteEeprom')).rejects.toMatchObject({ name: 'AnswerError' });
  });

  test('by a name known at run time only gives JSON as it came', async () => {
    device.responses.set('NewestAct', { done: 'so' });
    expect(await scanner.callAny('NewestAct', { with: 1 })).toEqual({ done: 'so' });
    expect(await scanner.callAny('WriteEeprom')).toEqual({});
  });
});
