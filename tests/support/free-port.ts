import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isFree } from '../../bench/src/processes/free-port.js';

/**
 * Below the ports that systems give to outgoing connections (from 32768 on for Linux): one of those can become another
 * connection's while its owner is down for a moment. Each process of a run has its own share, so that two do not choose
 * the same one at the same time.
 */
const lowest = 12_000;
const share = 1250;
const shares = 16;
const own = lowest + (Number(process.env.VITEST_POOL_ID ?? 0) % shares) * share;
let next = randomInt(share);

/** A TCP port of loopback that nobody has at this moment. */
export async function freePort(): Promise<number> {
  for (;;) {
    next = (next + 1) % share;
    if (await isFree(own + next)) return own + next;
  }
}

/** A UDP port of loopback that nobody has at this moment: what is sent there is refused. */
export async function freeUdpPort(): Promise<number> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  await once(socket, 'close');
  return port;
}
