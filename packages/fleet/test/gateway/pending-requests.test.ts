import type { ServerResponse } from 'node:http';
import { RawConnection } from '@azimuth/test-support/raw-connection';
import { until } from '@azimuth/test-support/waiting';
import { expect, onTestFinished, test } from 'vitest';
import { gatewayTo, standIn } from './gateway-and-workers.js';

const most = 4;

/** A gateway whose worker responds as the test says. The scanner 2 has another worker. */
async function gatewayToResponding(answer: (response: ServerResponse) => void) {
  let asked = 0;
  const worker = await standIn((request, response) => {
    asked++;
    request.resume();
    answer(response);
  });
  const other = await standIn((_, response) => response.writeHead(200, { 'Content-Length': 2 }).end('{}'));
  const gateway = await gatewayTo([worker, other], 2, { pendingPerWorker: most });
  gateway.owners.set('1', worker).set('2', other);
  const ask = async (from: string, serial = '1', headers: readonly string[] = []) => {
    const connection = await RawConnection.open(Number(new URL(gateway.url).port), '127.0.0.1', from);
    onTestFinished(() => connection.destroy());
    connection.request(`GET /scanners/${serial}/api/DeviceStatus`, headers);
    return connection;
  };
  return { ask, asked: () => asked };
}

test('what one address asks of a silent worker leaves room for others, and for other workers', async () => {
  const { ask, asked } = await gatewayToResponding(() => undefined);
  const hogs = await Promise.all(Array.from({ length: most }, () => ask('127.0.0.2')));
  await until(() => asked() === most);
  const refused = await (await ask('127.0.0.2')).response();
  expect([refused.statusLine, refused.headers.get('retry-after')]).toEqual([
    'HTTP/1.1 503 Service Unavailable',
    '1',
  ]);
  const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
  expect((await (await ask('127.0.0.2', '1', upgrade)).response()).statusLine).toContain('503');
  await ask('127.0.0.3');
  await until(() => asked() === most + 1);
  await until(() => hogs.some(({ isClosed }) => isClosed));
  expect(hogs.filter(({ isClosed }) => isClosed)).toHaveLength(1);
  expect((await (await ask('127.0.0.2', '2')).response()).statusLine).toContain(' 200 ');
});

test('an answer that has begun and does not end keeps nobody from the worker', async () => {
  const { ask, asked } = await gatewayToResponding((response) => void response.write('x'.repeat(10_000)));
  for (let count = 1; count <= 3 * most; count++) {
    const connection = await ask('127.0.0.2');
    await until(() => connection.socket.bytesRead > 0);
    expect(asked()).toBe(count);
  }
});
