import { once } from 'node:events';
import { createServer } from 'node:net';
import { type ConnectionOptions, connect as connectSecurely, type TLSSocket } from 'node:tls';
import { MemoryStorage } from '@azimuth/device';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type BundleData, bundleOf, chain, issue, rsaKeys } from '../../../tests/support/certificates.js';
import { Client, dataOf, statusOf } from '../../../tests/support/client.js';
import { FaultyStorage } from '../../../tests/support/faulty-storage.js';
import { listens, RawConnection } from '../../../tests/support/raw-connection.js';
import { Bench, bootMilliseconds } from '../../../tests/support/service-test-bench.js';
import { until } from '../../../tests/support/waiting.js';

const done = { success: true, errorCode: { error: 'None' } };
const leaf = issue();
const trust: ConnectionOptions = { ca: leaf.certificate, servername: 'localhost' };

async function set(bench: Bench, data: BundleData = bundleOf([leaf])): Promise<unknown> {
  return dataOf(await new Client(bench.httpPort).call('setCertificateBundle', data));
}

/** A scanner with HTTPS up. */
async function started(options: Parameters<typeof Bench.start>[0] = {}): Promise<Bench> {
  const bench = await Bench.start(options);
  expect(await set(bench)).toEqual(done);
  return bench;
}

function over(bench: Bench, tls: ConnectionOptions = trust, keepAlive = false): Client {
  const client = new Client(bench.httpsPort, { tls, keepAlive });
  onTestFinished(() => client.close());
  return client;
}

/** A TLS connection that ends with the test, written and read byte by byte. */
async function connect(bench: Bench, options: ConnectionOptions = trust): Promise<TLSSocket> {
  const socket = connectSecurely({ host: '127.0.0.1', port: bench.httpsPort, ...options });
  socket.on('error', () => undefined);
  onTestFinished(() => {
    socket.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('secureConnect', resolve);
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('closed')));
  });
  return socket;
}

const request = 'GET /api/DeviceStatus HTTP/1.1\r\nHost: scanner\r\n\r\n';

/** Asks on an open connection, and answers what comes. */
async function ask(socket: TLSSocket, text = request): Promise<string> {
  socket.write(text);
  const [answer] = await once(socket, 'data');
  return String(answer);
}

async function received(socket: TLSSocket): Promise<string> {
  let text = '';
  socket.on('data', (part: Buffer) => {
    text += part;
  });
  if (!socket.closed) await once(socket, 'close');
  return text;
}

async function status(bench: Bench): Promise<unknown> {
  return bench.client().value('httpsStatus');
}

