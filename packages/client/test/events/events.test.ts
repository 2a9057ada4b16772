import { getEventListeners } from 'node:events';
import { issue, keyPem } from '@azimuth/test-support/certificates';
import { expect, test, vi } from 'vitest';
import { Scanner } from '../../src/scanner.js';
import { begin, next, start } from './scanner-with-events.js';

test('the first value is the current one, and every change follows', async () => {
  const { device, scanner } = await start();
  const before = Date.now();
  const seen = [];
  for await (const { event, data, at } of scanner.events('DeviceStatus')) {
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(Date.now());
    seen.push([event, data]);
    if (seen.length === 1) {
      const connection = await device.connections.next();
      expect(await connection.messages.next()).toEqual({
        type: 'register',
        event: 'DeviceStatus',
        clientId: 1,
      });
      for (const status of [2, 3]) connection.push('DeviceStatus', { DeviceStatus: status });
    }
    if (seen.length === 3) break;
  }
  expect(seen).toEqual([
    ['DeviceStatus', 3],
    ['DeviceStatus', 2],
    ['DeviceStatus', 3],
  ]);
  expect(device.attempts).toEqual(['/apievents']);
});

test('events of a scanner at a path are read below that path', async () => {
  const { device } = await start();
  const scanner = new Scanner({ url: `${device.url}/hall/3/api` });
  for await (const _ of scanner.events('DeviceStatus')) break;
  expect(device.attempts).toEqual(['/hall/3/apievents']);
});

test('structs are read in nested form, in flat form, and in both', async () => {
  const { device, scanner } = await start();
  const nested = { Year: 2026, Month: 5, Day: 4, Hour: 3, Minute: 2, Second: 1, Microsecond: 0 };
  const iterator = begin(scanner.eventsAny(['LSPdatetime']));
  device.data.set('LSPdatetime', { LSPdatetime: nested });
  expect(await next(iterator)).toEqual({ event: 'LSPdatetime', data: nested });
  const connection = await device.connections.next();
  connection.push('LSPdatetime', { ...nested, Second: 2 });
  connection.push('LSPdatetime', { ...nested, LSPdatetime: { ...nested, Second: 3 } });
  expect(await next(iterator)).toEqual({ event: 'LSPdatetime', data: { ...nested, Second: 2 } });
  expect(await next(iterator)).toEqual({ event: 'LSPdatetime', data: { ...nested, Second: 3 } });
  await iterator.return?.();
});

test('options are sent with each registration, and each name once', async () => {
  const { device, clock, scanner } = await start();
  const options = {
    throttle: 500,
    queue: { priority: 'HIGH', maxSize: 3, discardIfFull: 'NEWEST' },
    pace: 20,
  } as const;
  const iterator = begin(scanner.events('DeviceStatus', 'CurrentTempDev', 'DeviceStatus', options));
  void iterator.next();
  const connection = await device.connections.next();
  const sent = {
    throttle: { minOutputIntervalMs: 500 },
    queue: { priority: 'HIGH', maxSize: 3, discardIfFull: 'NEWEST' },
  };
  expect(await connection.messages.next()).toEqual({
    type: 'register',
    event: 'DeviceStatus',
    clientId: 1,
    options: sent,
  });
  await clock.somebodyWaits(20);
  clock.pass(20);
  expect(await connection.messages.next()).toEqual({
    type: 'register',
    event: 'CurrentTempDev',
    clientId: 2,
    options: sent,
  });
  // Waits for the responses only, not for a third registration.
  await clock.somebodyWaits(10_000);
  await iterator.return?.();
});

test('registrations are sent 200 ms apart', async () => {
  const { device, clock, scanner } = await start();
  const iterator = begin(scanner.events('DeviceStatus', 'SCdevicestate', 'CurrentTempDev'));
  const first = next(iterator);
  const connection = await device.connections.next();
  expect(await connection.registered(1)).toEqual(['DeviceStatus']);
  // Values come before all is registered.
  expect(await first).toEqual({ event: 'DeviceStatus', data: 3 });
  await clock.somebodyWaits(200);
  clock.pass(199);
  // All earlier values have arrived before the response to this request.
  connection.socket.ping();
  await new Promise((resolve) => connection.socket.once('pong', resolve));
  expect(connection.messages.length).toBe(0);
  clock.pass(1);
  expect(await connection.registered(1)).toEqual(['SCdevicestate']);
  await clock.somebodyWaits(200);
  clock.pass(200);
  expect(await connection.registered(1)).toEqual(['CurrentTempDev']);
  await iterator.return?.();
});

