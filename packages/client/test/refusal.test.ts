import { createServer } from 'node:net';
import { FakeDevice } from '@azimuth/test-support/fake-device';
import { freePort } from '@azimuth/test-support/free-port';
import { listening } from '@azimuth/test-support/listening';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Scanner, ScannerError, UnreachableError } from '../src/index.js';

let device: FakeDevice;
let scanner: Scanner;

beforeEach(async () => {
  device = await FakeDevice.start();
  scanner = new Scanner({ url: device.url, password: 'servicelevel' });
});
afterEach(() => device.stop());

describe('a status other than 0', () => {
  test('is an error with the place and the reason of the scanner', async () => {
    device.prepare('EtherIPAddress', {
      status: 6,
      headers: { 'Azimuth-Detail': 'EtherIPAddress[2]: expected 0 to 255, got 300 (%C3%A4)' },
    });
    const error = await scanner
      .write('EtherIPAddress', [192, 168, 300, 1])
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ScannerError);
    expect(error).toMatchObject({
      endpoint: 'EtherIPAddress',
      status: 6,
      statusName: 'outOfRange',
      detail: 'EtherIPAddress[2]: expected 0 to 255, got 300 (ä)',
      message: 'EtherIPAddress: Out Of Range (6) – EtherIPAddress[2]: expected 0 to 255, got 300 (ä)',
    });
  });

  test.each([
    ['of a product of its own', { 'Acme-Detail': 'too%20far' }, 'too far'],
    ['of the built-in product before others', { 'Acme-Detail': 'a', 'Azimuth-Detail': 'b' }, 'b'],
    ['of none of two products', { 'Acme-Detail': 'a', 'Other-Detail': 'b' }, ''],
    ['of no header that is only similar', { Detail: 'b', 'Acme-Details': 'c', '1-Detail': 'd' }, ''],
  ])('has the detail %s', async (_, headers, detail) => {
    device.prepare('PowerOnCnt', { status: 9, headers });
    await expect(scanner.read('PowerOnCnt')).rejects.toMatchObject({ detail });
  });

  test('has no detail if the scanner sends none', async () => {
    await expect(scanner.read('PowerOnCnt')).rejects.toMatchObject({
      detail: '',
      message: 'PowerOnCnt: Not Found (5)',
    });
  });

  test('keeps a detail that is not properly encoded', async () => {
    device.prepare('PowerOnCnt', { status: 6, headers: { 'Azimuth-Detail': '100% wrong' } });
    await expect(scanner.read('PowerOnCnt')).rejects.toMatchObject({ detail: '100% wrong' });
  });

  test('that is unknown is reported in the words of the scanner', async () => {
    device.prepare('PowerOnCnt', { status: 77, message: 'Too Tired' });
    await expect(scanner.read('PowerOnCnt')).rejects.toMatchObject({
      statusName: undefined,
      message: 'PowerOnCnt: Too Tired (77)',
    });
  });

  test('is an error whatever the HTTP status is', async () => {
    device.prepare('PowerOnCnt', { status: 11, http: 503 });
    await expect(scanner.read('PowerOnCnt')).rejects.toMatchObject({ statusName: 'outOfConnections' });
  });
});

describe('an answer that is not of a scanner', () => {
  test('is an error with the reason of the scanner', async () => {
    const headers = { 'Content-Type': 'text/plain', 'Azimuth-Detail': 'start it with --allowed-host NAME' };
    device.prepare('PowerOnCnt', { http: 403, headers, raw: 'start it with --allowed-host NAME\n' });
    await expect(scanner.read('PowerOnCnt')).rejects.toMatchObject({
      message: `PowerOnCnt: ${device.url} answered something other than JSON (HTTP 403, text/plain) – start it with --allowed-host NAME`,
    });
  });

  test.each([
    [404, 'This fleet has no scanner with this serial number.'],
    [503, 'The fleet is starting.'],
  ])('is an error with the reason of the port of a fleet: HTTP %i', async (http, reason) => {
    const headers = { 'Content-Type': 'text/plain; charset=utf-8' };
    device.prepare('PowerOnCnt', { http, headers, raw: `${reason}\n` });
    await expect(scanner.read('PowerOnCnt')).rejects.toMatchObject({
      name: 'AnswerError',
      message: `PowerOnCnt: ${device.url} answered HTTP ${http}: ${reason}`,
    });
  });

  test('is an error with one short line of a reason, whatever is in it', async () => {
    const headers = { 'Content-Type': 'text/plain' };
    device.prepare('PowerOnCnt', { http: 503, headers, raw: `  \u001b[31m${'é'.repeat(300)}\nand more` });
    await expect(scanner.read('PowerOnCnt')).rejects.toMatchObject({
      message: `PowerOnCnt: ${device.url} answered HTTP 503: [31m${'é'.repeat(196)}…`,
    });
    device.prepare('PowerOnCnt', { http: 503, headers, raw: ' \n' });
    await expect(scanner.read('PowerOnCnt')).rejects.toMatchObject({
      message: `PowerOnCnt: ${device.url} answered something other than JSON (HTTP 503, text/plain)`,
    });
    device.prepare('PowerOnCnt', { http: 200, headers, raw: 'hello' });
    await expect(scanner.read('PowerOnCnt')).rejects.toMatchObject({
      message: `PowerOnCnt: ${device.url} answered something other than JSON (HTTP 200, text/plain)`,
    });
  });

  test('is an error if it is not JSON', async () => {
    const headers = { 'Content-Type': 'text/html' };
    device.prepare('PowerOnCnt', { http: 404, headers, raw: '<h1>Not here</h1>' });
    await expect(scanner.read('PowerOnCnt')).rejects.toMatchObject({
      name: 'AnswerError',
      message: `PowerOnCnt: ${device.url} answered something other than JSON (HTTP 404, text/html)`,
    });
  });

  test.each(['[]', '"ok"', 'null', '{}', '{"header":{}}', '{"header":{"status":"0"}}'])(
    'is an error if it is not an envelope: %s',
    async (raw) => {
      device.prepare('PowerOnCnt', { raw });
      await expect(scanner.read('PowerOnCnt')).rejects.toThrow(/without header\.status/);
    },
  );

  test('is an error if it is a redirect', async () => {
    device.prepare('PowerOnCnt', { http: 302, headers: { Location: '/api/LocationName' }, raw: '' });
    await expect(scanner.read('PowerOnCnt')).rejects.toThrow(/cannot be reached: unexpected redirect/);
    expect(device.requests).toEqual(['PowerOnCnt']);
  });
});

