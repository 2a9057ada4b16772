import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import { connect, Socket } from 'node:net';
import { scannerFacts } from '@azimuth/test-support/some-fleet';
import { expect, test } from 'vitest';
import { GatewayKey } from '../../src/index.js';
import { key, worker } from '../gateway/gateway-and-workers.js';

test('without the key of the deployment, a worker tells its health and its metrics, and nothing else', async () => {
  const one = await worker(scannerFacts(1));
  const status = async (path: string, headers: Record<string, string> = {}) =>
    (await fetch(one.url + path, { headers })).status;
  const signed = (path: string, by = key, at = Date.now()) => ({
    'azimuth-fleet': by.sign(one.url, 'GET', path, at),
  });
  const path = '/scanners/1/api/SerialNumber';
  expect(await status(path)).toBe(401);
  expect(await status('/scanners')).toBe(401);
  expect(await status(path, signed(path))).toBe(200);
  expect(await status(path, signed('/scanners/1/api/DeviceIdent'))).toBe(401);
  expect(await status(path, signed(path, new GatewayKey('another key, as long')))).toBe(401);
  expect(await status(path, signed(path, key, Date.now() - 61_000))).toBe(401);
  // Clocks differ, but not by this much: a client that could sign ahead could continue after the key has changed.
  expect(await status(path, signed(path, key, Date.now() + 61_000))).toBe(401);
  expect(await status(path, signed(path, key, Date.now() + 50_000))).toBe(200);
  expect(await status(path, signed(path, key, Date.now() - 50_000))).toBe(200);
  expect(await status(path, { 'azimuth-fleet': `${Date.now()} x` })).toBe(401);
  expect([await status('/healthz'), await status('/readyz'), await status('/metrics')]).toEqual([
    200, 200, 200,
  ]);
  const socket = connect(Number(new URL(one.url).port), '127.0.0.1');
  const head = 'Host: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n';
  socket.write(`GET /scanners/1/x/events HTTP/1.1\r\n${head}\r\n`);
  const [answer] = await once(socket.setEncoding('utf8'), 'data');
  expect(answer).toContain('401 Unauthorized');
});

test('a key that is too short is refused', () => {
  expect(() => new GatewayKey('short')).toThrow('at least 16 characters');
  expect(() => new GatewayKey('a key of the deployment', 'short')).toThrow('at least 16 characters');
});

test('while the key is changed, both are taken, and the first one is used', async () => {
  const [before, after] = ['a key of the deployment', 'the next key of it'];
  const request = (by: GatewayKey) => {
    const message = new IncomingMessage(new Socket());
    Object.assign(message, {
      method: 'GET',
      url: '/scanners',
      headers: { 'azimuth-fleet': by.sign('http://worker', 'GET', '/scanners') },
    });
    return message;
  };
  const [old, both, fresh] = [new GatewayKey(before), new GatewayKey(after, before), new GatewayKey(after)];
  expect(both.signed('http://worker', request(old))).toBe(true);
  expect(both.signed('http://worker', request(fresh))).toBe(true);
  expect(fresh.signed('http://worker', request(both))).toBe(true);
  expect(old.signed('http://worker', request(both))).toBe(false);
  // A header for one worker is useless at another one.
  expect(both.signed('http://other', request(both))).toBe(false);
});
