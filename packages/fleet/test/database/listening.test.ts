import { getEventListeners } from 'node:events';
import { createServer } from 'node:net';
import { listening } from '@azimuth/test-support/listening';
import { until } from '@azimuth/test-support/waiting';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { Listening } from '../../src/database/listening.js';

test('while the database is away, tries to connect leave nothing behind', async () => {
  // A port where no server responds like a database.
  const server = createServer((socket) => socket.destroy());
  const port = await listening(server);
  const ending = new AbortController();
  let tries = 0;
  const connection = () => {
    tries++;
    return new Client({ host: '127.0.0.1', port, user: 'azimuth' });
  };
  const notifications = new Listening(connection, ending.signal);
  notifications.listen('azimuth_fleet', () => {});
  await until(() => tries > 4);
  // Listeners of the current attempt and of the current pause.
  expect(getEventListeners(ending.signal, 'abort').length).toBeLessThan(3);
  ending.abort();
  await until(() => getEventListeners(ending.signal, 'abort').length === 0);
});
