import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Scanner } from '@azimuth/client';
import { service } from '@azimuth/test-support/client';
import { lastRequests, statusWhileSending } from '@azimuth/test-support/early-refusal';
import { FakeDevice } from '@azimuth/test-support/fake-device';
import { forwardingHeaders } from '@azimuth/test-support/forwarding-headers';
import { freeUdpPort } from '@azimuth/test-support/free-port';
import { temporaryFolder } from '@azimuth/test-support/serve-process';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { frameDatagram, sendTo } from '../scan-data/sender.js';
import { guiOf } from './gui-of.js';

/** A folder with the files of a GUI. */
function builtGui(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<title>Pages</title>');
  writeFileSync(join(folder, 'icon.svg'), '<svg/>');
  return folder;
}

/** Serves these scanners. Returns the address without a slash at its end. */
async function served(...urls: readonly string[]): Promise<string> {
  const server = guiOf(builtGui(), ...urls);
  const address = await server.open();
  onTestFinished(() => server.close());
  return address.replace(/\/$/, '');
}

/** The scanners of a server, by their numbers. */
async function listed(address: string): Promise<readonly unknown[]> {
  const { scanners } = await (await fetch(`${address}/site?sort=name`)).json();
  return scanners.map(({ url, path }: { url: string; path: string }) => ({ url, path }));
}

/** Sends a request with headers that fetch does not allow. */
async function get(url: string, headers: Readonly<Record<string, string>>, method = 'GET') {
  const sent = request(url, { method, headers });
  sent.end();
  const [response] = await once(sent, 'response');
  return { status: Number(response.statusCode), body: await text(response) };
}

describe('the pages', () => {
  test('are served, and told which scanners there are', async () => {
    const address = await served('http://192.0.2.1', 'http://192.0.2.2');
    expect(await (await fetch(address)).text()).toContain('Pages');
    expect(await listed(address)).toEqual([
      { url: 'http://192.0.2.1', path: '/s/0' },
      { url: 'http://192.0.2.2', path: '/s/1' },
    ]);
  });

  test.each([
    ['/', '?scanners'],
    ['/?fullscreen', '?scanners&fullscreen='],
    ['/?x=%0d%0aSet-Cookie:%20a', '?scanners&x=%0D%0ASet-Cookie%3A+a'],
  ])(
    'of several scanners are elsewhere than %s, and keep what the address asks for',
    async (path, expected) => {
      const response = await fetch(`${await served('http://192.0.2.1')}${path}`, { redirect: 'manual' });
      expect([response.status, response.headers.get('location')]).toEqual([302, expected]);
    },
  );

  test.each([
    ['a name that points here', { Host: 'evil.example:80' }],
    ['another port of this computer', { Host: '127.0.0.1:1' }],
    ['a page of another origin', { Origin: 'http://evil.example' }],
    ['a page of another port of this computer', { Origin: 'http://127.0.0.1:1' }],
  ])('refuse %s', async (_, headers) => {
    const { status } = await get(`${await served('http://192.0.2.1')}/site`, headers);
    expect(status).toBe(403);
  });

  test('do not take a WebSocket of another origin', async () => {
    const scanner = await TestScanner.start();
    const address = await served(scanner.service.url ?? '');
    const socket = new WebSocket(`${address.replace('http', 'ws')}/s/0/x/events`, {
      origin: 'http://evil.example',
    });
    const [error] = await once(socket, 'error');
    expect(String(error)).toContain('403');
  });
});