describe('HTTPS', () => {
  test('is down without a bundle, on a port that is kept for it', async () => {
    const bench = await Bench.start();
    expect(bench.httpsPort).toBeGreaterThan(0);
    expect(bench.httpsPort).not.toBe(bench.httpPort);
    expect(await listens(bench.httpsPort)).toBe(false);
    expect(bench.service.httpsUrl).toBeUndefined();
  });

  test('is up when a bundle has been answered, on its port, and HTTP stays', async () => {
    const bench = await Bench.start();
    const port = bench.httpsPort;
    expect(await set(bench)).toEqual(done);
    expect(bench.httpsPort).toBe(port);
    expect(bench.service.httpsUrl).toBe(`https://127.0.0.1:${port}`);
    expect(await over(bench).value('DeviceStatus')).toBe(3);
    expect(await bench.client().value('DeviceStatus')).toBe(3);
    expect(await over(bench).value('httpsStatus')).toEqual({ enabled: true, errorCode: { error: 'None' } });
  });

  test.each([2, 3, 4])('shows the whole chain of %i: a client needs the last one alone', async (length) => {
    const issued = chain(length);
    const bench = await Bench.start();
    expect(await set(bench, bundleOf(issued.slice(0, -1)))).toEqual(done);
    const tls = { ca: issued.at(-1)?.certificate, servername: 'localhost' };
    expect(await over(bench, tls).value('DeviceStatus')).toBe(3);
    await expect(over(bench, { servername: 'localhost' }).value('DeviceStatus')).rejects.toThrow(
      /certificate/,
    );
  });

  test('works with an RSA key', async () => {
    const rsa = issue({ keys: rsaKeys() });
    const bench = await Bench.start();
    expect(await set(bench, bundleOf([rsa]))).toEqual(done);
    expect(await over(bench, { ...trust, ca: rsa.certificate }).value('DeviceStatus')).toBe(3);
  });

  test.each(['DeviceIdent', 'LocationName'])('answers a read of %s as HTTP does', async (name) => {
    const bench = await started();
    const [plain, secure] = await Promise.all([bench.client().get(name), over(bench).get(name)]);
    expect(secure.text).toBe(plain.text);
  });

  test.each(['/metrics', '/docs', '/healthz', '/openapi.json', '/x/stored', '/nothing'])(
    'serves %s',
    async (path) => {
      const bench = await started();
      const plain = await bench.client().send({ method: 'GET', path });
      const secure = await over(bench).send({ method: 'GET', path });
      expect([secure.httpStatus, secure.headers['content-type']]).toEqual([
        plain.httpStatus,
        plain.headers['content-type'],
      ]);
    },
  );

  test('takes a whole login, many requests on one connection, and a rate', async () => {
    const bench = await started({ web: { rateLimit: 50 } });
    const client = over(bench, trust, true);
    expect(statusOf(await client.write('LocationName', 'Gate 3'))).toBe(0);
    expect(await client.value('LocationName')).toBe('Gate 3');
    const replies = await Promise.all(Array.from({ length: 60 }, () => client.get('DeviceStatus')));
    expect(replies.map(({ httpStatus }) => httpStatus)).toContain(429);
  });

  test('is back after a reboot on the same port, with the same certificate', async () => {
    const bench = await started();
    const port = bench.httpsPort;
    const idle = await connect(bench);
    await over(bench).call('RebootDevice');
    await once(idle, 'close');
    await until(() => bench.service.device.lifecycle.phase === 'down');
    expect(await listens(port)).toBe(false);
    bench.clock.advance(bootMilliseconds);
    await until(() => bench.service.httpsUrl !== undefined);
    expect(bench.httpsPort).toBe(port);
    expect(await over(bench).value('DeviceStatus')).toBe(3);
  });

  test('is up from the start in a new process', async () => {
    const storage = new MemoryStorage();
    const first = await started({ storage });
    await first.service.close();
    const second = await Bench.start({ storage });
    expect(second.service.httpsUrl).toBe(`https://127.0.0.1:${second.httpsPort}`);
    expect(await over(second).value('DeviceStatus')).toBe(3);
  });

  test('goes off with the web server, and comes back with it', async () => {
    const bench = await started();
    await bench.client().call('SetWebserverEnabled', { Enable: false });
    expect(await over(bench).value('DeviceStatus')).toBe(3);
    const boot = async () => {
      bench.service.device.lifecycle.reboot();
      bench.clock.advance(bootMilliseconds);
      await until(() => bench.service.device.lifecycle.phase === 'up');
    };
    await boot();
    expect(await listens(bench.httpsPort)).toBe(false);
    expect(bench.service.httpsUrl).toBeUndefined();
    await bench.service.device.webserver.set(true);
    await boot();
    await until(() => bench.service.httpsUrl !== undefined);
    expect(await over(bench).value('DeviceStatus')).toBe(3);
  });

  test('moves with the network, as HTTP does', async () => {
    const bench = await started({ network: { mode: 'rebind', host: '127.0.0.1' } });
    await bench.client().write('EtherIPAddress', [127, 0, 0, 7]);
    await bench.client().call('EthernetUpdate');
    await until(() => bench.service.httpsUrl?.includes('127.0.0.7') === true);
    expect(await listens(bench.httpsPort)).toBe(false);
    const moved = new Client(bench.httpsPort, { host: '127.0.0.7', tls: trust });
    expect(await moved.value('DeviceStatus')).toBe(3);
  });

  test('goes on when its certificate expires', async () => {
    const bench = await Bench.start();
    const short = issue({ until: new Date(Date.UTC(2026, 0, 15, 13)) });
    await set(bench, bundleOf([short]));
    bench.clock.advance(2 * 3_600_000);
    const careless = over(bench, { rejectUnauthorized: false });
    expect(await careless.value('httpsStatus')).toMatchObject({
      enabled: true,
      errorCode: { error: /has expired/ },
    });
  });
});

