import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { type ConnectionOptions, connect as connectSecurely, type TLSSocket } from 'node:tls';
import { MemoryStorage } from '@azimuth/device';
import { type BundleData, bundleOf, chain, issue, rsaKeys } from '@azimuth/test-support/certificates';
import { Client, dataOf, statusOf } from '@azimuth/test-support/client';
import { FaultyStorage } from '@azimuth/test-support/faulty-storage';
import { listens, RawConnection } from '@azimuth/test-support/raw-connection';
import { bootMilliseconds, TestScanner } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';
import { describe, expect, onTestFinished, test } from 'vitest';

const done = { success: true, errorCode: { error: 'None' } };
const leaf = issue();
const trust: ConnectionOptions = { ca: leaf.certificate, servername: 'localhost' };

async function set(scanner: TestScanner, data: BundleData = bundleOf([leaf])): Promise<unknown> {
  return dataOf(await new Client(scanner.httpPort).call('setCertificateBundle', data));
}

/** A scanner with HTTPS up. */
async function started(options: Parameters<typeof TestScanner.start>[0] = {}): Promise<TestScanner> {
  const scanner = await TestScanner.start(options);
  expect(await set(scanner)).toEqual(done);
  return scanner;
}

function over(scanner: TestScanner, tls: ConnectionOptions = trust, keepAlive = false): Client {
  const client = new Client(scanner.httpsPort, { tls, keepAlive });
  onTestFinished(() => client.close());
  return client;
}

