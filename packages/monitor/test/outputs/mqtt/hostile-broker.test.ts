import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { MqttOutput } from '../../../src/outputs/mqtt/mqtt-output.js';
import { basics, condition, expectNoSecrets, until } from '../outputs-of-tests.js';

/** A CONNACK of MQTT 5 with a reason code; 0 accepts. */
const accepted = (code = 0) => Buffer.of(0x20, 3, 0, code, 0);

async function brokerThat(act: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => act(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
  const { options, reports } = basics('mqtt');
  const url = `mqtt://127.0.0.1:${address.port}`;
  const output = new MqttOutput({ ...options, url, user: 'azimuth', password: 'S3CRET' });
  onTestFinished(() => output.close(0));
  output.accept(condition());
  return { output, reports, connections: () => sockets.size };
}

const endless = (socket: Socket, first: Buffer) => {
  socket.write(first);
  const more = () => {
    while (!socket.destroyed && socket.write(Buffer.alloc(65_536, 0x41)));
  };
  socket.on('drain', more);
  more();
};

test.each<readonly [string, (socket: Socket) => void]>([
  ['closes at once', (socket) => socket.destroy()],
  ['refuses', (socket) => socket.end(accepted(0x87))],
  ['accepts, and closes', (socket) => socket.end(accepted())],
  ['sends something else', (socket) => socket.write(Buffer.alloc(4096, 0xff))],
  ['speaks HTTP', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
  [
    'announces a message of 256 MB and sends it',
    // A PUBLISH with the greatest length that MQTT has.
    (socket) => endless(socket, Buffer.concat([accepted(), Buffer.of(0x30, 0xff, 0xff, 0xff, 0x7f)])),
  ],
])('a broker that %s does not stop the monitor, and is tried again', async (_, act) => {
  const { output, reports, connections } = await brokerThat(act);
  await until(() => expect(connections()).toBeGreaterThan(2));
  expect(reports[0]).toContain('mqtt cannot send: ');
  expect(output.counts).toEqual({ delivered: 0, lost: 0, waiting: 1 });
  expectNoSecrets(reports, 'S3CRET');
});

test('a broker that accepts and never acknowledges does not stop the end of the monitor', async () => {
  const { output } = await brokerThat((socket) => socket.write(accepted()));
  await output.close(500);
  expect(output.counts).toEqual({ delivered: 0, lost: 1, waiting: 0 });
});
