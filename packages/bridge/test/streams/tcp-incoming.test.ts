import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { encodeCompactScan } from '@azimuth/telegrams';
import { framesOf } from '@azimuth/test-support/scan-telegrams';
import { expect, onTestFinished, test, vi } from 'vitest';
import { TcpIncoming } from '../../src/streams/tcp-incoming.js';

test('passes on each telegram of a connection, says what is none, and finds a scanner that has rebooted', async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const came: Uint8Array[] = [];
  const told: unknown[] = [];
  const incoming = new TcpIncoming({
    host: '127.0.0.1',
    port,
    arrived: (bytes) => void came.push(bytes),
    foreign: (bytes) => void told.push(bytes),
    changed: (reason) => void told.push(reason),
  });
  onTestFinished(() => {
    incoming.close();
    server.close();
  });
  const [one, two] = framesOf([1], 1).map((telegram) => encodeCompactScan(telegram));
  if (one === undefined || two === undefined) throw new Error('a frame has two telegrams');
  await vi.waitFor(() => expect(sockets).toHaveLength(1));
  sockets[0]?.write(Buffer.concat([one, Buffer.from('noise'), two.subarray(0, 50)]));
  await vi.waitFor(() => expect(told).toEqual([undefined, 5]));
  expect(came).toEqual([one]);
  sockets[0]?.end();
  await vi.waitFor(() => expect(sockets).toHaveLength(2));
  sockets[1]?.write(two);
  await vi.waitFor(() => expect(came).toEqual([one, two]));
  expect(told).toEqual([undefined, 5, 'the scanner has closed the connection', undefined]);
  sockets[1]?.destroy();
});
