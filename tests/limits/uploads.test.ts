import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { FolderStorage, MemoryStorage } from '@azimuth/device';
import { Client, type HttpResponse, statusOf } from '@azimuth/test-support/client';
import { FaultyStorage } from '@azimuth/test-support/faulty-storage';
import { temporaryFolder } from '@azimuth/test-support/files';
import type { RawConnection } from '@azimuth/test-support/raw-connection';
import { expectEnd, expectResponse, openAndSend, read } from '@azimuth/test-support/raw-connection';
import { TestScanner, type TestScannerOptions } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';
import { describe, expect, onTestFinished, test } from 'vitest';

const soon = { timeout: 20_000 };
const largest = 104_857_600;
const put = 'PUT /api/update HTTP/1.1\r\nHost: x\r\n';
const begun = `${put}Content-Length: 1000000\r\n\r\n`;
const period = 10_000;
const drain = 10_000;
const enough = 320 * 1024;

/** A scanner of a release that wants no session token. */
async function start(options: TestScannerOptions & { storage?: MemoryStorage } = {}): Promise<TestScanner> {
  const { storage = new MemoryStorage() } = options;
  await storage.write('firmware.json', Buffer.from('{"format":1,"release":"2.2.0","createdWith":"2.2.0"}'));
  return TestScanner.start({ ...options, storage });
}

/** Sends so many bytes, in chunks or with their length, piece by piece. */
function upload(port: number, bytes: number, headers = {}): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { port, method: 'PUT', path: '/api/update', headers, agent: false },
      (incoming) => {
        let text = '';
        incoming.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        incoming.on('end', () =>
          resolve({ httpStatus: incoming.statusCode ?? 0, headers: incoming.headers, text }),
        );
      },
    );
    outgoing.on('error', reject);
    const piece = Buffer.alloc(1024 * 1024);
    let left = bytes;
    const go = () => {
      while (left > 0) {
        const part = piece.subarray(0, left);
        left -= part.length;
        if (!outgoing.write(part)) return void outgoing.once('drain', go);
      }
      outgoing.end();
    };
    go();
  });
}

/** A transfer that has begun: its first bytes have come, and a second one is refused. */
async function half(scanner: TestScanner, text = `${begun}AZIMUTH`): Promise<RawConnection> {
  const connection = await openAndSend(scanner.httpPort, text);
  const client = scanner.client();
  let busy = false;
  while (!busy)
    busy = (await client.send({ method: 'PUT', path: '/api/update', body: '' })).httpStatus === 503;
  return connection;
}

async function expectFree(scanner: TestScanner): Promise<void> {
  const client = scanner.client();
  const upload = async () =>
    (await client.send({ method: 'PUT', path: '/api/update', body: 'x' })).httpStatus;
  await expect.poll(upload).toBe(200);
}

describe('the size of a firmware file', () => {
  test.each([
    ['with its length', { 'Content-Length': largest }],
    ['in chunks', {}],
  ])('may be 104857600 bytes %s', soon, async (_, headers) => {
    const storage = new MemoryStorage();
    const scanner = await start({ storage });
    const reply = await upload(scanner.httpPort, largest, headers);
    expect([reply.httpStatus, statusOf(reply)]).toEqual([200, 0]);
    expect(storage.documents.get('firmware.spk')?.length).toBe(largest);
  });

  test(
    'of one byte more in chunks is HTTP 413, also while it is sent, and the file before stays',
    soon,
    async () => {
      const storage = new MemoryStorage();
      const scanner = await start({ storage });
      await expectFree(scanner);
      const reply = await upload(scanner.httpPort, largest + 1);
      expect([reply.httpStatus, statusOf(reply)]).toEqual([413, 1]);
      expect(storage.documents.get('firmware.spk')).toEqual(Uint8Array.from(Buffer.from('x')));
    },
  );

  test('above the limit in Content-Length is HTTP 413 before the body arrives', soon, async () => {
    const scanner = await start();
    const connection = await openAndSend(scanner.httpPort, `${put}Content-Length: ${largest + 1}\r\n\r\n`);
    const { headers } = await expectResponse(connection, 1, 413);
    expect(headers.get('azimuth-detail')).toContain('104857600 bytes');
  });

  test(
    'that is too large is read to its end for some time, and the connection is of use then',
    soon,
    async () => {
      const scanner = await start();
      const connection = await openAndSend(scanner.httpPort, `${put}Content-Length: ${largest + 1}\r\n\r\n`);
      await expectResponse(connection, 1, 413);
      connection.write(Buffer.alloc(largest + 1));
      connection.write(read);
      await expectResponse(connection);
    },
  );

  test('above the limit, if the body does not end, closes the connection', soon, async () => {
    const scanner = await start();
    const connection = await openAndSend(scanner.httpPort, `${put}Content-Length: ${largest + 1}\r\n\r\nxxx`);
    await expectResponse(connection, 1, 413);
    scanner.clock.advance(drain - 1);
    connection.write('x');
    expect(connection.isClosed).toBe(false);
    scanner.clock.advance(1);
    await connection.closed;
  });
});

