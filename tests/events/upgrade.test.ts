import { expectResponse, RawConnection } from '@azimuth/test-support/raw-connection';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { WebSocketClient } from '@azimuth/test-support/web-socket';
import { describe, expect, it } from 'vitest';

const h2c = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n';
const payload = '{"data":{"user":"Service"}}';

describe('a client that offers an upgrade to HTTP/2', () => {
  it('gets the response to a POST whose body comes later, byte by byte', async () => {
    const { httpPort } = await TestScanner.start();
    const head = `POST /api/getChallenge HTTP/1.1\r\nHost: x\r\n${h2c}Content-Length: ${payload.length}\r\n\r\n`;
    const connection = await RawConnection.open(httpPort);
    connection.socket.setNoDelay(true);
    for (const byte of head + payload) {
      await new Promise<void>((resolve) => connection.socket.write(byte, () => resolve()));
    }
    expect((await expectResponse(connection)).body).toContain('"nonce"');
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
  it('accepts header values in any case, and a path with a query', async () => {
    const { httpPort } = await TestScanner.start();
    const headers = { Upgrade: 'WebSocket', Connection: 'keep-alive, upgrade' };
    const socket = await WebSocketClient.open(httpPort, { headers, path: '/apievents?a=1' });
    await expect(socket.pingPong()).resolves.toBeUndefined();
    socket.destroy();
  });
});