test('leaving the loop closes the connection', async () => {
  const { device, clock, scanner } = await start();
  for await (const _ of scanner.events('DeviceStatus', 'CurrentTempDev')) break;
  const connection = await device.connections.next();
  expect(await connection.closed).toBe(1000);
  expect(clock.waiting).toBe(0);
});

test('close() ends a waiting loop', async () => {
  const { device, scanner } = await start();
  const events = scanner.events('DeviceStatus');
  const iterator = begin(events);
  await iterator.next();
  const waiting = iterator.next();
  events.close();
  expect(await waiting).toEqual({ done: true, value: undefined });
  expect(await (await device.connections.next()).closed).toBe(1000);
});

test('the abort signal ends the loop, also before it has begun', async () => {
  const { device, scanner } = await start();
  const abort = new AbortController();
  const seen = [];
  for await (const { data } of scanner.events('DeviceStatus', { signal: abort.signal })) {
    seen.push(data);
    abort.abort();
  }
  expect(seen).toEqual([3]);
  // Nor does the signal keep anything alive.
  expect(getEventListeners(abort.signal, 'abort')).toEqual([]);
  expect(await (await device.connections.next()).closed).toBe(1000);
  for await (const _ of scanner.events('DeviceStatus', { signal: abort.signal })) expect.fail();
  expect(device.attempts).toHaveLength(1);
});

test('the abort signal ends a handshake that gets no answer', async () => {
  const { device, scanner } = await start();
  device.refusals.push(undefined);
  const abort = new AbortController();
  const iterator = begin(scanner.events('DeviceStatus', { signal: abort.signal }));
  const waiting = iterator.next();
  abort.abort();
  expect(await waiting).toEqual({ done: true, value: undefined });
});

test('the client connects only when a value is requested', async () => {
  const { device, scanner } = await start();
  const events = scanner.events('DeviceStatus');
  events.close();
  expect(await begin(events).next()).toEqual({ done: true, value: undefined });
  expect(device.attempts).toEqual([]);
});

test('a slow reader gets the newest values of each event, and the number of lost values', async () => {
  const { device, clock, scanner } = await start();
  const events = scanner.events('DeviceStatus', 'CurrentTempDev', { buffer: 4 });
  const iterator = begin(events);
  await iterator.next();
  const connection = await device.connections.next();
  await clock.somebodyWaits(200);
  clock.pass(200);
  await connection.registered(2);
  for (let degrees = 40; degrees < 50; degrees++)
    connection.push('CurrentTempDev', { CurrentTempDev: degrees });
  connection.push('DeviceStatus', { DeviceStatus: 5 });
  connection.socket.ping();
  await new Promise((resolve) => connection.socket.once('pong', resolve));
  // 1 at the registration, 10 and 1 later, 4 of them stored.
  expect(events.lost).toBe(8);
  const kept = [];
  for (let count = 0; count < 4; count++) kept.push(await next(iterator));
  expect(kept).toEqual([
    { event: 'CurrentTempDev', data: 47 },
    { event: 'CurrentTempDev', data: 48 },
    { event: 'CurrentTempDev', data: 49 },
    { event: 'DeviceStatus', data: 5 },
  ]);
  await iterator.return?.();
});

test('the buffer must be a whole number from 1, and at least one event must be named', () => {
  const scanner = new Scanner({ url: 'http://127.0.0.1:1' });
  for (const buffer of [0, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => scanner.events('DeviceStatus', { buffer })).toThrow(RangeError);
  }
  expect(() => scanner.eventsAny([])).toThrow(TypeError);
});

test('over https the client uses wss, and checks the certificate', async () => {
  const { keys, certificate } = issue();
  const { device, scanner } = await start({ key: keyPem(keys), cert: certificate });
  await expect(begin(scanner.events('DeviceStatus')).next()).rejects.toThrow(
    `${device.url} cannot be reached: DEPTH_ZERO_SELF_SIGNED_CERT`,
  );
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  const iterator = begin(scanner.events('DeviceStatus'));
  expect(await next(iterator)).toEqual({ event: 'DeviceStatus', data: 3 });
  await iterator.return?.();
});
