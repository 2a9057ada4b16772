import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

/** Socket of a driver under test: a UDP socket that stores what arrives. */
export async function datagramDriver() {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  const received: Buffer[] = [];
  socket.on('message', (datagram) => received.push(datagram));
  const destination = { Protocol: 1 as const, IPAddress: [127, 0, 0, 1], Port: socket.address().port };
  return { received, destination };
}
