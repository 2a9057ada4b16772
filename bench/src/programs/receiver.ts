// Receives telegrams, each socket those of one stream. Argument: number of sockets. It sends their ports first. For
// `clear` and `result`, it sends the counts so far; after `clear`, it counts from zero.
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { Arrivals } from '../streams/arrivals.js';

/** The system may grant less. */
const bufferBytes = 1_000_000;

const arrivals = new Arrivals();
const ports: number[] = [];

async function open(): Promise<Socket> {
  const socket = createSocket('udp4', (telegram) => arrivals.add(telegram));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  socket.setRecvBufferSize(bufferBytes);
  return socket;
}

for (let count = Number(process.argv[2]); count > 0; count--) ports.push((await open()).address().port);

process.on('message', (question) => {
  process.send?.(arrivals.result);
  if (question === 'clear') arrivals.clear();
});
process.on('disconnect', () => process.exit());
process.send?.(ports);
