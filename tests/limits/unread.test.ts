import { expect, test } from 'vitest';
import { open } from '../support/raw-connection.js';
import { Bench } from '../support/scanner-process.js';
import { until } from '../support/waiting.js';

const read = Buffer.from('GET /api/LocationName HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(25_000));

test('who asks for thousands of answers and reads none is cut off, and others are served meanwhile', async () => {
  const scanner = await new Bench().start();
  const client = scanner.client();
  const connectionsOpen = async () => {
    const { text } = await client.send({ method: 'GET', path: '/metrics' });
    return Number(/^azimuth_connections (\d+)$/m.exec(text)?.[1]);
  };
  const connections = await Promise.all(Array.from({ length: 40 }, () => open(Number(scanner.httpPort))));
  for (const { socket } of connections) {
    socket.pause();
    socket.write(read);
  }
  await until(async () => {
    expect(await client.value('LocationName')).toBe('not defined');
    return (await connectionsOpen()) === 1;
  });
});
