import { getEventListeners } from 'node:events';
import { expect, expectTypeOf, test, vi } from 'vitest';
import { issue, keyPem } from '../../../../tests/support/certificates.js';
import type { EventName as SpecifiedEvent } from '../../../../tests/support/event-names.js';
import { FakeEvents, httpAnswer } from '../../../../tests/support/fake-events.js';
import {
  AnswerError,
  type EventName,
  EventRefusedError,
  type Events,
  type EventsState,
  type ScannerEvent,
  UnreachableError,
} from '../../src/index.js';
import { Scanner } from '../../src/scanner.js';
import { HandClock } from './hand-clock.js';

async function bench(tls?: Parameters<typeof FakeEvents.start>[0]) {
  const device = await FakeEvents.start(tls);
  const clock = new HandClock();
  const scanner = new Scanner({ url: device.url, pause: clock.pause });
  return { device, clock, scanner };
}

/** The next value without its time. */
async function next<E extends { event: string; data: unknown }>(iterator: AsyncIterator<E, undefined>) {
  const { value } = await iterator.next();
  return value === undefined ? undefined : { event: value.event, data: value.data };
}

const begin = <E>(events: Events<E>) => events[Symbol.asyncIterator]();

test('an event begins with the value that is, and goes on with every change', async () => {
  const { device, scanner } = await bench();
  const before = Date.now();
  const seen = [];
  for await (const { event, data, at } of scanner.events('DeviceStatus')) {
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(Date.now());
    seen.push([event, data]);
    if (seen.length === 1) {
      const connection = await device.connections.next();
      expect(await connection.asked.next()).toEqual({ type: 'register', event: 'DeviceStatus', clientId: 1 });
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

test('a scanner behind a path has its events there', async () => {
  const { device } = await bench();
  const scanner = new Scanner({ url: `${device.url}/hall/3/api` });
  for await (const _ of scanner.events('DeviceStatus')) break;
  expect(device.attempts).toEqual(['/hall/3/apievents']);
});

test('structs are taken nested, flat and both', async () => {
  const { device, scanner } = await bench();
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

test('options go out with each registration, and names once', async () => {
  const { device, clock, scanner } = await bench();
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
  expect(await connection.asked.next()).toEqual({
    type: 'register',
    event: 'DeviceStatus',
    clientId: 1,
    options: sent,
  });
  await clock.somebodyWaits(20);
  clock.pass(20);
  expect(await connection.asked.next()).toEqual({
    type: 'register',
    event: 'CurrentTempDev',
    clientId: 2,
    options: sent,
  });
  // Only the answers are waited for, no third registration.
  await clock.somebodyWaits(10_000);
  await iterator.return?.();
});

test('registrations leave 200 ms apart', async () => {
  const { device, clock, scanner } = await bench();
  const iterator = begin(scanner.events('DeviceStatus', 'SCdevicestate', 'CurrentTempDev'));
  const first = next(iterator);
  const connection = await device.connections.next();
  expect(await connection.registered(1)).toEqual(['DeviceStatus']);
  // Values come before all is registered.
  expect(await first).toEqual({ event: 'DeviceStatus', data: 3 });
  await clock.somebodyWaits(200);
  clock.pass(199);
  // What would have left by now has come before the answer to this.
  connection.socket.ping();
  await new Promise((resolve) => connection.socket.once('pong', resolve));
  expect(connection.asked.length).toBe(0);
  clock.pass(1);
  expect(await connection.registered(1)).toEqual(['SCdevicestate']);
  await clock.somebodyWaits(200);
  clock.pass(200);
  expect(await connection.registered(1)).toEqual(['CurrentTempDev']);
  await iterator.return?.();
});

test('leaving the loop closes the connection in good order', async () => {
  const { device, clock, scanner } = await bench();
  for await (const _ of scanner.events('DeviceStatus', 'CurrentTempDev')) break;
  const connection = await device.connections.next();
  expect(await connection.closed).toBe(1000);
  expect(clock.waiting).toBe(0);
});

test('closing ends a loop that waits', async () => {
  const { device, scanner } = await bench();
  const events = scanner.events('DeviceStatus');
  const iterator = begin(events);
  await iterator.next();
  const waiting = iterator.next();
  events.close();
  expect(await waiting).toEqual({ done: true, value: undefined });
  expect(await (await device.connections.next()).closed).toBe(1000);
});

test('the abort signal ends the loop, before its beginning too', async () => {
  const { device, scanner } = await bench();
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

test('the abort signal ends a handshake that nobody answers', async () => {
  const { device, scanner } = await bench();
  device.refusals.push(undefined);
  const abort = new AbortController();
  const iterator = begin(scanner.events('DeviceStatus', { signal: abort.signal }));
  const waiting = iterator.next();
  abort.abort();
  expect(await waiting).toEqual({ done: true, value: undefined });
});

test('nothing is connected to before a value is asked for', async () => {
  const { device, scanner } = await bench();
  const events = scanner.events('DeviceStatus');
  events.close();
  expect(await begin(events).next()).toEqual({ done: true, value: undefined });
  expect(device.attempts).toEqual([]);
});

test.each([
  ['without a close frame', 1006, 'the connection was lost'],
  ['as it goes away', 1001, 'the scanner closed the connection (1001, off)'],
  ['in good order', 1000, 'the scanner closed the connection (1000, off)'],
])('a connection that is lost %s is made anew, and everything registered again', async (_, code, reason) => {
  const { device, clock, scanner } = await bench();
  const states: [EventsState, string][] = [];
  const onState = (state: EventsState, why: string) => states.push([state, why]);
  const iterator = begin(scanner.events('DeviceStatus', 'CurrentTempDev', { onState }));
  expect(await next(iterator)).toEqual({ event: 'DeviceStatus', data: 3 });
  await clock.somebodyWaits(200);
  clock.pass(200);
  expect(await next(iterator)).toEqual({ event: 'CurrentTempDev', data: 31.5 });
  const lost = await device.connections.next();
  expect(states).toEqual([['connected', '']]);
  if (code === 1006) lost.socket.terminate();
  else lost.socket.close(code, 'off');
  await clock.somebodyWaits(500);
  expect(states.slice(1)).toEqual([['lost', reason]]);
  device.data.set('DeviceStatus', { DeviceStatus: 1 });
  clock.pass(500);
  expect(await next(iterator)).toEqual({ event: 'DeviceStatus', data: 1 });
  expect(states.slice(2)).toEqual([['reconnected', '']]);
  const again = await device.connections.next();
  await clock.somebodyWaits(200);
  clock.pass(200);
  expect(await again.registered(2)).toEqual(['DeviceStatus', 'CurrentTempDev']);
  await iterator.return?.();
});

test('a scanner that is away is looked for less often, but every 5 s', async () => {
  const { device, clock, scanner } = await bench();
  const iterator = begin(scanner.events('DeviceStatus'));
  await iterator.next();
  const waiting = next(iterator);
  await device.down();
  for (const ms of [500, 1000, 2000, 4000, 5000, 5000]) {
    await clock.somebodyWaits(ms);
    clock.pass(ms);
  }
  await clock.somebodyWaits(5000);
  // What a scanner answers while it boots is no reason to give up.
  device.refusals.push(httpAnswer(404), httpAnswer(503));
  await device.up();
  for (let attempts = 0; attempts < 3; attempts++) {
    await clock.somebodyWaits(5000);
    clock.pass(5000);
  }
  expect(await waiting).toEqual({ event: 'DeviceStatus', data: 3 });
  await iterator.return?.();
});

test('one that loses each connection after all is registered is looked for as soon as the first time', async () => {
  const { device, clock, scanner } = await bench();
  const iterator = begin(scanner.events('DeviceStatus'));
  for (let round = 0; round < 3; round++) {
    expect(await next(iterator)).toEqual({ event: 'DeviceStatus', data: 3 });
    (await device.connections.next()).socket.terminate();
    await clock.somebodyWaits(500);
    clock.pass(500);
  }
  await iterator.return?.();
});

test('one that loses each connection before all is registered is asked less and less often', async () => {
  const { device, clock, scanner } = await bench();
  const iterator = begin(scanner.events('DeviceStatus', 'CurrentTempDev'));
  for (const ms of [500, 1000, 2000]) {
    await next(iterator);
    (await device.connections.next()).socket.terminate();
    await clock.somebodyWaits(ms);
    clock.pass(ms);
  }
  await iterator.return?.();
});

test('a connection that is lost ends the loop where it is wished so', async () => {
  const { device, clock, scanner } = await bench();
  const iterator = begin(scanner.events('DeviceStatus', { reconnect: false }));
  await iterator.next();
  (await device.connections.next()).socket.terminate();
  await expect(iterator.next()).rejects.toEqual(
    new UnreachableError(device.url, 'the connection was lost', undefined),
  );
  expect(await iterator.next()).toEqual({ done: true, value: undefined });
  expect(clock.waiting).toBe(0);
});

test('a scanner that gives no sign of life for 10 s is connected to anew', async () => {
  const { device, clock, scanner } = await bench();
  const lost: string[] = [];
  const onState = (state: EventsState, why: string) => state === 'lost' && lost.push(why);
  const iterator = begin(scanner.events('DeviceStatus', { onState }));
  await iterator.next();
  const connection = await device.connections.next();
  const { socket } = connection;
  clock.pass(15_000);
  await new Promise((resolve) => socket.once('ping', resolve));
  // The answer arrives before what is sent after it.
  socket.ping();
  await new Promise((resolve) => socket.once('pong', resolve));
  clock.pass(10_000);
  await clock.somebodyWaits(15_000);
  expect(lost).toEqual([]);
  // From here on it is dead: nothing is read, nothing answered.
  socket.pause();
  clock.pass(15_000);
  await clock.somebodyWaits(10_000);
  clock.pass(10_000);
  await clock.somebodyWaits(500);
  expect(lost).toEqual(['no sign of life within 10 s']);
  // What such a connection brings after all is old.
  connection.push('DeviceStatus', { DeviceStatus: 2 });
  clock.pass(500);
  expect(await next(iterator)).toEqual({ event: 'DeviceStatus', data: 3 });
  await iterator.return?.();
});

test('values are a sign of life', async () => {
  const { device, clock, scanner } = await bench();
  device.answersPings = false;
  const iterator = begin(scanner.events('DeviceStatus'));
  await iterator.next();
  const connection = await device.connections.next();
  await clock.somebodyWaits(15_000);
  clock.pass(15_000);
  await clock.somebodyWaits(10_000);
  connection.push('DeviceStatus', { DeviceStatus: 4 });
  expect(await next(iterator)).toEqual({ event: 'DeviceStatus', data: 4 });
  clock.pass(10_000);
  await clock.somebodyWaits(15_000);
  expect(clock.waits).not.toContain(500);
  await iterator.return?.();
});

test('the first connection is never tried again', async () => {
  const { device, clock, scanner } = await bench();
  await device.down();
  const error = await begin(scanner.events('DeviceStatus'))
    .next()
    .catch((error: unknown) => error);
  expect(error).toBeInstanceOf(UnreachableError);
  expect(error).toMatchObject({ message: `${device.url} cannot be reached: ECONNREFUSED` });
  expect(clock.waits).toEqual([]);
});

test('nor is one that is closed before anything is registered', async () => {
  const { device, scanner } = await bench();
  device.answer = () => undefined;
  const waiting = begin(scanner.events('DeviceStatus')).next();
  const connection = await device.connections.next();
  await connection.asked.next();
  connection.socket.close(1002);
  await expect(waiting).rejects.toEqual(
    new UnreachableError(device.url, 'the scanner closed the connection (1002)', undefined),
  );
});

test('a handshake that is not answered in time is told', async () => {
  const device = await FakeEvents.start();
  device.refusals.push(undefined);
  const scanner = new Scanner({ url: device.url, timeoutMs: 50 });
  const waiting = begin(scanner.events('DeviceStatus')).next();
  await expect(waiting).rejects.toMatchObject({
    name: 'UnreachableError',
    message: `${device.url} cannot be reached: no answer within 0.05 s`,
  });
});

test('registrations that are not answered in time are told with their name', async () => {
  const { device, clock, scanner } = await bench();
  device.answer = () => undefined;
  const waiting = begin(scanner.events('DeviceStatus')).next();
  await device.connections.next();
  await clock.somebodyWaits(10_000);
  clock.pass(10_000);
  await expect(waiting).rejects.toThrow('no answer to the registration of DeviceStatus within 10 s');
});

test('an event that the scanner does not have is told with its name and the reason', async () => {
  const { device, clock, scanner } = await bench();
  const iterator = begin(scanner.eventsAny(['DeviceStatus', 'Xyzzy']));
  expect(await next(iterator)).toEqual({ event: 'DeviceStatus', data: 3 });
  await clock.somebodyWaits(200);
  clock.pass(200);
  await expect(iterator.next()).rejects.toEqual(
    new EventRefusedError('Xyzzy', 1, 'Failed to register event Xyzzy. Does it exist?'),
  );
  expect(await iterator.next()).toEqual({ done: true, value: undefined });
  expect(await (await device.connections.next()).closed).toBe(1000);
  expect(clock.waiting).toBe(0);
});

const registered = { type: 'register', event: 'DeviceStatus', clientId: 1, status: 0 };
const pushed = { type: 'event', event: 'DeviceStatus', clientId: 1, status: 0 };

test.each([
  ['no JSON', 'DeviceStatus=3'],
  ['no object', [3]],
  ['no type', { event: 'DeviceStatus', clientId: 1, status: 0, data: { DeviceStatus: 3 } }],
  ['another id', { ...pushed, clientId: 2, data: { DeviceStatus: 3 } }],
  ['an id that is no number', { ...pushed, clientId: '1', data: { DeviceStatus: 3 } }],
  ['another name', { ...pushed, event: 'CurrentTempDev', data: { DeviceStatus: 3 } }],
  ['no data', pushed],
  ['data of something else', { ...pushed, data: { CurrentTempDev: 3 } }],
  ['a value of another type', { ...pushed, data: { DeviceStatus: 'fine' } }],
  ['a value that no enumeration has', { ...pushed, data: { DeviceStatus: 99 } }],
  ['a registration without a status', { ...registered, status: undefined, data: { DeviceStatus: 3 } }],
  ['more than 1 MiB', { ...pushed, data: { DeviceStatus: 3 }, besides: 'x'.repeat(1024 * 1024) }],
])('a message with %s is an error of the answer', async (_, message) => {
  const { device, clock, scanner } = await bench();
  const iterator = begin(scanner.events('DeviceStatus'));
  await iterator.next();
  const connection = await device.connections.next();
  connection.send(message);
  await expect(iterator.next()).rejects.toThrow(AnswerError);
  expect(await iterator.next()).toEqual({ done: true, value: undefined });
  await connection.closed;
  expect(clock.waiting).toBe(0);
});

test('a binary message and a broken frame are errors of the answer too', async () => {
  const { device, scanner } = await bench();
  for (const break_ of [
    ({ socket }: { socket: import('ws').WebSocket }) => socket.send(Buffer.of(1, 2)),
    // Text that is no UTF-8.
    ({ socket }: { socket: import('ws').WebSocket }) => socket.send(Buffer.of(0xff, 0xfe), { binary: false }),
  ]) {
    const iterator = begin(scanner.events('DeviceStatus'));
    await iterator.next();
    break_(await device.connections.next());
    await expect(iterator.next()).rejects.toThrow(AnswerError);
  }
});

test('messages of other types are left alone, and a registration may come without a value', async () => {
  const { device, scanner } = await bench();
  device.answer = () => registered;
  const iterator = begin(scanner.events('DeviceStatus'));
  const first = next(iterator);
  const connection = await device.connections.next();
  await connection.asked.next();
  connection.send({ type: 'announcement', of: 'a newer release' });
  connection.push('DeviceStatus', { DeviceStatus: 4 });
  expect(await first).toEqual({ event: 'DeviceStatus', data: 4 });
  await iterator.return?.();
});

test('messages that come after the end are left alone', async () => {
  const { device, scanner } = await bench();
  const iterator = begin(scanner.events('DeviceStatus'));
  await iterator.next();
  const connection = await device.connections.next();
  await iterator.return?.();
  connection.push('DeviceStatus', { DeviceStatus: 4 });
  connection.send('nonsense');
  expect(await connection.closed).toBe(1000);
  expect(await iterator.next()).toEqual({ done: true, value: undefined });
});

test('a slow reader gets the newest values of each event, and is told how many it has lost', async () => {
  const { device, clock, scanner } = await bench();
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
  // 1 at the registration, 10 and 1 later, 4 of them kept.
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

test('nothing but whole numbers from 1 on bound what waits, and there is at least one event', () => {
  const scanner = new Scanner({ url: 'http://127.0.0.1:1' });
  for (const buffer of [0, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => scanner.events('DeviceStatus', { buffer })).toThrow(RangeError);
  }
  expect(() => scanner.eventsAny([])).toThrow(TypeError);
});

test('over https the WebSocket is wss, and its certificate is checked', async () => {
  const { keys, certificate } = issue();
  const { device, scanner } = await bench({ key: keyPem(keys), cert: certificate });
  await expect(begin(scanner.events('DeviceStatus')).next()).rejects.toThrow(
    `${device.url} cannot be reached: DEPTH_ZERO_SELF_SIGNED_CERT`,
  );
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  const iterator = begin(scanner.events('DeviceStatus'));
  expect(await next(iterator)).toEqual({ event: 'DeviceStatus', data: 3 });
  await iterator.return?.();
});

/** Never called: its types are what is tested. */
async function typed(scanner: Scanner) {
  for await (const value of scanner.events('CurrentTempDev', 'temperatureAlarmStatus', { throttle: 100 })) {
    if (value.event === 'CurrentTempDev') expectTypeOf(value.data).toBeNumber();
    else expectTypeOf(value.data).toBeBoolean();
  }
  expectTypeOf(scanner.events('DeviceStatus')).toEqualTypeOf<Events<ScannerEvent<'DeviceStatus'>>>();
  for await (const { data } of scanner.eventsAny(['NewestThing'])) expectTypeOf(data).toBeUnknown();
  // @ts-expect-error: a variable, no event
  scanner.events('LocationName');
  // @ts-expect-error: no name at all
  scanner.events({ throttle: 100 });
  // @ts-expect-error: no such option
  scanner.events('DeviceStatus', { speed: 100 });
}

test('the names and the types of values follow from the model', () => {
  expectTypeOf<EventName>().toEqualTypeOf<SpecifiedEvent>();
  expectTypeOf(typed).returns.toEqualTypeOf<Promise<void>>();
});