describe('a scanner for which a server on the way answers', () => {
  const headers = { 'Content-Type': 'text/plain; charset=utf-8' };
  test.each([
    [
      502,
      headers,
      'The scanner 7 does not answer: its power is off\n',
      'The scanner 7 does not answer: its power is off',
    ],
    [502, { 'Content-Type': 'text/html' }, '<h1>Bad Gateway</h1>', 'a server on the way answered HTTP 502'],
    [504, {}, '', 'a server on the way answered HTTP 504'],
  ])('is unreachable, whatever is asked of it: HTTP %i', async (http, given, raw, reason) => {
    const unreachable = { name: 'UnreachableError', message: `${device.url} cannot be reached: ${reason}` };
    const away = { http, headers: given, raw };
    device.prepare('PowerOnCnt', away);
    await expect(scanner.read('PowerOnCnt')).rejects.toMatchObject(unreachable);
    device.prepare('getChallenge', away);
    await expect(scanner.call('WriteEeprom')).rejects.toMatchObject(unreachable);
    device.prepare('/x/sim', away);
    await expect(scanner.simulation.read()).rejects.toMatchObject(unreachable);
    device.prepare('/metrics', away);
    await expect(scanner.metrics()).rejects.toMatchObject(unreachable);
    device.responses.set('CreateSessionToken', { token: 'the-token', timeToLive: 60 });
    device.responses.set('CreateParameterBackup', { Success: true });
    device.files.set('parameterbackup', () => ({ http, headers: given, body: raw }));
    await expect(scanner.backup()).rejects.toMatchObject(unreachable);
    await expect(scanner.restore(new Uint8Array([1]))).rejects.toMatchObject(unreachable);
  });

  test('is not unreachable if it has answered itself, with an envelope', async () => {
    device.prepare('PowerOnCnt', { http: 502, status: 11 });
    await expect(scanner.read('PowerOnCnt')).rejects.toMatchObject({ statusName: 'outOfConnections' });
  });
});

describe('an unreachable scanner', () => {
  test('is named in the error, with the reason', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const error = await new Scanner({ url }).read('LocationName').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UnreachableError);
    expect(error).toMatchObject({ url, message: `${url} cannot be reached: ECONNREFUSED` });
  });

  test.each([1, 6000, 6666, 10_080])('is reported if fetch blocks its port: %i', async (port) => {
    const url = `http://127.0.0.1:${port}`;
    await expect(new Scanner({ url, fetch }).read('LocationName')).rejects.toMatchObject({
      name: 'UnreachableError',
      message: `${url} cannot be reached: Node's fetch blocks this port; start the scanner on another one`,
    });
  });

  test('is named in the error if it closes the connection before its answer, or within it', async () => {
    for (const part of ['', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{']) {
      const server = createServer((socket) => socket.once('data', () => socket.end(part)));
      const url = `http://127.0.0.1:${await listening(server)}`;
      await expect(new Scanner({ url }).read('LocationName')).rejects.toMatchObject({
        name: 'UnreachableError',
        message: `${url} cannot be reached: ECONNRESET`,
      });
      server.close();
    }
  });

  test('is an error if nothing comes after the head of its answer', async () => {
    const head = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{';
    const server = createServer((socket) => socket.on('error', () => undefined).write(head));
    const url = `http://127.0.0.1:${await listening(server)}`;
    const hasty = new Scanner({ url, timeoutMs: 100 });
    await expect(hasty.read('LocationName')).rejects.toThrow(/cannot be reached: no answer within 0\.1 s/);
    server.close();
  });

  test('is tried once', async () => {
    let attempts = 0;
    const fetch = () => {
      attempts++;
      return Promise.reject(new TypeError('Failed to fetch'));
    };
    const away = new Scanner({ url: 'http://away', password: 'x', fetch });
    await expect(away.write('LocationName', 'x')).rejects.toThrow(
      'http://away cannot be reached: Failed to fetch',
    );
    expect(attempts).toBe(1);
  });

  test('is an error after the chosen time', async () => {
    device.prepare('LocationName', { never: true });
    const hasty = new Scanner({ url: device.url, timeoutMs: 30 });
    await expect(hasty.read('LocationName')).rejects.toThrow(/cannot be reached: no answer within 0\.03 s/);
  });
});