describe('requests to a scanner', () => {
  let scanner: TestScanner;
  let address: string;
  beforeEach(async () => {
    scanner = await TestScanner.start();
    address = await served(scanner.service.url ?? '');
  });

  test('are forwarded: reads, writes and refusals', async () => {
    const client = new Scanner({ url: `${address}/s/0`, ...service, user: 'Service' });
    await client.write('LocationName', 'Gate 3');
    expect(await client.read('LocationName')).toBe('Gate 3');
    await expect(client.writeAny('SerialNumber', 1)).rejects.toThrow('SerialNumber');
  });

  test('are forwarded: the description that a scanner has of its own names', async () => {
    const response = await fetch(`${address}/s/0/openapi.json`);
    expect(response.headers.get('Content-Type')).toBe('application/json');
    expect(response.headers.get('Content-Security-Policy')).toContain('sandbox');
    expect(await response.json()).toMatchObject({ openapi: '3.1.0' });
  });

  test('are forwarded although their page has an origin, which the scanner would refuse', async () => {
    const { host } = new URL(address);
    const headers = { Host: host, Origin: address };
    expect(await get(`${address}/s/0/api/DeviceStatus`, headers)).toMatchObject({ status: 200 });
  });

  test('are those of a program on this computer only if they come from one', async () => {
    const virtual = await TestScanner.start({ controlPort: 0 });
    const url = await served(virtual.service.url ?? '');
    expect((await get(`${url}/s/0/x/sim`, {})).body).toContain('"temperature"');
    for (const name of forwardingHeaders) {
      expect(await get(`${url}/s/0/x/sim`, { [name]: '127.0.0.1' }), name).toMatchObject({ status: 403 });
      const moved = get(`${url}/s/0/address`, { [name]: '127.0.0.1' }, 'POST');
      expect(await moved, name).toMatchObject({ status: 403 });
    }
  });

  test('announce changes', async () => {
    const client = new Scanner({ url: `${address}/s/0` });
    const stop = new AbortController();
    const changes = client.changes({
      signal: stop.signal,
      onState: () => {
        const writer = new Scanner({ url: scanner.service.url ?? '', ...service, user: 'Service' });
        void writer.write('LocationName', 'Gate 4');
      },
    });
    for await (const { changed } of changes) {
      expect(changed).toMatchObject({ LocationName: 'Gate 4' });
      break;
    }
    stop.abort();
  });

  test.each([
    '/s/0/openapi.json/x',
    '/s/0/docs',
    '/s/0/',
    '/s/0/..%2f',
    '/s/1/api/DeviceStatus',
    '/s/99999/api/DeviceStatus',
    '/etc/passwd',
  ])('are not forwarded to %s', async (path) => {
    expect((await fetch(address + path)).status).toBe(404);
  });

  test('say when the scanner does not answer', async () => {
    await scanner.service.close();
    const response = await fetch(`${address}/s/0/api/DeviceStatus`);
    expect(response.status).toBe(502);
    expect(await response.text()).toContain('does not answer');
  });
});

test.each(lastRequests)(
  'a request that asks for %s gets its answer, though it is refused early',
  async (_, version, headers) => {
    const scanner = await TestScanner.start();
    const address = await served(scanner.service.url ?? '');
    const statusOf = (line: string) =>
      statusWhileSending(Number(new URL(address).port), line, version, headers);
    expect(await statusOf('PUT /s/0/api/update')).toBe(403);
    expect(await statusOf('PUT /s/7/api/update')).toBe(404);
    expect(await statusOf('POST /s/0/data')).toBe(502);
    expect(await statusOf('POST /site')).toBe(405);
    expect(await statusOf('GET /s/0/apievents')).toBe(426);
  },
);

describe('the scan data of a scanner without live scans', () => {
  let device: FakeDevice;
  let port: number;
  let address: string;
  beforeEach(async () => {
    device = await FakeDevice.start();
    port = await freeUdpPort();
    device.values.set('ScanDataEnable', true);
    device.values.set('ScanDataFormat', 2);
    device.values.set('ScanDataEthSettings', { Protocol: 1, IPAddress: [127, 0, 0, 1], Port: port });
    address = await served(device.url);
  });
  afterEach(() => device.stop());

  test('is shown if it arrives here', async () => {
    await sendTo(port, frameDatagram);
    const scans = new Scanner({ url: `${address}/s/0` }).scans();
    for await (const frame of scans) {
      if (!frame.complete) continue;
      expect(frame.beams).toBe(9);
      break;
    }
  });

  test('is not touched if it goes elsewhere, and the page learns where', async () => {
    const elsewhere = { Protocol: 1, IPAddress: [192, 0, 2, 9], Port: port };
    device.values.set('ScanDataEthSettings', elsewhere);
    const state = await (await fetch(`${address}/s/0/data`)).json();
    expect(state).toEqual({
      state: 'elsewhere',
      reason: `the scanner sends its scan data to 192.0.2.9, port ${port}; this computer is 127.0.0.1`,
      here: '127.0.0.1',
    });
    expect(device.values.get('ScanDataEthSettings')).toEqual(elsewhere);
  });

  test('comes here if a person with a password wants it, until that is ended', async () => {
    const elsewhere = { Protocol: 1, IPAddress: [192, 0, 2, 9], Port: port };
    device.values.set('ScanDataEthSettings', elsewhere);
    const aimed = await fetch(`${address}/s/0/data`, {
      method: 'POST',
      body: JSON.stringify({ user: 'Service', password: service.password }),
    });
    expect(aimed.status).toBe(200);
    await until(() => device.values.get('ScanDataEthSettings') !== elsewhere);
    expect(device.values.get('ScanDataEthSettings')).toMatchObject({ IPAddress: [127, 0, 0, 1] });
    await fetch(`${address}/s/0/data`, { method: 'DELETE' });
    expect(device.values.get('ScanDataEthSettings')).toEqual(elsewhere);
  });

  test('is restored when the server ends', async () => {
    const elsewhere = { Protocol: 1, IPAddress: [192, 0, 2, 9], Port: port };
    device.values.set('ScanDataEthSettings', elsewhere);
    const server = guiOf(builtGui(), device.url);
    const url = await server.open();
    await fetch(`${url}s/0/data`, {
      method: 'POST',
      body: JSON.stringify({ user: 'Service', password: service.password }),
    });
    await until(() => device.values.get('ScanDataEthSettings') !== elsewhere);
    await server.close();
    expect(device.values.get('ScanDataEthSettings')).toEqual(elsewhere);
  });

  test.each([
    ['no JSON', '{'],
    ['no login', '{}'],
    ['too much', JSON.stringify({ user: 'Service', password: 'x'.repeat(20_000) })],
    ['a wrong password', JSON.stringify({ user: 'Service', password: 'wrong' })],
  ])('is not brought here for %s', async (_, body) => {
    const before = device.values.get('ScanDataEthSettings');
    const response = await fetch(`${address}/s/0/data`, { method: 'POST', body });
    expect(response.ok).toBe(false);
    expect(device.values.get('ScanDataEthSettings')).toBe(before);
  });
});

