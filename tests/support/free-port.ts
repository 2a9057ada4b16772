import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** The benchmark uses it, too. */
export { freePort } from '../../bench/src/processes/free-port.js';

/** A UDP port of loopback that nobody has at this moment: what is sent there is refused. */
export async function freeUdpPort(): Promise<number> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  await once(socket, 'close');
  return port;
}
