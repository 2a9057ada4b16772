import { acceptedSockets } from '@azimuth/test-support/accepted-sockets';
import { Client } from '@azimuth/test-support/client';
import { FaultyStorage } from '@azimuth/test-support/faulty-storage';
import { expectResponse, open, read } from '@azimuth/test-support/raw-connection';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';

async function written(port: number, name: string, data?: unknown): Promise<string> {
  const body = JSON.stringify({ header: await new Client(port).header(name), data });
  return `POST /api/${name} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

test('a client that half-closes its connection still gets its response when the disk is ready', async () => {
  const storage = new FaultyStorage();
  const { httpPort } = await TestScanner.start({ storage });
  const store = await written(httpPort, 'WriteEeprom');
  const rename = await written(httpPort, 'LocationName', { LocationName: 'Gate 3' });
  const storing = storage.delay('parameters.json');
  const accepted = acceptedSockets();
  const connection = await open(httpPort);
  connection.socket.end(`${store}${rename}GET /api/LocationName HTTP/1.1\r\nHost: x\r\n\r\n`);
  await until(() => storage.begun.includes('parameters.json'));
  await until(() => accepted.some(({ readableEnded }) => readableEnded));
  storing.open();
  await expectResponse(connection);
  await expectResponse(connection);
  expect((await expectResponse(connection)).body).toContain('Gate 3');
  await connection.closed;
});

test('a connection that is half-closed between two requests is closed', async () => {
  const { httpPort } = await TestScanner.start();
  const connection = await open(httpPort);
  connection.write(read);
  await expectResponse(connection);
  connection.socket.end();
  await connection.closed;
});

test('a connection that is half-closed before any request is closed', async () => {
  const { httpPort } = await TestScanner.start();
  const connection = await open(httpPort);
  connection.socket.end();
  await expect.poll(() => connection.isClosed).toBe(true);
});

test('who asks for an upgrade and half-closes in the middle of a body is refused and closed', async () => {
  const { httpPort } = await TestScanner.start();
  const connection = await open(httpPort);
  const upgrade = 'Upgrade: websocket\r\nConnection: Upgrade\r\n';
  connection.socket.end(
    `POST /api/LocationName HTTP/1.1\r\nHost: x\r\nContent-Length: 29\r\n${upgrade}\r\n{"data"`,
  );
  const { statusLine, body } = await connection.response();
  expect(statusLine).toBe('HTTP/1.1 400 Bad Request');
  expect(body).toBe('{"header":{"status":1,"message":"Parsing Failed"}}');
  await connection.closed;
});
