import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { listening } from '@azimuth/test-support/listening';
import { latch } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';
import { PortDrain } from '../src/port-drain.js';

test('a port that ends waits for an answer that is sent in part', async () => {
  const server = createServer();
  const port = new PortDrain();
  port.watch(server);
  const coming: Promise<ServerResponse> = new Promise((resolve) => {
    server.on('request', (request, response) => port.accept(request, response, () => resolve(response)));
  });
  const asked = fetch(`http://127.0.0.1:${await listening(server)}/`);
  const response = await coming;
  response.write('one half, ');
  const answer = await asked;
  const closed = latch();
  let isOver = false;
  const drained = port.drain({ listens: 0, responds: 60_000 }, closed.open).then(() => {
    isOver = true;
  });
  await closed.opened;
  // A client that does not wait for the response is over in the same turn.
  await new Promise(setImmediate);
  expect(isOver).toBe(false);
  const ended = once(response, 'finish');
  response.end('the other half');
  await ended;
  await drained;
  expect(await answer.text()).toBe('one half, the other half');
});
