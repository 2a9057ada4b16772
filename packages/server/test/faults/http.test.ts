import { connect } from 'node:net';
import type { FaultPlan } from '@azimuth/simulation/faults';
import { Client, statusOf } from '@azimuth/test-support/client';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { promisesSettled, until } from '@azimuth/test-support/waiting';
import { describe, expect, onTestFinished, test } from 'vitest';

type Faults = FaultPlan['faults'];

async function scannerWith(...faults: Faults): Promise<TestScanner> {
  return TestScanner.start({ faults: { seed: 1, faults } });
}

/** Follows a promise: `now` returns its result; undefined while it is pending. */
function watched<T>(promise: Promise<T>): { readonly now: () => T | Error | undefined } {
  let result: T | Error | undefined;
  promise.then(
    (value) => {
      result = value;
    },
    (error: unknown) => {
      result = error instanceof Error ? error : new Error(String(error));
    },
  );
  return { now: () => result };
}

/** Returns everything that one connection receives for this text, until it is closed. */
function rawExchange(port: number, request: string) {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  const state = { isClosed: false, code: '' };
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', (error) => {
    state.code = 'code' in error ? String(error.code) : error.message;
  });
  socket.on('close', () => {
    state.isClosed = true;
  });
  socket.write(request);
  onTestFinished(() => {
    socket.destroy();
  });
  return { socket, state, text: () => Buffer.concat(chunks).toString('latin1') };
}

