import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A TCP port of loopback that nobody has at this moment, below those that systems give to outgoing connections: one of
 * those can become another connection's before it is used.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(12_000, 32_000);
    if (await isFree(port)) return port;
  }
}

/** Can this TCP port of loopback be opened? */
export async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  const isOpen = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (!isOpen) return false;
  server.close();
  await once(server, 'close');
  return true;
}
