import { expectAnswer, openAndSend, RawConnection } from '@azimuth/test-support/raw-connection';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { WebSocketClient } from '@azimuth/test-support/web-socket';
import { describe, expect, it } from 'vitest';

const h2c = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n';
const payload = '{"data":{"user":"Service"}}';

describe('a client that offers an upgrade to HTTP/2', () => {
  it('gets the usual response to a GET', async () => {
    const { httpPort } = await TestScanner.start();
    const connection = await openAndSend(httpPort, `GET /api/DeviceStatus HTTP/1.1\r\nHost: x\r\n${h2c}\r\n`);
    expect((await expectAnswer(connection)).body).toContain('"DeviceStatus":3');
  });

  it.each([
    ['with its length', `Content-Length: ${payload.length}\r\n\r\n${payload}`],
    [
      'in chunks',
      `Transfer-Encoding: chunked\r\n\r\n${payload.length.toString(16)}\r\n${payload}\r\n0\r\n\r\n`,
    ],
  ])('gets the response to a POST with the body %s', async (_, body) => {
    const { httpPort } = await TestScanner.start();
    const connection = await openAndSend(
      httpPort,
      `POST /api/getChallenge HTTP/1.1\r\nHost: x\r\n${h2c}${body}`,
    );
    expect((await expectAnswer(connection)).body).toContain('"nonce"');
  });

  it('gets the response to a POST whose body comes later, byte by byte', async () => {
    const { httpPort } = await TestScanner.start();
    const head = `POST /api/getChallenge HTTP/1.1\r\nHost: x\r\n${h2c}Content-Length: ${payload.length}\r\n\r\n`;
    const connection = await RawConnection.open(httpPort);
    connection.socket.setNoDelay(true);
    for (const byte of head + payload) {
      await new Promise<void>((resolve) => connection.socket.write(byte, () => resolve()));
    }
    expect((await expectAnswer(connection)).body).toContain('"nonce"');
    connection.destroy();
  });

  it('gets the response to a write, which takes effect', async () => {
    const scanner = await TestScanner.start();
    const header = await scanner.client().header('LocationName');
    const body = JSON.stringify({ header, data: { LocationName: 'Gate 3' } });
    const headers = {
      Connection: 'Upgrade, HTTP2-Settings',
      Upgrade: 'h2c',
      'HTTP2-Settings': 'AAMAAABkAAQAAP__',
    };
    const reply = await scanner.client().postText('LocationName', body, headers);
    expect(reply.text).toContain('"status":0');
    expect(await scanner.client().value('LocationName')).toBe('Gate 3');
  });
});

describe('a handshake', () => {
  const webSocket = (more = '') =>
    `Host: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n${more}\r\n`;
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';

  it('at another path under /api is ignored, and the request is answered', async () => {
    const { httpPort } = await TestScanner.start();
    const connection = await openAndSend(httpPort, `GET /api/DeviceStatus HTTP/1.1\r\n${webSocket(key)}`);
    await expectAnswer(connection);
  });

  it('at an unknown path is refused', async () => {
    const { httpPort } = await TestScanner.start();
    for (const path of ['/', '/nothing', '/x/stored', '/apievents/', '/apievents/x', '/x/events/x']) {
      const { httpStatus } = await WebSocketClient.refused(httpPort, { path });
      expect(httpStatus, path).not.toBe(101);
    }
  });

  it.each([
    ['without a key', `GET /apievents HTTP/1.1\r\n${webSocket()}`, 400],
    [
      'with a key that is too short',
      `GET /apievents HTTP/1.1\r\n${webSocket('Sec-WebSocket-Key: YWJj\r\n')}`,
      400,
    ],
    ['of an old version', `GET /apievents HTTP/1.1\r\n${webSocket(key).replace('13', '8')}`, 426],
    ['by POST', `POST /apievents HTTP/1.1\r\nContent-Length: 0\r\n${webSocket(key)}`, 405],
  ])('%s is refused, and the scanner continues', async (_, text, httpStatus) => {
    const scanner = await TestScanner.start();
    const connection = await openAndSend(scanner.httpPort, text);
    const { statusLine, headers } = await connection.response();
    // 400 says as much as what is more exact.
    expect([400, httpStatus]).toContain(Number(statusLine.split(' ')[1]));
    if (httpStatus === 426) expect(headers.get('sec-websocket-version')).toContain('13');
    expect(await scanner.client().value('DeviceStatus')).toBe(3);
  });

  it('without Upgrade is an ordinary GET', async () => {
    const scanner = await TestScanner.start();
    for (const path of ['/apievents', '/api/apievents', '/x/events']) {
      const { httpStatus, text } = await scanner.client().send({ method: 'GET', path });
      expect(httpStatus, path).not.toBe(101);
      expect(text, path).toMatch(/\w/);
    }
  });

  it('accepts header values in any case, and a path with a query', async () => {
    const { httpPort } = await TestScanner.start();
    const headers = { Upgrade: 'WebSocket', Connection: 'keep-alive, upgrade' };
    const socket = await WebSocketClient.open(httpPort, { headers, path: '/apievents?a=1' });
    await expect(socket.pingPong()).resolves.toBeUndefined();
    socket.destroy();
  });
});