describe('a scanner at a new address', () => {
  const serialOf = (scanner: TestScanner) =>
    new Scanner({ url: scanner.service.url ?? '' }).read('SerialNumber');

  /** Reports a new address of its scanner to the server. */
  function moved(address: string, body: unknown, headers: Readonly<Record<string, string>> = {}) {
    return fetch(`${address}/s/0/address`, { method: 'POST', body: JSON.stringify(body), headers });
  }

  test('is reached there, with the port that it had', async () => {
    const scanner = await TestScanner.start();
    const { port } = new URL(scanner.service.url ?? '');
    // Nothing answers at 127.0.0.9.
    const address = await served(`http://127.0.0.9:${port}`);
    expect((await fetch(`${address}/s/0/api/DeviceStatus`)).status).toBe(502);
    const answer = await moved(address, { address: '127.0.0.1', serialNumber: await serialOf(scanner) });
    expect(await answer.json()).toEqual({ url: `http://127.0.0.1:${port}` });
    expect((await fetch(`${address}/s/0/api/DeviceStatus`)).status).toBe(200);
    expect(await listed(address)).toEqual([{ url: `http://127.0.0.1:${port}`, path: '/s/0' }]);
  });

  test('is not followed to where another scanner answers, or nothing', async () => {
    const scanner = await TestScanner.start();
    const { port } = new URL(scanner.service.url ?? '');
    const url = `http://127.0.0.9:${port}`;
    const address = await served(url);
    const another = await moved(address, { address: '127.0.0.1', serialNumber: 'X' });
    expect(another.status).toBe(502);
    expect(await another.text()).toContain('another scanner');
    expect((await moved(address, { address: '127.0.0.8', serialNumber: 'X' })).status).toBe(502);
    expect(await listed(address)).toEqual([{ url, path: '/s/0' }]);
  });

  test.each([
    ['no address', { serialNumber: 'X' }],
    ['a name, which anybody may own', { address: 'localhost', serialNumber: 'X' }],
    ['an address with a port', { address: '127.0.0.1:80', serialNumber: 'X' }],
    ['no serial number', { address: '127.0.0.1' }],
    ['something other than an object', ['127.0.0.1']],
  ])('cannot be %s', async (_, body) => {
    expect((await moved(await served('http://127.0.0.9:1'), body)).status).toBe(400);
  });

  test('is not taken from a page of another origin, and not asked for by GET', async () => {
    const address = await served('http://127.0.0.9:1');
    const foreign = { Origin: 'http://evil.example' };
    expect((await get(`${address}/s/0/address`, foreign)).status).toBe(403);
    expect((await moved(address, { address: '127.0.0.1', serialNumber: 'X' }, foreign)).status).toBe(403);
    expect((await fetch(`${address}/s/0/address`)).status).toBe(405);
  });
});
