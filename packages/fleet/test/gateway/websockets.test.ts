import { once } from 'node:events';
import { createServer } from 'node:http';
import { scannerFacts } from '@azimuth/test-support/some-fleet';
import { until } from '@azimuth/test-support/waiting';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { addressOf, gatewayTo, nowhere, scannerOf, worker } from './gateway-and-workers.js';

test('a WebSocket of a scanner works through a gateway', async () => {
  const one = await worker(scannerFacts(1));
  const gateway = await gatewayTo([nowhere], 1);
  gateway.owners.set('1', one);
  const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/scanners/1/x/events`);
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  const message = once(socket, 'message');
  await scannerOf(gateway, '1').write('LocationName', 'seen');
  expect(String(await message)).toContain('seen');
});

test('a WebSocket that is asked for while its scanner moves waits for the next worker', async () => {
  const facts = scannerFacts(1);
  const [old, next] = [await worker([]), await worker(facts)];
  const gateway = await gatewayTo([old, next], 1, { patience: 60_000 });
  // First no server listens there, then a worker does not have it, then no worker has it.
  gateway.owners.set('1', nowhere);
  let looks = 0;
  gateway.onRefresh = () => {
    looks++;
    if (looks === 3) gateway.owners.set('1', old);
    if (looks === 6) gateway.owners.delete('1');
    if (looks === 30) gateway.owners.set('1', next);
  };
  const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/scanners/1/x/events`);
  onTestFinished(() => socket.terminate());
  const message = once(socket, 'message');
  await once(socket, 'open');
  expect(looks).toBe(30);
  await scannerOf(gateway, '1').write('LocationName', 'moved');
  expect(String(await message)).toContain('moved');
});

test('a WebSocket that a silent worker has not taken is asked for again when another worker has the scanner', async () => {
  let asked = 0;
  const silent = await addressOf(createServer().on('upgrade', () => void asked++));
  const next = await worker(scannerFacts(1));
  const gateway = await gatewayTo([next], 1);
  gateway.owners.set('1', silent);
  const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/scanners/1/x/events`);
  onTestFinished(() => socket.terminate());
  await until(() => asked === 1);
  gateway.owners.set('1', next);
  await once(socket, 'open');
  expect(asked).toBe(1);
});

test('a WebSocket of a scanner that nobody takes is refused after a while, and at once if there is no such scanner', async () => {
  const gateway = await gatewayTo([], 1, { patience: 300 });
  gateway.owners.set('1', nowhere);
  const refusalOf = async (serial: string) => {
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/scanners/${serial}/x/events`);
    const [error] = await once(socket, 'error');
    return String(error);
  };
  expect(await refusalOf('2')).toContain('404');
  expect(await refusalOf('1')).toContain('503');
});

test('a WebSocket ends when another worker has the scanner, even if its own worker is silent', async () => {
  const one = await worker(scannerFacts(1));
  const gateway = await gatewayTo([nowhere], 1);
  gateway.owners.set('1', one);
  const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/scanners/1/x/events`);
  onTestFinished(() => socket.terminate());
  socket.on('error', () => undefined);
  await once(socket, 'open');
  gateway.owners.set('1', nowhere);
  expect(await once(socket, 'close')).toMatchObject([1006, {}]);
});

test('while a worker has other scanners, only that worker ends its WebSockets', async () => {
  const one = await worker(scannerFacts(1));
  const gateway = await gatewayTo([one, nowhere], 1);
  gateway.owners.set('1', one);
  const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/scanners/1/x/events`);
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  let looks = 0;
  gateway.owners.get = () => {
    looks++;
    return nowhere;
  };
  await until(() => looks > 3);
  expect(socket.readyState).toBe(WebSocket.OPEN);
  const closed = once(socket, 'close');
  await one.fleet.remove(['1']);
  await closed;
});