describe('another bundle', () => {
  const next = issue({ name: 'next.test' });

  test('is shown to new connections, and open ones live on', async () => {
    const bench = await started();
    const before = await connect(bench);
    expect(await set(bench, bundleOf([next]))).toEqual(done);
    expect(await ask(before)).toContain('"DeviceStatus":3');
    expect((await connect(bench, { rejectUnauthorized: false })).getPeerX509Certificate()?.subject).toContain(
      'next.test',
    );
    await expect(connect(bench)).rejects.toThrow(/self-signed/);
    expect(await ask(before)).toContain('"DeviceStatus":3');
  });

  test('may come over HTTPS itself', async () => {
    const bench = await started();
    const reply = await over(bench).call('setCertificateBundle', bundleOf([next]));
    expect(dataOf(reply)).toEqual(done);
    expect(reply.headers.connection).toBe('close');
    expect(await over(bench, { ...trust, ca: next.certificate }).value('DeviceStatus')).toBe(3);
  });

  test('that is refused leaves the one before in use', async () => {
    const bench = await started();
    const open = await connect(bench);
    const refusal = await set(bench, bundleOf([next], leaf.keys));
    expect(refusal).toEqual({
      success: false,
      errorCode: { error: 'The private key does not belong to certificate 1' },
    });
    expect(await ask(open)).toContain('"DeviceStatus":3');
    expect(await over(bench).value('DeviceStatus')).toBe(3);
  });

  test('that cannot be stored leaves the one before in use', async () => {
    const storage = new FaultyStorage();
    const bench = await started({ storage });
    storage.fail('certificates.json');
    const reply = await bench.client().call('setCertificateBundle', bundleOf([next]));
    expect(statusOf(reply)).toBe(3);
    expect(await over(bench).value('DeviceStatus')).toBe(3);
  });
});

describe('removing the bundle', () => {
  test('closes the port and what is open on it, and HTTP stays', async () => {
    const bench = await started();
    const port = bench.httpsPort;
    const [idle, used] = [await connect(bench), await connect(bench)];
    await ask(used);
    const handshaking = await RawConnection.open(port);
    expect(dataOf(await bench.client().call('removeCertificateBundle'))).toEqual(done);
    await Promise.all([once(idle, 'close'), once(used, 'close'), handshaking.closed]);
    expect(await listens(port)).toBe(false);
    expect(bench.httpsPort).toBe(port);
    expect(await status(bench)).toEqual({ enabled: false, errorCode: { error: 'None' } });
  });

  test('over HTTPS itself is answered first', async () => {
    const bench = await started();
    const reply = await over(bench, trust, true).call('removeCertificateBundle');
    expect(dataOf(reply)).toEqual(done);
    expect(reply.headers.connection).toBe('close');
    await until(() => bench.service.httpsUrl === undefined);
    expect(await listens(bench.httpsPort)).toBe(false);
  });

  test('and setting one again brings HTTPS up on the same port', async () => {
    const bench = await started();
    const port = bench.httpsPort;
    await bench.client().call('removeCertificateBundle');
    expect(await set(bench)).toEqual(done);
    expect(bench.httpsPort).toBe(port);
    expect(await over(bench).value('DeviceStatus')).toBe(3);
  });
});

/** Another program on the port of HTTPS, or on any. */
async function occupy(port = 0): Promise<{ port: number; leave: () => Promise<unknown> }> {
  const server = createServer((socket) => socket.destroy());
  server.listen({ host: '127.0.0.1', port, exclusive: true });
  await once(server, 'listening');
  const leave = async () => {
    if (!server.listening) return;
    server.close();
    await once(server, 'close');
  };
  onTestFinished(async () => {
    await leave();
  });
  const address = server.address();
  return { port: typeof address === 'object' && address !== null ? address.port : 0, leave };
}

