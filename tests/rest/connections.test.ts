import { expect, onTestFinished, test } from 'vitest';
import { Client, dataOf, type Reply } from '../support/client.js';
import { expectStatus } from '../support/envelope.js';
import { object, parse } from '../support/json.js';
import { listens, RawConnection } from '../support/raw-connection.js';
import { Bench } from '../support/scanner-process.js';
import { until } from '../support/waiting.js';

async function openAndUse(port: number): Promise<RawConnection> {
  const connection = await RawConnection.open(port);
  onTestFinished(() => connection.destroy());
  connection.request('GET /api/DeviceStatus', ['Connection: keep-alive']);
  expect((await connection.response()).statusLine).toContain('200');
  return connection;
}

test('without a flag three hundred connections are served at once', async () => {
  const scanner = await new Bench().start();
  const port = scanner.client().port;
  const connections = await Promise.all(Array.from({ length: 300 }, () => openAndUse(port)));
  for (const connection of connections) connection.request('GET /api/DeviceStatus');
  for (const connection of connections) expect((await connection.response()).body).toContain('"status":0');
});

function isLimited(reply: Reply): boolean {
  return reply.httpStatus === 429;
}

test('a client above the rate limit gets HTTP 429, is told when to come back, and is served then', async () => {
  const scanner = await new Bench().start(['--rate-limit', '10']);
  const client = scanner.client();
  const replies: Reply[] = [];
  for (let count = 0; count < 60; count++) replies.push(await client.get('DeviceStatus'));
  expect(replies.slice(0, 10).filter(isLimited)).toEqual([]);
  const limited = replies.filter(isLimited);
  expect(limited.length).toBeGreaterThan(20);
  for (const reply of limited) {
    expect(reply.headers['retry-after']).toMatch(/^[1-9]\d{0,2}$/);
    const header = object(object(parse(reply.text)).header);
    expect(header.status).not.toBe(0);
    expect(typeof header.message).toBe('string');
  }
  for (const reply of replies.filter((reply) => !isLimited(reply))) expectStatus(reply, 0);
  const seconds = Number(limited.at(-1)?.headers['retry-after']);
  await scanner.advance(seconds * 1000);
  await until(async () => !isLimited(await client.get('DeviceStatus')), seconds * 1000 + 1000);
});

test('the rate limit covers POST as well, and what it turns away is not done', async () => {
  const scanner = await new Bench().start(['--rate-limit', '4']);
  const client = scanner.client();
  const header = await client.header('LocationName');
  let reply = await client.get('DeviceStatus');
  while (!isLimited(reply)) reply = await client.get('DeviceStatus');
  const write = await client.post('LocationName', { header, data: { LocationName: 'too fast' } });
  expect(write.httpStatus).toBe(429);
  await until(async () => {
    const read = await client.get('LocationName');
    return !isLimited(read) && dataOf(read).LocationName === 'not defined';
  });
});

test.runIf(process.platform !== 'darwin')(
  'one client above the rate limit does not slow down another',
  async () => {
    const scanner = await new Bench().start(['--rate-limit', '5']);
    const busy = scanner.client();
    const other = scanner.client({ localAddress: '127.0.0.2' });
    const replies: Reply[] = [];
    for (let count = 0; count < 30; count++) replies.push(await busy.get('DeviceStatus'));
    expect(replies.some(isLimited)).toBe(true);
    expectStatus(await other.get('DeviceStatus'), 0);
  },
);

test('without a flag there is no rate limit', async () => {
  const scanner = await new Bench().start();
  const client = scanner.client({ keepAlive: true });
  onTestFinished(() => client.close());
  for (let count = 0; count < 500; count++) expectStatus(await client.get('DeviceStatus'), 0);
});

test('the control port refuses what it does not know or understand', async () => {
  const scanner = await new Bench().start();
  const control = new Client(scanner.controlPort);
  const ask = async (path: string, body: string, method = 'POST') => {
    const { httpStatus, text } = await control.send({ method, path, body });
    expect(typeof object(parse(text)).error).toBe('string');
    return httpStatus;
  };
  expect(await ask('/nothing', '{}')).toBe(404);
  expect(await ask('/clock/advance', '{}')).toBe(400);
  expect(await ask('/clock/advance', '{"ms":"1000"}')).toBe(400);
  expect(await ask('/clock/advance', 'not JSON')).toBe(400);
  expect(await ask('/temperature', '{"celsius":"hot"}')).toBe(400);
  expect(await scanner.isUp()).toBe(true);
});

test('SIGTERM ends the scanner with code 0, and its ports are free', async () => {
  const scanner = await new Bench().start();
  const port = scanner.client().port;
  const idle = await openAndUse(port);
  const { code } = await scanner.stop();
  expect(code).toBe(0);
  await idle.closed;
  expect(await listens(port)).toBe(false);
  expect(await listens(scanner.controlPort)).toBe(false);
});
