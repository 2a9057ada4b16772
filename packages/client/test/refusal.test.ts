import { createServer } from 'node:net';
import { isObject } from '@azimuth/model';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FakeDevice } from '../../../tests/support/fake-device.js';
import { Scanner, ScannerError, UnreachableError } from '../src/index.js';

let device: FakeDevice;
let scanner: Scanner;

beforeEach(async () => {
  device = await FakeDevice.start();
  scanner = new Scanner({ url: device.url, password: 'servicelevel' });
});
afterEach(() => device.stop());

describe('a status other than 0', () => {
  test('is an error with the place and the reason that the scanner states', async () => {
    device.tell('EtherIPAddress', {
      status: 6,
      headers: { 'Azimuth-Detail': 'EtherIPAddress[2]: 300 is not in 0..255 (%C3%A4)' },
    });
    const error = await scanner
      .write('EtherIPAddress', [192, 168, 300, 1])
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ScannerError);
    expect(error).toMatchObject({
      endpoint: 'EtherIPAddress',
      status: 6,
      statusName: 'outOfRange',
      detail: 'EtherIPAddress[2]: 300 is not in 0..255 (ä)',
      message: 'EtherIPAddress: Out Of Range (6) – EtherIPAddress[2]: 300 is not in 0..255 (ä)',
    });
  });

  test('goes without a detail where there is none', async () => {
    await expect(scanner.read('PowerOnCnt')).rejects.toMatchObject({
      detail: '',
      message: 'PowerOnCnt: Not Found (5)',
    });
  });

  test('keeps a detail that is not properly encoded', async () => {
    device.tell('PowerOnCnt', { status: 6, headers: { 'Azimuth-Detail': '100% wrong' } });
    await expect(scanner.read('PowerOnCnt')).rejects.toMatchObject({ detail: '100% wrong' });
  });

  test('that nobody knows is told in the words of the scanner', async () => {
    device.tell('PowerOnCnt', { status: 77, message: 'Too Tired' });
    await expect(scanner.read('PowerOnCnt')).rejects.toMatchObject({
      statusName: undefined,
      message: 'PowerOnCnt: Too Tired (77)',
    });
  });

  test('counts whatever the HTTP status is', async () => {
    device.tell('PowerOnCnt', { status: 11, http: 503 });
    await expect(scanner.read('PowerOnCnt')).rejects.toMatchObject({ statusName: 'outOfConnections' });
  });
});

describe('an answer that no scanner gives', () => {
  test('is told with what the scanner says of it', async () => {
    const headers = { 'Content-Type': 'text/plain', 'Azimuth-Detail': 'start it with --allowed-host NAME' };
    device.tell('PowerOnCnt', { http: 403, headers, raw: 'start it with --allowed-host NAME\n' });
    await expect(scanner.read('PowerOnCnt')).rejects.toMatchObject({
      message: `PowerOnCnt: ${device.url} answered something other than JSON (HTTP 403, text/plain) – start it with --allowed-host NAME`,
    });
  });

  test('is told when it is no JSON', async () => {
    const headers = { 'Content-Type': 'text/html' };
    device.tell('PowerOnCnt', { http: 404, headers, raw: '<h1>Not here</h1>' });
    await expect(scanner.read('PowerOnCnt')).rejects.toMatchObject({
      name: 'AnswerError',
      message: `PowerOnCnt: ${device.url} answered something other than JSON (HTTP 404, text/html)`,
    });
  });

  test.each(['[]', '"ok"', 'null', '{}', '{"header":{}}', '{"header":{"status":"0"}}'])(
    'is told when it is no envelope: %s',
    async (raw) => {
      device.tell('PowerOnCnt', { raw });
      await expect(scanner.read('PowerOnCnt')).rejects.toThrow(/without header\.status/);
    },
  );

  test('is not followed elsewhere', async () => {
    device.tell('PowerOnCnt', { http: 302, headers: { Location: '/api/LocationName' }, raw: '' });
    await expect(scanner.read('PowerOnCnt')).rejects.toMatchObject({ message: /redirect/ });
    expect(device.asked).toEqual(['PowerOnCnt']);
  });
});

describe('a scanner out of reach', () => {
  test('is named, with what happened', async () => {
    const url = `http://127.0.0.1:${await closedPort()}`;
    const error = await new Scanner({ url }).read('LocationName').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UnreachableError);
    expect(error).toMatchObject({ url, message: `${url} cannot be reached: ECONNREFUSED` });
  });

  test.each([1, 6000, 6666, 10_080])('is told where the platform blocks its port: %i', async (port) => {
    const url = `http://127.0.0.1:${port}`;
    await expect(new Scanner({ url }).read('LocationName')).rejects.toMatchObject({
      name: 'UnreachableError',
      message: `${url} cannot be reached: Node's fetch blocks this port; start the scanner on another one`,
    });
  });

  test('is tried once', async () => {
    let tries = 0;
    const fetch = () => {
      tries++;
      return Promise.reject(new TypeError('Failed to fetch'));
    };
    const away = new Scanner({ url: 'http://away', password: 'x', fetch });
    await expect(away.write('LocationName', 'x')).rejects.toThrow(
      'http://away cannot be reached: Failed to fetch',
    );
    expect(tries).toBe(1);
  });

  test('is given up after the stated time', async () => {
    device.tell('LocationName', { never: true });
    const hasty = new Scanner({ url: device.url, timeoutMs: 30 });
    await expect(hasty.read('LocationName')).rejects.toThrow(/cannot be reached: no answer within 0\.03 s/);
  });
});

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return isObject(address) ? Number(address.port) : 0;
}
