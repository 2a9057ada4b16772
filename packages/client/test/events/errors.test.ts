import { FakeEvents } from '@azimuth/test-support/fake-events';
import { expect, test } from 'vitest';
import { AnswerError, EventRefusedError, UnreachableError } from '../../src/index.js';
import { Scanner } from '../../src/scanner.js';
import { begin, next, start } from './scanner-with-events.js';

test('the first connection is tried only once', async () => {
  const { device, clock, scanner } = await start();
  await device.down();
  const error = await begin(scanner.events('DeviceStatus'))
    .next()
    .catch((error: unknown) => error);
  expect(error).toBeInstanceOf(UnreachableError);
  expect(error).toMatchObject({ message: `${device.url} cannot be reached: ECONNREFUSED` });
  expect(clock.waits).toEqual([]);
});

test('a connection that is closed before anything is registered is not tried again', async () => {
  const { device, scanner } = await start();
  device.respond = () => undefined;
  const waiting = begin(scanner.events('DeviceStatus')).next();
  const connection = await device.connections.next();
  await connection.messages.next();
  connection.socket.close(1002);
  await expect(waiting).rejects.toEqual(
    new UnreachableError(device.url, 'the scanner closed the connection (1002)', undefined),
  );
});

test('a handshake without an answer in time is an UnreachableError', async () => {
  const device = await FakeEvents.start();
  device.refusals.push(undefined);
  const scanner = new Scanner({ url: device.url, timeoutMs: 50 });
  const waiting = begin(scanner.events('DeviceStatus')).next();
  await expect(waiting).rejects.toMatchObject({
    name: 'UnreachableError',
    message: `${device.url} cannot be reached: no answer within 0.05 s`,
  });
});

test('a registration without an answer in time is an error with its name', async () => {
  const { device, clock, scanner } = await start();
  device.respond = () => undefined;
  const waiting = begin(scanner.events('DeviceStatus')).next();
  await device.connections.next();
  await clock.somebodyWaits(10_000);
  clock.pass(10_000);
  await expect(waiting).rejects.toThrow('no answer to the registration of DeviceStatus within 10 s');
});

test('an event that the scanner does not have is an error with its name and the reason', async () => {
  const { device, clock, scanner } = await start();
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
  const { device, clock, scanner } = await start();
  const iterator = begin(scanner.events('DeviceStatus'));
  await iterator.next();
  const connection = await device.connections.next();
  connection.send(message);
  await expect(iterator.next()).rejects.toThrow(AnswerError);
  expect(await iterator.next()).toEqual({ done: true, value: undefined });
  await connection.closed;
  expect(clock.waiting).toBe(0);
});

test('a binary message and a broken frame are AnswerErrors, too', async () => {
  const { device, scanner } = await start();
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

test('messages of other types are ignored, and a registration may be answered without a value', async () => {
  const { device, scanner } = await start();
  device.respond = () => registered;
  const iterator = begin(scanner.events('DeviceStatus'));
  const first = next(iterator);
  const connection = await device.connections.next();
  await connection.messages.next();
  connection.send({ type: 'announcement', of: 'a newer release' });
  connection.push('DeviceStatus', { DeviceStatus: 4 });
  expect(await first).toEqual({ event: 'DeviceStatus', data: 4 });
  await iterator.return?.();
});

test('messages after the end are ignored', async () => {
  const { device, scanner } = await start();
  const iterator = begin(scanner.events('DeviceStatus'));
  await iterator.next();
  const connection = await device.connections.next();
  await iterator.return?.();
  connection.push('DeviceStatus', { DeviceStatus: 4 });
  connection.send('nonsense');
  expect(await connection.closed).toBe(1000);
  expect(await iterator.next()).toEqual({ done: true, value: undefined });
});