/** A TLS connection that ends with the test, written and read byte by byte. */
async function connect(scanner: TestScanner, options: ConnectionOptions = trust): Promise<TLSSocket> {
  const socket = connectSecurely({ host: '127.0.0.1', port: scanner.httpsPort, ...options });
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

/** Sends a request on an open connection, and returns the response. */
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

async function status(scanner: TestScanner): Promise<unknown> {
  return scanner.client().value('httpsStatus');
}

describe('HTTPS', () => {
  test('is down without a certificate bundle; its port is reserved', async () => {
    const scanner = await TestScanner.start();
    expect(scanner.httpsPort).not.toBe(scanner.httpPort);
    expect(await listens(scanner.httpsPort)).toBe(false);
    expect(scanner.service.httpsUrl).toBeUndefined();
    // Other programs that open any free port do not get it meanwhile.
    expect(scanner.httpsPort).toBeGreaterThanOrEqual(20_000);
    expect(scanner.httpsPort).toBeLessThan(32_768);
  });

  test('is up on its port when the bundle is set, and HTTP stays', async () => {
    const scanner = await TestScanner.start();
    const port = scanner.httpsPort;
    expect(await set(scanner)).toEqual(done);
    expect(scanner.httpsPort).toBe(port);
    expect(scanner.service.httpsUrl).toBe(`https://127.0.0.1:${port}`);
    expect(await over(scanner).value('DeviceStatus')).toBe(3);
    expect(await scanner.client().value('DeviceStatus')).toBe(3);
    expect(await over(scanner).value('httpsStatus')).toEqual({ enabled: true, errorCode: { error: 'None' } });
  });

  test.each([2, 3, 4])(
    'sends the whole chain of %i: a client needs only the last certificate',
    async (length) => {
      const issued = chain(length);
      const scanner = await TestScanner.start();
      expect(await set(scanner, bundleOf(issued.slice(0, -1)))).toEqual(done);
      const tls = { ca: issued.at(-1)?.certificate, servername: 'localhost' };
      expect(await over(scanner, tls).value('DeviceStatus')).toBe(3);
      await expect(over(scanner, { servername: 'localhost' }).value('DeviceStatus')).rejects.toThrow(
        /certificate/,
      );
    },
  );

  test.each([
    ['RSA', rsaKeys()],
    ['Ed25519', generateKeyPairSync('ed25519')],
    ['Ed448', generateKeyPairSync('ed448')],
  ])('works with a key of the kind %s', async (_, keys) => {
    const issued = issue({ keys });
    const scanner = await TestScanner.start();
    expect(await set(scanner, bundleOf([issued]))).toEqual(done);
    expect(await over(scanner, { ...trust, ca: issued.certificate }).value('DeviceStatus')).toBe(3);
  });

  test.each(['DeviceIdent', 'LocationName'])('answers a read of %s as HTTP does', async (name) => {
    const scanner = await started();
    const [plain, secure] = await Promise.all([scanner.client().get(name), over(scanner).get(name)]);
    expect(secure.text).toBe(plain.text);
  });

  test.each(['/metrics', '/docs', '/healthz', '/openapi.json', '/x/stored', '/nothing'])(
    'serves %s',
    async (path) => {
      const scanner = await started();
      const plain = await scanner.client().send({ method: 'GET', path });
      const secure = await over(scanner).send({ method: 'GET', path });
      expect([secure.httpStatus, secure.headers['content-type']]).toEqual([
        plain.httpStatus,
        plain.headers['content-type'],
      ]);
    },
  );

  test('supports logins, many requests on one connection, and the rate limit', async () => {
    const scanner = await started({ web: { rateLimit: 50 } });
    const client = over(scanner, trust, true);
    expect(statusOf(await client.write('LocationName', 'Gate 3'))).toBe(0);
    expect(await client.value('LocationName')).toBe('Gate 3');
    const replies = await Promise.all(Array.from({ length: 60 }, () => client.get('DeviceStatus')));
    expect(replies.map(({ httpStatus }) => httpStatus)).toContain(429);
  });

  test('is back after a reboot on the same port, with the same certificate', async () => {
    const scanner = await started();
    const port = scanner.httpsPort;
    const idle = await connect(scanner);
    await over(scanner).call('RebootDevice');
    await once(idle, 'close');
    await until(() => scanner.service.device.lifecycle.phase === 'down');
    expect(await listens(port)).toBe(false);
    scanner.clock.advance(bootMilliseconds);
    await until(() => scanner.service.httpsUrl !== undefined);
    expect(scanner.httpsPort).toBe(port);
    expect(await over(scanner).value('DeviceStatus')).toBe(3);
  });

  test('is up from the start in a new process', async () => {
    const storage = new MemoryStorage();
    const first = await started({ storage });
    await first.service.close();
    const second = await TestScanner.start({ storage });
    expect(second.service.httpsUrl).toBe(`https://127.0.0.1:${second.httpsPort}`);
    expect(await over(second).value('DeviceStatus')).toBe(3);
  });

  test('is switched off and on with the web server', async () => {
    const scanner = await started();
    await scanner.client().call('SetWebserverEnabled', { Enable: false });
    expect(await over(scanner).value('DeviceStatus')).toBe(3);
    const boot = async () => {
      scanner.service.device.lifecycle.reboot();
      scanner.clock.advance(bootMilliseconds);
      await until(() => scanner.service.device.lifecycle.phase === 'up');
    };
    await boot();
    expect(await listens(scanner.httpsPort)).toBe(false);
    expect(scanner.service.httpsUrl).toBeUndefined();
    await scanner.service.device.features.webserver.set(true);
    await boot();
    await until(() => scanner.service.httpsUrl !== undefined);
    expect(await over(scanner).value('DeviceStatus')).toBe(3);
  });

  test('moves with the network, as HTTP does', async () => {
    const scanner = await started({ network: { follows: true, address: '127.0.0.1' } });
    await scanner.client().write('EtherIPAddress', [127, 0, 0, 7]);
    await scanner.client().call('EthernetUpdate');
    await until(() => scanner.service.httpsUrl?.includes('127.0.0.7') === true);
    expect(await listens(scanner.httpsPort)).toBe(false);
    const moved = new Client(scanner.httpsPort, { host: '127.0.0.7', tls: trust });
    expect(await moved.value('DeviceStatus')).toBe(3);
  });

  test('continues when its certificate expires', async () => {
    const scanner = await TestScanner.start();
    const short = issue({ until: new Date(Date.UTC(2026, 0, 15, 13)) });
    await set(scanner, bundleOf([short]));
    scanner.clock.advance(2 * 3_600_000);
    const careless = over(scanner, { rejectUnauthorized: false });
    expect(await careless.value('httpsStatus')).toMatchObject({
      enabled: true,
      errorCode: { error: /has expired/ },
    });
  });
});

describe('another bundle', () => {
  const next = issue({ name: 'next.test' });

  test('is used for new connections, and open ones stay', async () => {
    const scanner = await started();
    const before = await connect(scanner);
    expect(await set(scanner, bundleOf([next]))).toEqual(done);
    expect(await ask(before)).toContain('"DeviceStatus":3');
    expect(
      (await connect(scanner, { rejectUnauthorized: false })).getPeerX509Certificate()?.subject,
    ).toContain('next.test');
    await expect(connect(scanner)).rejects.toThrow(/self-signed/);
    expect(await ask(before)).toContain('"DeviceStatus":3');
  });

  test('may be set over HTTPS itself', async () => {
    const scanner = await started();
    const reply = await over(scanner).call('setCertificateBundle', bundleOf([next]));
    expect(dataOf(reply)).toEqual(done);
    expect(reply.headers.connection).toBe('close');
    expect(await over(scanner, { ...trust, ca: next.certificate }).value('DeviceStatus')).toBe(3);
  });

  test('that is refused does not replace the previous one', async () => {
    const scanner = await started();
    const open = await connect(scanner);
    const refusal = await set(scanner, bundleOf([next], leaf.keys));
    expect(refusal).toEqual({
      success: false,
      errorCode: { error: 'The private key does not belong to certificate 1' },
    });
    expect(await ask(open)).toContain('"DeviceStatus":3');
    expect(await over(scanner).value('DeviceStatus')).toBe(3);
  });

  test('that cannot be stored does not replace the previous one', async () => {
    const storage = new FaultyStorage();
    const scanner = await started({ storage });
    storage.fail('certificates.json');
    const reply = await scanner.client().call('setCertificateBundle', bundleOf([next]));
    expect(statusOf(reply)).toBe(3);
    expect(await over(scanner).value('DeviceStatus')).toBe(3);
  });
});

describe('removing the bundle', () => {
  test('closes the port and its connections, and HTTP stays', async () => {
    const scanner = await started();
    const port = scanner.httpsPort;
    const [idle, used] = [await connect(scanner), await connect(scanner)];
    await ask(used);
    const handshaking = await RawConnection.open(port);
    expect(dataOf(await scanner.client().call('removeCertificateBundle'))).toEqual(done);
    await Promise.all([once(idle, 'close'), once(used, 'close'), handshaking.closed]);
    expect(await listens(port)).toBe(false);
    expect(scanner.httpsPort).toBe(port);
    expect(await status(scanner)).toEqual({ enabled: false, errorCode: { error: 'None' } });
  });

  test('over HTTPS itself is answered before the port closes', async () => {
    const scanner = await started();
    const reply = await over(scanner, trust, true).call('removeCertificateBundle');
    expect(dataOf(reply)).toEqual(done);
    expect(reply.headers.connection).toBe('close');
    await until(() => scanner.service.httpsUrl === undefined);
    expect(await listens(scanner.httpsPort)).toBe(false);
  });

  test('and setting one again opens HTTPS on the same port', async () => {
    const scanner = await started();
    const port = scanner.httpsPort;
    await scanner.client().call('removeCertificateBundle');
    expect(await set(scanner)).toEqual(done);
    expect(scanner.httpsPort).toBe(port);
    expect(await over(scanner).value('DeviceStatus')).toBe(3);
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

describe('a port that is in use', () => {
  test('keeps HTTPS down, is reported, and is retried until it is free', async () => {
    const scanner = await TestScanner.start();
    const port = scanner.httpsPort;
    const thief = await occupy(port);
    const error = `Port ${port} on 127.0.0.1 is in use`;
    expect(await set(scanner)).toEqual({ success: true, errorCode: { error } });
    expect(await status(scanner)).toEqual({ enabled: false, errorCode: { error } });
    expect(scanner.log.errors.map(({ message }) => message)).toContain(
      'HTTPS cannot open its port; trying again',
    );
    expect(await scanner.client().value('DeviceStatus')).toBe(3);
    await thief.leave();
    scanner.clock.advance(1000);
    await until(() => scanner.service.httpsUrl !== undefined);
    expect(await status(scanner)).toEqual({ enabled: true, errorCode: { error: 'None' } });
    expect(await over(scanner).value('DeviceStatus')).toBe(3);
  });

  test('does not matter at a start without a bundle', async () => {
    const { port } = await occupy();
    const scanner = await TestScanner.start({ web: { httpsPort: port } });
    expect(scanner.httpsPort).toBe(port);
  });

  test('makes a start with a bundle fail, and the error names the port', async () => {
    const storage = new MemoryStorage();
    await (await started({ storage })).service.close();
    const { port } = await occupy();
    await expect(TestScanner.start({ storage, web: { httpsPort: port } })).rejects.toThrow(
      `Port ${port} on 127.0.0.1 is in use. Stop the program that uses it, or choose another port with --https-port`,
    );
  });
});

describe('TLS', () => {
  test.each(['TLSv1.2', 'TLSv1.3'] as const)('%s is supported, with ALPN http/1.1', async (version) => {
    const scanner = await started();
    const socket = await connect(scanner, {
      ...trust,
      minVersion: version,
      maxVersion: version,
      ALPNProtocols: ['h2', 'http/1.1'],
    });
    expect([socket.getProtocol(), socket.alpnProtocol]).toEqual([version, 'http/1.1']);
    expect(await ask(socket)).toContain('"DeviceStatus":3');
  });

  test.each(['TLSv1', 'TLSv1.1'] as const)('%s is not supported', async (version) => {
    const scanner = await started();
    const old = { ...trust, minVersion: version, maxVersion: version, ciphers: 'DEFAULT:@SECLEVEL=0' };
    await expect(connect(scanner, old)).rejects.toThrow(/version|closed/);
  });

  test.each([
    'AES128-SHA',
    'ECDHE-ECDSA-AES128-SHA',
    'ECDHE-ECDSA-AES128-SHA256',
    'DHE-RSA-AES128-GCM-SHA256',
  ])('the cipher %s is refused', async (ciphers) => {
    const scanner = await started();
    await expect(connect(scanner, { ...trust, ciphers, maxVersion: 'TLSv1.2' })).rejects.toThrow(
      /handshake|closed/,
    );
  });

  test('renegotiation on a connection is refused', async () => {
    const scanner = await started();
    const socket = await connect(scanner, { ...trust, maxVersion: 'TLSv1.2' });
    const refused = await new Promise<Error | null>((resolve) => {
      socket.once('error', resolve);
      socket.once('close', () => resolve(new Error('closed')));
      socket.renegotiate({ rejectUnauthorized: false }, resolve);
    });
    expect(refused).toBeInstanceOf(Error);
  });

  test('plain HTTP on its port is closed, and counted', async () => {
    const scanner = await started();
    const plain = await RawConnection.open(scanner.httpsPort);
    plain.request('GET /api/DeviceStatus');
    await plain.closed;
    const metrics = await scanner.client().send({ method: 'GET', path: '/metrics' });
    expect(metrics.text).toContain('azimuth_turned_away_total{reason="handshake"} 1');
    expect(scanner.log.errors).toEqual([]);
    expect(await over(scanner).value('DeviceStatus')).toBe(3);
  });

  test('on the port of HTTP is refused in JSON, as without HTTPS', async () => {
    const scanner = await started();
    const socket = connectSecurely({ host: '127.0.0.1', port: scanner.httpPort, ...trust });
    await expect(once(socket, 'secureConnect')).rejects.toThrow();
    expect(await scanner.client().value('DeviceStatus')).toBe(3);
  });

  test('a handshake that takes too long is closed', { timeout: 5000 }, async () => {
    const scanner = await started({ web: { timeouts: { headers: 100 } } });
    const silent = await RawConnection.open(scanner.httpsPort);
    const slow = await RawConnection.open(scanner.httpsPort);
    slow.write(Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00]));
    const ended = await RawConnection.open(scanner.httpsPort);
    ended.socket.end(Buffer.from([0x16]));
    await Promise.all([silent.closed, slow.closed, ended.closed]);
    expect(await over(scanner).value('DeviceStatus')).toBe(3);
  });

  test('an encrypted connection without a request is HTTP 408', { timeout: 5000 }, async () => {
    const scanner = await started({ web: { timeouts: { headers: 100 } } });
    const text = await received(await connect(scanner));
    expect(text).toMatch(/^HTTP\/1\.1 408 [\s\S]*"status":1/);
  });

  test('data that is not HTTP is refused in JSON', async () => {
    const scanner = await started();
    const socket = await connect(scanner);
    socket.write('NONSENSE\r\n\r\n');
    expect(await received(socket)).toMatch(/^HTTP\/1\.1 400 [\s\S]*"status":1/);
  });

  test('a client that closes its sending side after its requests gets the answers', async () => {
    const scanner = await started();
    const halfOpen = { ...trust, allowHalfOpen: true };
    const socket = await connect(scanner, halfOpen);
    socket.end(request);
    expect(await received(socket)).toContain('"DeviceStatus":3');
  });

  test('a client that refuses the certificate affects nothing else', async () => {
    const scanner = await started();
    await expect(connect(scanner, { servername: 'localhost' })).rejects.toThrow();
    await until(() => scanner.service.httpsUrl !== undefined);
    expect(await over(scanner).value('DeviceStatus')).toBe(3);
    expect(scanner.log.errors).toEqual([]);
  });
});

describe('connections over HTTP and HTTPS are counted together', () => {
  test('a TLS connection above the limit gets status 11', async () => {
    const scanner = await started({ web: { maxConnections: 2 } });
    const client = scanner.client();
    await client.get('DeviceStatus');
    const second = await connect(scanner);
    await ask(second);
    const third = await connect(scanner);
    third.write(request);
    expect(await received(third)).toContain('"status":11');
    expect(await ask(second)).toContain('"DeviceStatus":3');
  });

  test('unfinished handshakes are closed for connections with requests', async () => {
    const scanner = await started({ web: { maxConnections: 66 } });
    const port = scanner.httpsPort;
    const asking = await connect(scanner);
    await ask(asking);
    const waiting: RawConnection[] = [];
    for (let count = 0; count < 65; count++) waiting.push(await RawConnection.open(port));
    onTestFinished(() => {
      for (const connection of waiting) connection.destroy();
    });
    expect(await over(scanner).value('DeviceStatus')).toBe(3);
    await waiting[0]?.closed;
    expect(waiting.filter(({ isClosed }) => isClosed)).toHaveLength(1);
    expect(await ask(asking)).toContain('"DeviceStatus":3');
  });

  test('the count is 0 when all are closed', async () => {
    const scanner = await started();
    const sockets = [await connect(scanner), await connect(scanner)];
    const raw = await RawConnection.open(scanner.httpsPort);
    for (const socket of sockets) socket.destroy();
    raw.destroy();
    const count = async () => {
      const { text } = await new Client(scanner.httpPort).send({ method: 'GET', path: '/metrics' });
      return Number(/^azimuth_connections (\d+)$/m.exec(text)?.[1]);
    };
    await expect.poll(count).toBeLessThanOrEqual(2);
  });
});

test('a release without HTTPS has no port for it', async () => {
  const scanner = await TestScanner.start({ release: '1.5.0' });
  expect(scanner.service.ports.https).toBeNull();
});
