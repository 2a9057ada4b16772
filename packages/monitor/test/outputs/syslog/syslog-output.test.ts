import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { chain, issue, keyPem } from '@azimuth/test-support/certificates';
import { describe, expect, onTestFinished, test } from 'vitest';
import { syslogOutput } from '../../../src/outputs/syslog/syslog-output.js';
import { basics, condition, until } from '../outputs-of-tests.js';

/** A server of syslog that counts octets (RFC 6587) strictly, and tells its messages. */
class SyslogServer {
  readonly messages: string[] = [];
  readonly mistakes: string[] = [];
  readonly #sockets = new Set<Socket>();

  constructor(readonly server: Server) {
    const isTls = 'setSecureContext' in server;
    server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => this.#read(socket));
  }

  async listen(port = 0): Promise<number> {
    this.server.listen(port, '127.0.0.1');
    await once(this.server, 'listening');
    const address: AddressInfo | string | null = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
    return address.port;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    if (!this.server.listening) return;
    this.server.close();
    await once(this.server, 'close');
  }

  #read(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    let waiting = Buffer.alloc(0);
    socket.on('data', (bytes) => {
      waiting = Buffer.concat([waiting, bytes]);
      for (;;) {
        const space = waiting.indexOf(' ');
        if (space < 0) return;
        const length = waiting.subarray(0, space).toString();
        if (!/^[1-9]\d*$/.test(length)) {
          this.mistakes.push(length);
          return;
        }
        if (waiting.length < space + 1 + Number(length)) return;
        this.messages.push(waiting.subarray(space + 1, space + 1 + Number(length)).toString());
        waiting = waiting.subarray(space + 1 + Number(length));
      }
    });
  }
}

async function tcpServer(): Promise<{ server: SyslogServer; port: number }> {
  const server = new SyslogServer(createServer());
  onTestFinished(() => server.close());
  return { server, port: await server.listen() };
}

const texts = (messages: readonly string[]) =>
  messages.map((message) => /: Is too warm: (.*)$/.exec(message)?.[1]);

describe('syslog over TCP', () => {
  test('sends entries in order, with their lengths', async () => {
    const { server, port } = await tcpServer();
    const output = syslogOutput({ ...basics('syslog').options, url: `tcp://127.0.0.1:${port}` });
    for (const text of ['one', '2 °C', 'three']) output.accept(condition({ text }));
    await until(() => expect(server.messages).toHaveLength(3));
    expect([texts(server.messages), server.mistakes]).toEqual([['one', '2 °C', 'three'], []]);
    await output.close(1000);
  });

  test('connects again to a server that was restarted', async () => {
    const { server, port } = await tcpServer();
    const { options, reports } = basics('syslog');
    const output = syslogOutput({ ...options, url: `tcp://127.0.0.1:${port}` });
    output.accept(condition({ text: 'before' }));
    await until(() => expect(server.messages).toHaveLength(1));
    await server.close();
    await until(() => {
      output.accept(condition({ text: 'meanwhile' }));
      expect(reports.join()).toContain('syslog cannot send: ');
    });
    const again = new SyslogServer(createServer());
    onTestFinished(() => again.close());
    await again.listen(port);
    output.accept(condition({ text: 'after' }));
    await until(() => expect(texts(again.messages).at(-1)).toBe('after'));
    expect(reports.at(-1)).toBe('syslog works again');
    await output.close(1000);
  });

  test('goes on when the server does not read', async () => {
    const server = createServer((socket) => socket.pause());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
    const output = syslogOutput({
      ...basics('syslog', { entries: 5 }).options,
      url: `tcp://127.0.0.1:${address.port}`,
    });
    for (let index = 0; index < 5000; index++) output.accept(condition({ text: 'x'.repeat(4000) }));
    expect(output.counts.waiting).toBeLessThanOrEqual(5);
    expect(output.counts.lost).toBeGreaterThan(0);
    await output.close(100);
    server.close();
  });
});

describe('syslog over TLS', () => {
  const [leaf, authority] = chain(2);

  async function tlsServer() {
    if (leaf === undefined || authority === undefined) throw new Error('a chain of two');
    const server = new SyslogServer(createTlsServer({ cert: leaf.certificate, key: keyPem(leaf.keys) }));
    onTestFinished(() => server.close());
    return { server, port: await server.listen(), ca: authority.certificate };
  }

  test('sends to a server whose authority it has', async () => {
    const { server, port, ca } = await tlsServer();
    const output = syslogOutput({ ...basics('syslog').options, url: `tls://127.0.0.1:${port}`, ca });
    output.accept(condition({ text: 'one' }));
    await until(() => expect(texts(server.messages)).toEqual(['one']));
    await output.close(1000);
  });

  test.each([
    ['another authority', issue({ name: 'Another', ca: true }).certificate],
    ['no authority', undefined],
  ])('sends nothing to a server that is not trusted: %s', async (_, ca) => {
    const { server, port } = await tlsServer();
    const { options, reports } = basics('syslog');
    const output = syslogOutput({ ...options, url: `tls://127.0.0.1:${port}`, ca });
    output.accept(condition());
    await until(() => expect(reports.join()).toMatch(/syslog cannot send: .*certificate/));
    expect(server.messages).toEqual([]);
    await output.close(100);
    expect(output.counts).toEqual({ delivered: 0, lost: 1, waiting: 0 });
  });
});

describe('syslog over UDP', () => {
  test('sends each entry as a datagram', async () => {
    const socket = createSocket('udp4');
    onTestFinished(() => {
      socket.close();
    });
    const messages: string[] = [];
    socket.on('message', (bytes) => messages.push(bytes.toString()));
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    const output = syslogOutput({
      ...basics('syslog').options,
      url: `udp://127.0.0.1:${socket.address().port}`,
    });
    for (const text of ['one', 'two']) output.accept(condition({ text }));
    await until(() => expect(texts(messages)).toEqual(['one', 'two']));
    await output.close(1000);
    expect(output.counts.delivered).toBe(2);
  });
});

test('a filter leaves out what is not wanted', async () => {
  const { server, port } = await tcpServer();
  const { options } = basics('syslog');
  const filter = { severity: 'error', scanner: (name: string) => name === 'gate2' } as const;
  const output = syslogOutput({ ...options, filter, url: `tcp://127.0.0.1:${port}` });
  output.accept(condition({ scanner: 'gate1', severity: 'error' }));
  output.accept(condition({ scanner: 'gate2', severity: 'warning' }));
  output.accept(condition({ scanner: 'gate2', severity: 'error', text: 'wanted' }));
  await until(() => expect(texts(server.messages)).toEqual(['wanted']));
  await output.close(1000);
});