describe('a port that somebody else has', () => {
  test('keeps HTTPS down, is told, and is asked for until it is free', async () => {
    const bench = await Bench.start();
    const port = bench.httpsPort;
    const thief = await occupy(port);
    const error = `Port ${port} on 127.0.0.1 is in use`;
    expect(await set(bench)).toEqual({ success: true, errorCode: { error } });
    expect(await status(bench)).toEqual({ enabled: false, errorCode: { error } });
    expect(bench.log.errors.map(({ message }) => message)).toContain(
      'HTTPS cannot open its port; trying again',
    );
    expect(await bench.client().value('DeviceStatus')).toBe(3);
    await thief.leave();
    bench.clock.advance(1000);
    await until(() => bench.service.httpsUrl !== undefined);
    expect(await status(bench)).toEqual({ enabled: true, errorCode: { error: 'None' } });
    expect(await over(bench).value('DeviceStatus')).toBe(3);
  });

  test('does not matter at a start without a bundle', async () => {
    const { port } = await occupy();
    const bench = await Bench.start({ web: { httpsPort: port } });
    expect(bench.httpsPort).toBe(port);
  });

  test('is refused at a start with one, by name', async () => {
    const storage = new MemoryStorage();
    await (await started({ storage })).service.close();
    const { port } = await occupy();
    await expect(Bench.start({ storage, web: { httpsPort: port } })).rejects.toThrow(
      `Port ${port} on 127.0.0.1 is in use. Stop the program that has it, or choose another one with --https-port`,
    );
  });
});

describe('TLS', () => {
  test.each(['TLSv1.2', 'TLSv1.3'] as const)('%s is spoken, with ALPN http/1.1', async (version) => {
    const bench = await started();
    const socket = await connect(bench, {
      ...trust,
      minVersion: version,
      maxVersion: version,
      ALPNProtocols: ['h2', 'http/1.1'],
    });
    expect([socket.getProtocol(), socket.alpnProtocol]).toEqual([version, 'http/1.1']);
    expect(await ask(socket)).toContain('"DeviceStatus":3');
  });

  test.each(['TLSv1', 'TLSv1.1'] as const)('%s is not', async (version) => {
    const bench = await started();
    const old = { ...trust, minVersion: version, maxVersion: version, ciphers: 'DEFAULT:@SECLEVEL=0' };
    await expect(connect(bench, old)).rejects.toThrow(/version|closed/);
  });

  test.each([
    'AES128-SHA',
    'ECDHE-ECDSA-AES128-SHA',
    'ECDHE-ECDSA-AES128-SHA256',
    'DHE-RSA-AES128-GCM-SHA256',
  ])('the cipher %s is not taken', async (ciphers) => {
    const bench = await started();
    await expect(connect(bench, { ...trust, ciphers, maxVersion: 'TLSv1.2' })).rejects.toThrow(
      /handshake|closed/,
    );
  });

  test('no second handshake is done on a connection', async () => {
    const bench = await started();
    const socket = await connect(bench, { ...trust, maxVersion: 'TLSv1.2' });
    const refused = await new Promise<Error | null>((resolve) => {
      socket.once('error', resolve);
      socket.once('close', () => resolve(new Error('closed')));
      socket.renegotiate({ rejectUnauthorized: false }, resolve);
    });
    expect(refused).toBeInstanceOf(Error);
  });

  test('plain HTTP on its port is closed, and counted', async () => {
    const bench = await started();
    const plain = await RawConnection.open(bench.httpsPort);
    plain.request('GET /api/DeviceStatus');
    await plain.closed;
    const metrics = await bench.client().send({ method: 'GET', path: '/metrics' });
    expect(metrics.text).toContain('azimuth_turned_away_total{reason="handshake"} 1');
    expect(bench.log.errors).toEqual([]);
    expect(await over(bench).value('DeviceStatus')).toBe(3);
  });

  test('on the port of HTTP is refused in JSON, as ever', async () => {
    const bench = await started();
    const socket = connectSecurely({ host: '127.0.0.1', port: bench.httpPort, ...trust });
    await expect(once(socket, 'secureConnect')).rejects.toThrow();
    expect(await bench.client().value('DeviceStatus')).toBe(3);
  });

  test('a handshake that does not end is cut off', { timeout: 5000 }, async () => {
    const bench = await started({ web: { timeouts: { headers: 100 } } });
    const silent = await RawConnection.open(bench.httpsPort);
    const slow = await RawConnection.open(bench.httpsPort);
    slow.write(Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00]));
    const ended = await RawConnection.open(bench.httpsPort);
    ended.socket.end(Buffer.from([0x16]));
    await Promise.all([silent.closed, slow.closed, ended.closed]);
    expect(await over(bench).value('DeviceStatus')).toBe(3);
  });

  test('no request on an encrypted connection is HTTP 408', { timeout: 5000 }, async () => {
    const bench = await started({ web: { timeouts: { headers: 100 } } });
    const text = await received(await connect(bench));
    expect(text).toMatch(/^HTTP\/1\.1 408 [\s\S]*"status":1/);
  });

  test('what is no HTTP is refused in JSON', async () => {
    const bench = await started();
    const socket = await connect(bench);
    socket.write('NONSENSE\r\n\r\n');
    expect(await received(socket)).toMatch(/^HTTP\/1\.1 400 [\s\S]*"status":1/);
  });

  test('who ends his side behind his requests is answered', async () => {
    const bench = await started();
    const halfOpen = { ...trust, allowHalfOpen: true };
    const socket = await connect(bench, halfOpen);
    socket.end(request);
    expect(await received(socket)).toContain('"DeviceStatus":3');
  });

  test('a client that turns away from our certificate does no harm', async () => {
    const bench = await started();
    await expect(connect(bench, { servername: 'localhost' })).rejects.toThrow();
    await until(() => bench.service.httpsUrl !== undefined);
    expect(await over(bench).value('DeviceStatus')).toBe(3);
    expect(bench.log.errors).toEqual([]);
  });
});

