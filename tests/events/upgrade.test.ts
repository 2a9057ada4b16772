import { describe, expect, it } from 'vitest';
import { expectAnswer, openAndSend, RawConnection } from '../support/raw-connection.js';
import { Bench } from '../support/service-test-bench.js';
import { WebSocketClient } from '../support/web-socket.js';

const h2c = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n';
const payload = '{"data":{"user":"Service"}}';

describe('a client that would rather speak HTTP/2', () => {
  it('is answered its GET as anybody', async () => {
    const { httpPort } = await Bench.start();
    const connection = await openAndSend(httpPort, `GET /api/DeviceStatus HTTP/1.1\r\nHost: x\r\n${h2c}\r\n`);
    expect((await expectAnswer(connection)).body).toContain('"DeviceStatus":3');
  });

  it.each([
    ['with its length', `Content-Length: ${payload.length}\r\n\r\n${payload}`],
    [
      'in chunks',
      `Transfer-Encoding: chunked\r\n\r\n${payload.length.toString(16)}\r\n${payload}\r\n0\r\n\r\n`,
    ],
  ])('is answered its POST, with the body %s', async (_, body) => {
    const { httpPort } = await Bench.start();
    const connection = await openAndSend(
      httpPort,
      `POST /api/getChallenge HTTP/1.1\r\nHost: x\r\n${h2c}${body}`,
    );
    expect((await expectAnswer(connection)).body).toContain('"nonce"');
  });

  it('is answered its POST whose body comes later, byte by byte', async () => {
    const { httpPort } = await Bench.start();
    const head = `POST /api/getChallenge HTTP/1.1\r\nHost: x\r\n${h2c}Content-Length: ${payload.length}\r\n\r\n`;
    const connection = await RawConnection.open(httpPort);
    connection.socket.setNoDelay(true);
    for (const byte of head + payload) {
      await new Promise<void>((resolve) => connection.socket.write(byte, () => resolve()));
    }
    expect((await expectAnswer(connection)).body).toContain('"nonce"');
    connection.destroy();
  });

  it('is answered its write, which is done', async () => {
    const bench = await Bench.start();
    const header = await bench.client().header('LocationName');
    const body = JSON.stringify({ header, data: { LocationName: 'Gate 3' } });
    const headers = {
      Connection: 'Upgrade, HTTP2-Settings',
      Upgrade: 'h2c',
      'HTTP2-Settings': 'AAMAAABkAAQAAP__',
    };
    const reply = await bench.client().postText('LocationName', body, headers);
    expect(reply.text).toContain('"status":0');
    expect(await bench.client().value('LocationName')).toBe('Gate 3');
  });
});

describe('a handshake', () => {
  const webSocket = (more = '') =>
    `Host: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n${more}\r\n`;
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';

  it('elsewhere under /api is passed over: the request is answered', async () => {
    const { httpPort } = await Bench.start();
    const connection = await openAndSend(httpPort, `GET /api/DeviceStatus HTTP/1.1\r\n${webSocket(key)}`);
    await expectAnswer(connection);
  });

  it('where there is nothing is refused', async () => {
    const { httpPort } = await Bench.start();
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
  ])('%s is refused, and the scanner goes on', async (_, text, httpStatus) => {
    const bench = await Bench.start();
    const connection = await openAndSend(bench.httpPort, text);
    const { statusLine, headers } = await connection.response();
    // 400 says as much as what is more exact.
    expect([400, httpStatus]).toContain(Number(statusLine.split(' ')[1]));
    if (httpStatus === 426) expect(headers.get('sec-websocket-version')).toContain('13');
    expect(await bench.client().value('DeviceStatus')).toBe(3);
  });

  it('is no handshake without Upgrade: a GET is answered in HTTP', async () => {
    const bench = await Bench.start();
    for (const path of ['/apievents', '/api/apievents', '/x/events']) {
      const { httpStatus, text } = await bench.client().send({ method: 'GET', path });
      expect(httpStatus, path).not.toBe(101);
      expect(text, path).toMatch(/\w/);
    }
  });

  it('takes words in any case, and a path with a query', async () => {
    const { httpPort } = await Bench.start();
    const headers = { Upgrade: 'WebSocket', Connection: 'keep-alive, upgrade' };
    const socket = await WebSocketClient.open(httpPort, { headers, path: '/apievents?a=1' });
    await socket.pingPong();
    socket.destroy();
  });
});