const reading = (name: string) => `GET /api/${name} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;

describe('a client of HTTP', () => {
  test('waits for a late reply, in which nothing else happens', async () => {
    const scanner = await scannerWith({ kind: 'http-latency', latency: 200, jitter: 100 });
    const reply = watched(scanner.client().get('LocationName'));
    await until(() => scanner.faults.list[0]?.times === 1);
    scanner.clock.advance(199);
    await promisesSettled();
    expect(reply.now()).toBeUndefined();
    scanner.clock.advance(101);
    await until(() => reply.now() !== undefined);
    expect(reply.now()).toMatchObject({ httpStatus: 200 });
  });

  test('gets requests of one connection answered in order, also late ones', async () => {
    const scanner = await scannerWith({ kind: 'http-latency', latency: 200, endpoint: 'LocationName' });
    const { text } = rawExchange(scanner.httpPort, reading('LocationName') + reading('SerialNumber'));
    await until(() => scanner.faults.list[0]?.times === 1);
    expect(text()).toBe('');
    scanner.clock.advance(200);
    await until(() => text().includes('"SerialNumber"'));
    expect(text().indexOf('"LocationName"')).toBeLessThan(text().indexOf('"SerialNumber"'));
  });

  test('gets a status of the interface at every third request for one endpoint', async () => {
    const scanner = await scannerWith({ kind: 'http-status', status: 6, endpoint: 'LocationName', every: 3 });
    const client = scanner.client();
    const statuses: unknown[] = [];
    for (let request = 0; request < 6; request++) {
      statuses.push(statusOf(await client.get('LocationName')));
      expect(statusOf(await client.get('SerialNumber'))).toBe(0);
    }
    expect(statuses).toEqual([0, 0, 6, 0, 0, 6]);
    const { text } = await client.send({ method: 'GET', path: '/metrics' });
    expect(text).toContain('endpoint="LocationName",status="6"} 2');
  });

  test('gets an HTTP status with it, and writes are not carried out', async () => {
    const scanner = await scannerWith({
      kind: 'http-status',
      httpStatus: 503,
      method: 'POST',
      endpoint: 'Loc*',
    });
    const client = scanner.client();
    const before = await client.value('LocationName');
    expect(await client.write('LocationName', 'Gate 3')).toMatchObject({ httpStatus: 503 });
    expect(await client.value('LocationName')).toEqual(before);
  });

  test('gets 429 with Retry-After', async () => {
    const scanner = await scannerWith({ kind: 'http-429', retryAfter: 7, first: 1 });
    const reply = await scanner.client().get('LocationName');
    expect(reply).toMatchObject({ httpStatus: 429, headers: { 'retry-after': '7' } });
    expect(statusOf(reply)).toBe(11);
    expect(statusOf(await scanner.client().get('LocationName'))).toBe(0);
  });

  test('gets the beginning of a reply, then the connection is closed', async () => {
    const scanner = await scannerWith({ kind: 'http-truncated', bytes: 10 });
    const { state, text } = rawExchange(scanner.httpPort, reading('LocationName'));
    await until(() => state.isClosed);
    const [head = '', body] = text().split('\r\n\r\n');
    expect(body).toBe('{"header":');
    expect(Number(/Content-Length: (\d+)/.exec(head)?.[1])).toBeGreaterThan(10);
    await expect(scanner.client().get('LocationName')).rejects.toThrow();
  });

  test('never gets a whole reply that is truncated, however short it is', async () => {
    const scanner = await scannerWith({ kind: 'http-truncated', bytes: 1_000_000 });
    const { state, text } = rawExchange(scanner.httpPort, reading('LocationName'));
    await until(() => state.isClosed);
    expect(text()).toContain('{"header":');
    expect(text()).not.toMatch(/\}\}$/);
  });

  test('has its connection reset', async () => {
    const scanner = await scannerWith({ kind: 'http-reset' });
    await expect(scanner.client().get('LocationName')).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  test('has its connection reset after the request was carried out', async () => {
    const scanner = await scannerWith({
      kind: 'http-reset',
      handled: true,
      endpoint: 'LocationName',
      method: 'POST',
    });
    await expect(scanner.client().write('LocationName', 'Gate 3')).rejects.toMatchObject({
      code: 'ECONNRESET',
    });
    expect(await scanner.client().value('LocationName')).toBe('Gate 3');
  });

  test.each([true, false])('waits for ever for a half-open connection (carried out: %s)', async (handled) => {
    const scanner = await scannerWith({ kind: 'http-half-open', handled, endpoint: 'LocationName' });
    const { state, text, socket } = rawExchange(
      scanner.httpPort,
      reading('LocationName') + reading('SerialNumber'),
    );
    await until(() => scanner.faults.list[0]?.times === 1);
    scanner.clock.advance(60_000);
    // Others are served meanwhile.
    expect(statusOf(await scanner.client().get('SerialNumber'))).toBe(0);
    expect(text()).toBe('');
    expect(state.isClosed).toBe(false);
    socket.destroy();
  });

  test('gets no answer for a while after too many requests, and then answers again', async () => {
    const endpoint = 'LocationName';
    const scanner = await scannerWith(
      { kind: 'http-silence', requests: 3, within: 1000, silence: 5000, endpoint },
      // Counts the requests that have come, and does nothing else.
      { kind: 'http-latency', latency: 0, endpoint },
    );
    const others = scanner.client();
    const expectAnswer = async (isAnswered: boolean) => {
      const before = scanner.faults.list[1]?.times ?? 0;
      const { text, state, socket } = rawExchange(scanner.httpPort, reading(endpoint));
      await until(() => scanner.faults.list[1]?.times === before + 1);
      if (isAnswered) await until(() => text() !== '');
      // Other endpoints are served, and earlier requests would have been, too.
      expect(statusOf(await others.get('SerialNumber'))).toBe(0);
      await promisesSettled();
      expect([text() !== '', state.isClosed]).toEqual([isAnswered, false]);
      socket.destroy();
    };
    await expectAnswer(true);
    scanner.clock.advance(500);
    for (const isAnswered of [true, true, false]) await expectAnswer(isAnswered);
    scanner.clock.advance(4999);
    await expectAnswer(false);
    expect(scanner.faults.list[0]).toMatchObject({ occasions: 1, times: 1 });
    scanner.clock.advance(1);
    // At most three come within a second.
    for (let request = 0; request < 8; request++) {
      await expectAnswer(true);
      scanner.clock.advance(400);
    }
    expect(scanner.faults.list[0]).toMatchObject({ occasions: 1, times: 1 });
  });

  test('gets a body slowly, in pieces', async () => {
    const scanner = await scannerWith({ kind: 'http-slow-body', rate: 100, endpoint: 'LocationName' });
    const { text } = rawExchange(scanner.httpPort, reading('LocationName'));
    await until(() => scanner.faults.list[0]?.times === 1);
    for (const expected of ['{"header":', '{"header":{"status":']) {
      scanner.clock.advance(100);
      await expect.poll(() => text().split('\r\n\r\n')[1]).toBe(expected);
    }
    scanner.clock.advance(60_000);
    await expect.poll(text).toMatch(/\}\}$/);
  });

  test('gets large bodies slowly, too: the description of the interface', async () => {
    const scanner = await scannerWith({
      kind: 'http-slow-body',
      rate: 10_000_000,
      endpoint: '/openapi.json',
    });
    const reply = watched(new Client(scanner.httpPort).send({ method: 'GET', path: '/openapi.json' }));
    await until(async () => {
      scanner.clock.advance(100);
      return reply.now() !== undefined;
    });
    const result = reply.now();
    if (result === undefined || result instanceof Error) throw result ?? new Error('no reply');
    expect(JSON.parse(result.text)).toHaveProperty('openapi');
  });

  test('can take faults back by the pages of the scanner, whatever the faults are', async () => {
    const scanner = await TestScanner.start({ controlPort: 0, faults: { faults: [{ kind: 'http-reset' }] } });
    const send = (path: string, body: object) =>
      new Client(scanner.httpPort).send({ method: 'POST', path, body: JSON.stringify(body) });
    expect(await send('/x/sim/faults/clear', {})).toMatchObject({ httpStatus: 200, text: '{"ok":true}\n' });
    expect(statusOf(await scanner.client().get('LocationName'))).toBe(0);
  });
});
