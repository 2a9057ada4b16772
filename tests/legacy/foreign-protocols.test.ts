import { expectServed, session } from '@azimuth/test-support/legacy/scanner';
import { LegacyClient } from '@azimuth/test-support/legacy-client';
import { until } from '@azimuth/test-support/waiting';
import { describe, expect, test } from 'vitest';
import { LegacyTestScanner } from './legacy-test-scanner.js';

const telegrams = '\x02sMN SetAccessMode 4 81BE23AA\x03\x02sWN LocationName 3 own\x03\x02sMN mEEwriteall\x03';
const page = (line: string) =>
  `${line}\r\nHost: 192.168.0.1:2111\r\nContent-Type: text/plain\r\nContent-Length: 99\r\n\r\n${telegrams}`;

/** A ClientHello of TLS 1.0 to 1.3: the record that every connection of a browser over https begins with. */
const hello = (minor: number) =>
  Buffer.concat([Buffer.from([0x16, 3, minor, 0, 5, 1, 0, 0, 1, 3]), Buffer.from(telegrams)]);

const requests: readonly (readonly [string, string | Buffer])[] = [
  ['a POST whose body holds telegrams', page('POST / HTTP/1.1')],
  ['a GET', page('GET /favicon.ico HTTP/1.1')],
  ['a question before a request', page('OPTIONS / HTTP/1.1')],
  ['HTTP/2', page('PRI * HTTP/2.0')],
  ['a method that nobody knows', page('CONFIGURE / HTTP/1.1')],
  ['a request line without a carriage return', page('CONFIGURE / HTTP/1.0').replace('\r', '')],
  ['empty lines in front', `\r\n\r\n${page('CONFIGURE / HTTP/1.1')}`],
  ['a long address', page(`POST /${'x'.repeat(20_000)} HTTP/1.1`)],
  ['a long address after a method that nobody knows', page(`CONFIGURE /${'x'.repeat(20_000)} HTTP/1.1`)],
  ['small letters', page('configure / http/1.1')],
  ['small letters, and telegrams in the address', page(`post /${telegrams} HTTP/1.1`)],
  ['tabs for blanks', page('CONFIGURE\t/\tHTTP/1.1')],
  ['blanks in front', page(' \t \r\n  POST / HTTP/1.1')],
  ['lone carriage returns', page('CONFIGURE / HTTP/1.1').replaceAll('\n', '')],
  ['telegrams in the address', page(`POST /${telegrams} HTTP/1.1`)],
  ['TLS 1.0', hello(1)],
  ['TLS 1.1', hello(2)],
  ['TLS 1.2 and 1.3', hello(3)],
];

async function refused(scanner: LegacyTestScanner, protocol: 'http' | 'tls'): Promise<number> {
  const { text } = await scanner.rest.send({ method: 'GET', path: '/metrics' });
  const name = `azimuth_legacy_foreign_sessions_total{protocol="${protocol}"}`;
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(name))
      ?.slice(name.length),
  );
}

describe('a connection that begins as one of a web browser', () => {
  test.each(requests)('is closed, and has no effect: %s', async (_, bytes) => {
    const scanner = await LegacyTestScanner.start();
    for (const [port, wayOfSending] of [
      [scanner.ports.A, 'at once'],
      [scanner.ports.B, 'byte by byte'],
    ] as const) {
      const client = await LegacyClient.forTest(port, 'A');
      if (wayOfSending === 'at once') client.raw(bytes);
      else for (const byte of Buffer.from(bytes)) client.raw(Buffer.of(byte));
      await client.untilClosed();
      expect(client.received, wayOfSending).toBe(0);
    }
    expect(await scanner.rest.value('LocationName')).toBe('not defined');
    expect((await refused(scanner, 'http')) + (await refused(scanner, 'tls'))).toBe(2);
  });

  test('is logged with its sender and counted by its protocol; many attempts of a page do not flood the log', async () => {
    const scanner = await LegacyTestScanner.start();
    const attempt = async (bytes: string | Buffer) => {
      const client = await LegacyClient.forTest(scanner.ports.A, 'A');
      client.raw(bytes);
      await client.untilClosed();
    };
    const logged = () =>
      scanner.testScanner.log.lines.filter(({ message }) => message.includes('began with HTTP or TLS'));
    for (let time = 0; time < 30; time += 1) await attempt(page('POST / HTTP/1.1'));
    await attempt(hello(3));
    expect(await refused(scanner, 'http')).toBe(30);
    expect(await refused(scanner, 'tls')).toBe(1);
    expect(logged().map(({ severity, facts }) => [severity, facts.protocol])).toEqual([['warn', 'http']]);
    expect(logged()[0]?.facts.client).toMatch(/^127\.0\.0\.1:\d+$/);
    scanner.testScanner.clock.advance(10_000);
    await attempt(hello(3));
    await until(() => logged().length === 2);
  });

  test('does not affect other sessions, and does not count as a session', async () => {
    const scanner = await LegacyTestScanner.start();
    const other = await session(scanner.ports, 'B');
    await other.follow('LocationName');
    const client = await LegacyClient.forTest(scanner.ports.A, 'A');
    client.raw(page('POST / HTTP/1.1'));
    await client.untilClosed();
    await expectServed(other);
    const { text } = await scanner.rest.send({ method: 'GET', path: '/metrics' });
    expect(text).toMatch(/^azimuth_legacy_sessions 1$/m);
  });
});

describe('a session that begins with bytes of no telegram', () => {
  test.each([
    ['garbage', 'garbage\x02\x02garbage\x02'],
    ['words', 'hello scanner\r\n'],
    ['empty lines', '\r\n'.repeat(100)],
    ['zeros', Buffer.alloc(50_000)],
    ['a single 16', Buffer.of(0x16)],
    ['a telegram without its start', 'sRN SCdevicestate\x03'],
  ])('is served after them: %s', async (_, bytes) => {
    const scanner = await LegacyTestScanner.start();
    const client = await LegacyClient.forTest(scanner.ports.A, 'A');
    client.raw(bytes);
    await expectServed(client);
  });

  test('stays open if it sends an HTTP request after a telegram', async () => {
    const scanner = await LegacyTestScanner.start();
    const client = await session(scanner.ports, 'A');
    await expectServed(client);
    client.raw('POST / HTTP/1.1\r\n\r\n');
    await expectServed(client);
  });
});
