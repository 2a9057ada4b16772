// Receives datagrams at a port, sends each one on to other ports of this machine, and does nothing else. Arguments: those
// ports. It sends its own port first.
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

const host = '127.0.0.1';

async function connectedTo(port: number): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.connect(port, host);
  await once(socket, 'connect');
  return socket;
}

const programs = await Promise.all(process.argv.slice(2).map((port) => connectedTo(Number(port))));
const incoming = createSocket('udp4', (datagram) => {
  for (const program of programs) program.send(datagram);
});
incoming.bind(0, host);
await once(incoming, 'listening');

process.on('disconnect', () => process.exit());
process.send?.(incoming.address().port);