describe('a slow transfer', () => {
  test('may take longer than other requests', soon, async () => {
    const scanner = await start({ web: { timeouts: { headers: 50, request: 100 } } });
    const connection = await half(scanner);
    // Others that come later are overdue meanwhile, and cut off.
    for (let time = 0; time < 2; time++) {
      await expectEnd(
        await openAndSend(scanner.httpPort, 'POST /api/X HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n'),
        408,
      );
    }
    connection.write(Buffer.alloc(1_000_000 - 7));
    await expectResponse(connection);
  });

  test('is HTTP 408 if fewer than 320 KiB arrive in 10 s, and the next upload can start', soon, async () => {
    const scanner = await start();
    const connection = await half(scanner);
    scanner.clock.advance(period - 1);
    expect(connection.isClosed).toBe(false);
    scanner.clock.advance(1);
    const { headers } = await expectEnd(connection, 408);
    expect(headers.get('azimuth-detail')).toContain('327680 bytes in 10 s');
    await expectFree(scanner);
  });

  test('continues if it is fast enough', soon, async () => {
    const storage = new Counting();
    const scanner = await start({ storage });
    const connection = await half(scanner);
    for (let time = 1; time <= 3; time++) {
      connection.write(Buffer.alloc(enough));
      await until(() => storage.bytes >= time * enough);
      scanner.clock.advance(period - 1);
      scanner.clock.advance(1);
    }
    connection.write(Buffer.alloc(1_000_000 - 7 - 3 * enough));
    await expectResponse(connection);
  });

  test('is not refused because of a slow disk', soon, async () => {
    const storage = new FaultyStorage();
    const scanner = await start({ storage });
    const storing = storage.delay('firmware.spk');
    const connection = await openAndSend(scanner.httpPort, `${put}Content-Length: 3\r\n\r\nabc`);
    await until(() => storage.begun.includes('firmware.spk'));
    scanner.clock.advance(10 * period);
    storing.open();
    await expectResponse(connection);
  });
});

describe('transfers at the same time', () => {
  test('are limited to one: all others are HTTP 503 with Retry-After', soon, async () => {
    const scanner = await start();
    const connection = await half(scanner);
    for (let other = 0; other < 20; other++) {
      const { headers } = await expectResponse(await openAndSend(scanner.httpPort, begun), 3, 503);
      expect(headers.get('retry-after')).toBe('10');
    }
    connection.write(Buffer.alloc(1_000_000 - 7));
    await expectResponse(connection);
    await expectFree(scanner);
  });

  test('do not delay other requests', soon, async () => {
    const scanner = await start();
    await half(scanner);
    await expectResponse(await openAndSend(scanner.httpPort, read));
  });
});

describe('a transfer that breaks off', () => {
  test.each([
    ['by a reset', (connection: RawConnection) => connection.socket.resetAndDestroy()],
    ['by its end', (connection: RawConnection) => connection.socket.end()],
  ])('%s leaves nothing, and its place is free', soon, async (_, breakOff) => {
    const folder = temporaryFolder();
    const storage = await FolderStorage.open(folder);
    const doc = '{"format":1,"release":"2.2.0","createdWith":"2.2.0"}';
    await storage.write('firmware.json', Buffer.from(doc));
    const scanner = await TestScanner.start({ storage });
    const connection = await half(scanner);
    const unfinished = () => readdirSync(folder).filter((name) => name.startsWith('firmware.spk'));
    await until(() => unfinished().length > 0);
    breakOff(connection);
    await until(() => unfinished().length === 0);
    await expectFree(scanner);
  });

  test('because of a reboot does not delay the reboot', soon, async () => {
    const scanner = await start();
    const connection = await half(scanner);
    scanner.service.device.lifecycle.reboot();
    await connection.closed;
    scanner.clock.advance(2000);
    await until(() => scanner.service.ports.http !== null && scanner.service.device.lifecycle.phase === 'up');
    await expectFree(scanner);
  });

  test('because the scanner stops does not delay the stop', soon, async () => {
    const folder = temporaryFolder();
    const storage = await FolderStorage.open(folder);
    await storage.write('firmware.json', Buffer.from('{"format":1,"release":"2.2.0","createdWith":"2.2.0"}'));
    const scanner = await TestScanner.start({ storage });
    await half(scanner);
    await scanner.service.close();
    expect(readdirSync(folder).filter((name) => name.startsWith('firmware.spk'))).toEqual([]);
  });
});

test(
  'a file that finds no room is HTTP 500 and status 3, which says what helps; then the next one is taken',
  soon,
  async () => {
    const storage = new FaultyStorage();
    const scanner = await start({ storage });
    storage.fail('firmware.spk', { once: true });
    const client = new Client(scanner.httpPort);
    onTestFinished(() => client.close());
    const reply = await client.send({ method: 'PUT', path: '/api/update', body: 'x' });
    expect([reply.httpStatus, statusOf(reply)]).toEqual([500, 3]);
    expect(reply.headers['azimuth-detail']).toContain('make room there');
    await expectFree(scanner);
  },
);

/** Counts the bytes that have come. */
class Counting extends MemoryStorage {
  bytes = 0;

  override async receive(name: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
    await super.receive(name, this.#counted(pieces));
  }

  async *#counted(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      this.bytes += piece.length;
      yield piece;
    }
  }
}
