// The floor of a request over TCP: for so many bytes that come, so many bytes that were made beforehand. Nothing is
// looked at. Tells its port when it is ready. Arguments: bytes of a request, the answer in hex.
import { createServer } from 'node:net';

const [requestBytes, hex = ''] = process.argv.slice(2);
const size = Number(requestBytes);
const answer = Buffer.from(hex, 'hex');

const server = createServer((socket) => {
  let come = 0;
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('data', (piece) => {
    for (come += piece.length; come >= size; come -= size) socket.write(answer);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null) process.send?.(address.port);
});
process.on('disconnect', () => process.exit());
