import { getEventListeners, once } from 'node:events';
import { createServer } from 'node:net';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { until } from '../../../../tests/support/waiting.js';
import { Listening } from '../../src/database/listening.js';

test('while the database is away, tries to connect leave nothing behind', async () => {
  // A port where nobody answers in the way of a database.
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const ending = new AbortController();
  let tries = 0;
  const connection = () => {
    tries++;
    return new Client({ host: '127.0.0.1', port: address.port, user: 'azimuth' });
  };
  const listening = new Listening(connection, ending.signal);
  listening.listen('azimuth_fleet', () => {});
  await until(() => tries > 4);
  // Those of the try and of the pause that is under way.
  expect(getEventListeners(ending.signal, 'abort').length).toBeLessThan(3);
  ending.abort();
  await until(() => getEventListeners(ending.signal, 'abort').length === 0);
  server.close();
  await once(server, 'close');
});
