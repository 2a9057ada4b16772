import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { RawConnection } from '@azimuth/test-support/raw-connection';
import { expect, test } from 'vitest';
import { gatewayTo, nowhere, standIn } from './gateway-and-workers.js';

test('a body stays the body of its request, whatever the headers say of its length', async () => {
  const asked: string[] = [];
  const address = await standIn((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    request.resume().once('end', () => response.end());
  });
  const gateway = await gatewayTo([address], 1);
  gateway.owners.set('1', address);
  const inner = 'POST /fleet/power HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n';
  const heads = [
    `GET /scanners/1/a HTTP/1.1\r\nConnection: content-length\r\nContent-Length: ${inner.length}`,
    `HEAD /scanners/1/b HTTP/1.1\r\nConnection: Content-Length, x\r\nContent-Length: ${inner.length}`,
    `GET /scanners/1/c HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: ${inner.length}`,
    `GET /scanners/1/d HTTP/1.1\r\nConnection: transfer-encoding\r\nTransfer-Encoding: chunked`,
  ];
  for (const head of heads) {
    const body = head.includes('chunked') ? `${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n` : inner;
    const client = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    client.write(`${head}\r\nHost: 127.0.0.1\r\n\r\n${body}`);
    await once(client, 'data');
    client.destroy();
    // It uses the same connection to the worker as the first one.
    await fetch(`${gateway.url}/scanners/1/next`);
  }
  expect(asked.filter((one) => one !== 'GET /scanners/1/next')).toEqual([
    'GET /scanners/1/a',
    'HEAD /scanners/1/b',
    'GET /scanners/1/c',
    'GET /scanners/1/d',
  ]);
});

test('a worker gets the headers of a request that a scanner needs, but not those of its connection, and learns from the gateway who the client is', async () => {
  const passed: IncomingHttpHeaders[] = [];
  const address = await standIn((request, response) => {
    passed.push(request.headers);
    response.end();
  });
  const gateway = await gatewayTo([address], 1);
  gateway.owners.set('1', address);
  const client = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  const head =
    'Host: 127.0.0.1\r\nX-Mine: a\r\nUser-Agent: b\r\nX-Session-Token: c\r\nX-Forwarded-For: 192.0.2.1\r\nConnection: user-agent, close\r\n';
  client.write(`GET /scanners/1/api/SerialNumber HTTP/1.1\r\n${head}\r\n`);
  await once(client.resume(), 'close');
  expect(passed).toMatchObject([{ 'x-session-token': 'c', 'x-forwarded-for': '127.0.0.1' }]);
  expect(passed[0]).not.toHaveProperty('x-mine');
  expect(passed[0]).not.toHaveProperty('user-agent');
});

test('what HTTP forbids is refused by a gateway as by a scanner alone', async () => {
  const gateway = await gatewayTo([nowhere], 1);
  const path = '/scanners/1/api/SerialNumber';
  const answerTo = async (text: string) => {
    const client = await RawConnection.open(Number(new URL(gateway.url).port));
    client.write(text);
    const { statusLine, body } = await client.response();
    return `${statusLine} ${body}`;
  };
  expect(await answerTo(`GET ${path} HTTP/1.1\r\n\r\n`)).toMatch(/ 400 .*"status":1,/);
  expect(await answerTo(`GET ${path} HTTP/1.1\r\nHost: a\r\nExpect: x\r\n\r\n`)).toMatch(
    / 417 .*"status":1,/,
  );
  expect(await answerTo('no HTTP\r\n\r\n')).toMatch(/ 400 .*"status":1,/);
});
