import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { LegacyConnection } from '../../src/wire/legacy-connection.js';

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('expected an address with a port');
  return address.port;
}

it('connects to a port that is opened a moment later, as after a boot', async () => {
  const port = await closedPort();
  const connection = LegacyConnection.open('127.0.0.1', port, 20_000);
  // The first attempt has failed by then: it was under way before.
  await expect(LegacyConnection.open('127.0.0.1', port, 1)).rejects.toThrow();
  const server = createServer().listen(port, '127.0.0.1');
  onTestFinished(() => void server.close());
  const opened = await connection;
  expect(opened.isClosed).toBe(false);
  opened.close();
});

it('gives up a port that stays closed, and says so', async () => {
  const port = await closedPort();
  await expect(LegacyConnection.open('127.0.0.1', port, 120)).rejects.toThrow(
    `port ${port} does not take a connection (ECONNREFUSED)`,
  );
});
