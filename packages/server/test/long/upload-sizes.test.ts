import { MemoryStorage } from '@azimuth/device';
import { acceptedSockets } from '@azimuth/test-support/accepted-sockets';
import { RawConnection } from '@azimuth/test-support/raw-connection';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';
import { describe, expect, test } from 'vitest';
import { expectRefused, expectTaken, path, tokenOf, upload } from '../files/transfer.js';

const limit = 16 * 1024 * 1024;
const multipart = { 'Content-Type': 'multipart/form-data; boundary=x' };

function form(bytes: number, disposition = 'form-data; name="datei"; filename="b"'): Buffer {
  const head = `--x\r\nContent-Disposition: ${disposition}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.alloc(bytes, 'a'), Buffer.from('\r\n--x--\r\n')]);
}

describe('an upload of 16 MiB', () => {
  test.each([
    ['with its length', {}, Buffer.alloc(limit)],
    ['in chunks', { 'Transfer-Encoding': 'chunked' }, Buffer.alloc(limit)],
    ['as a part', multipart, form(limit)],
  ])('is accepted %s', async (_, headers, body) => {
    const storage = new MemoryStorage();
    const client = (await TestScanner.start({ storage })).client();
    expectTaken(await upload(client, body, headers));
    expect(storage.documents.get('parameterbackup')?.length).toBe(limit);
  });

  test.each([
    ['with its length', {}, Buffer.alloc(limit + 1)],
    ['in chunks', { 'Transfer-Encoding': 'chunked' }, Buffer.alloc(limit + 1)],
    ['as a part', multipart, form(limit + 1)],
    ['as a much larger part', multipart, form(2 * limit)],
  ])('and one byte is HTTP 413 %s; connection and previous file stay usable', async (_, headers, body) => {
    const storage = new MemoryStorage();
    const client = (await TestScanner.start({ storage })).client();
    expectTaken(await upload(client, 'before'));
    expect(expectRefused(await upload(client, body, headers), 413, 1)).toContain(String(limit));
    expect(Buffer.from(storage.documents.get('parameterbackup') ?? []).toString()).toBe('before');
  });

  test.each([
    ['a body of its own, by a byte', [`Content-Length: ${limit + 1}`]],
    ['a form', ['Content-Length: 100000000', 'Content-Type: multipart/form-data; boundary=a']],
  ])('that is too large is refused before it arrives if its length is stated: %s', async (_, headers) => {
    const scanner = await TestScanner.start();
    const token = (await tokenOf(scanner.client()))['X-Session-Token'];
    const connection = await RawConnection.open(scanner.httpPort);
    connection.request(`PUT ${path}`, [`X-Session-Token: ${token}`, ...headers]);
    expect((await connection.response()).statusLine).toContain('413');
    connection.destroy();
  });

  test('is HTTP 503 while four others are being received, which are accepted', async () => {
    const accepted = acceptedSockets();
    const scanner = await TestScanner.start();
    const client = scanner.client();
    const token = (await tokenOf(client))['X-Session-Token'];
    const others = await Promise.all(Array.from({ length: 4 }, () => RawConnection.open(scanner.httpPort)));
    const before = accepted.reduce((bytes, socket) => bytes + socket.bytesRead, 0);
    for (const other of others) {
      other.request(`PUT ${path}`, [`X-Session-Token: ${token}`, `Content-Length: ${limit}`]);
      // More than half, so that the buffer has its full size.
      other.write(Buffer.alloc(limit - 1));
    }
    const received = () => accepted.reduce((bytes, socket) => bytes + socket.bytesRead, 0);
    await until(() => received() >= before + 4 * (limit - 1));
    const { headers, httpStatus } = await upload(client, Buffer.alloc(limit));
    expect([httpStatus, headers['retry-after']]).toEqual([503, '1']);
    for (const other of others) other.write('x');
    for (const other of others) expect((await other.response()).statusLine).toContain('200');
    for (const other of others) other.destroy();
    expectTaken(await upload(client, Buffer.alloc(limit)));
  });

  test('that breaks off leaves the previous file, and frees its memory', async () => {
    const storage = new MemoryStorage();
    const scanner = await TestScanner.start({ storage });
    const client = scanner.client();
    const token = (await tokenOf(client))['X-Session-Token'];
    expectTaken(await upload(client, 'before'));
    for (let round = 0; round < 6; round++) {
      const connection = await RawConnection.open(scanner.httpPort);
      connection.request(`PUT ${path}`, [`X-Session-Token: ${token}`, `Content-Length: ${limit}`]);
      connection.write(Buffer.alloc(limit - 1));
      connection.socket.end();
      expect((await connection.response()).statusLine).toContain('400');
      connection.destroy();
    }
    expect(Buffer.from(storage.documents.get('parameterbackup') ?? []).toString()).toBe('before');
    expectTaken(await upload(client, Buffer.alloc(limit)));
  });
});