describe('connections over HTTP and HTTPS are counted together', () => {
  test('one too many is told so over TLS', async () => {
    const bench = await started({ web: { maxConnections: 2 } });
    const client = bench.client();
    await client.get('DeviceStatus');
    const second = await connect(bench);
    await ask(second);
    const third = await connect(bench);
    third.write(request);
    expect(await received(third)).toContain('"status":11');
    expect(await ask(second)).toContain('"DeviceStatus":3');
  });

  test('handshakes that do not end make room for who asks something', async () => {
    const bench = await started({ web: { maxConnections: 66 } });
    const port = bench.httpsPort;
    const asking = await connect(bench);
    await ask(asking);
    const waiting: RawConnection[] = [];
    for (let count = 0; count < 65; count++) waiting.push(await RawConnection.open(port));
    onTestFinished(() => {
      for (const connection of waiting) connection.destroy();
    });
    expect(await over(bench).value('DeviceStatus')).toBe(3);
    await waiting[0]?.closed;
    expect(waiting.filter(({ isClosed }) => isClosed)).toHaveLength(1);
    expect(await ask(asking)).toContain('"DeviceStatus":3');
  });

  test('none is left in the count when all are gone', async () => {
    const bench = await started();
    const sockets = [await connect(bench), await connect(bench)];
    const raw = await RawConnection.open(bench.httpsPort);
    for (const socket of sockets) socket.destroy();
    raw.destroy();
    const count = async () => {
      const { text } = await new Client(bench.httpPort).send({ method: 'GET', path: '/metrics' });
      return Number(/^azimuth_connections (\d+)$/m.exec(text)?.[1]);
    };
    await expect.poll(count).toBeLessThanOrEqual(2);
  });
});

test('a release without HTTPS has no port for it', async () => {
  const bench = await Bench.start({ release: '1.5.0' });
  expect(bench.service.ports.https).toBeNull();
});
