import { once } from 'node:events';
import { RosbridgeServer } from '@azimuth/test-support/rosbridge-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RosbridgeConnection } from '../../src/rosbridge/rosbridge-connection.js';

const topic = '/log';

async function connected() {
  const server = await RosbridgeServer.open(2);
  const lines: string[] = [];
  const states: boolean[] = [];
  const pauses: number[] = [];
  const connection = new RosbridgeConnection({
    url: `${server.url}?token=secret`,
    topics: [{ topic, type: 'std_msgs/msg/String', latch: false }],
    onLine: (line) => lines.push(line),
    onConnected: (state) => states.push(state),
    wait: async (ms) => {
      pauses.push(ms);
      await new Promise((resolve) => setImmediate(resolve));
    },
  });
  const stop = new AbortController();
  const running = connection.run(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await running;
  });
  await expect.poll(() => server.advertised.size).toBe(1);
  return { server, connection, lines, states, pauses };
}

describe('a connection to rosbridge', () => {
  it('loses messages and nothing else if the server is slow, and keeps no more than the newest', async () => {
    const { server, connection } = await connected();
    server.sockets[0]?.pause();
    const long = 'x'.repeat(100_000);
    let sent = 0;
    while (connection.dropped === 0) {
      connection.publish(topic, { data: `${long}${sent++}` });
      await new Promise((resolve) => setImmediate(resolve));
    }
    for (let more = 0; more < 100; more++) connection.publish(topic, { data: `${more}` });
    connection.publish(topic, { data: 'newest' });
    server.sockets[0]?.resume();
    await expect.poll(() => server.of(topic).at(-1)?.msg).toEqual({ data: 'newest' });
    expect(server.published.length).toBe(sent + 101 - connection.dropped);
    expect([server.mistakes, server.connections]).toEqual([[], 1]);
  });

  it('shows what the server says of errors, once, and nothing else that it sends', async () => {
    const { server, lines } = await connected();
    const [socket] = server.sockets;
    const error = JSON.stringify({ op: 'status', level: 'error', msg: 'x'.repeat(1000), id: topic });
    for (const text of [
      'no JSON',
      'null',
      JSON.stringify({ op: 'status', level: 'info', msg: 'hello' }),
      error,
      error,
    ])
      socket?.send(text);
    socket?.send(Buffer.alloc(1000, 7));
    await expect.poll(() => lines.length).toBe(2);
    expect(lines[1]).toBe(`the server says about ${topic}: ${'x'.repeat(300)}`);
    expect(lines.join()).not.toContain('secret');
  });

  it('says what the server refuses again and again once, and no more than fifty of its messages', async () => {
    const { server, lines } = await connected();
    const [socket] = server.sockets;
    const refuse = (msg: string) => socket?.send(JSON.stringify({ op: 'status', level: 'error', msg }));
    for (let round = 0; round < 20; round++) for (const msg of ['one', 'other']) refuse(msg);
    for (let number = 0; number < 200; number++) refuse(`${number}`);
    // Its answer comes when the client has read everything before it.
    socket?.ping();
    if (socket !== undefined) await once(socket, 'pong');
    expect(lines).toHaveLength(51);
    expect(lines.slice(1, 4)).toEqual(['one', 'other', '0'].map((msg) => `the server says: ${msg}`));
  });

  it('ends with a server that sends too much, and pauses longer each time', async () => {
    const { server, states, pauses } = await connected();
    server.server.on('connection', (socket) => socket.send('x'.repeat(100_000)));
    server.sockets[0]?.send('x'.repeat(100_000));
    await expect.poll(() => pauses.length).toBeGreaterThan(7);
    expect(pauses.slice(0, 8)).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    expect(states.slice(0, 4)).toEqual([true, false, true, false]);
  });
});
