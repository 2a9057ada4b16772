import { httpResponse } from '@azimuth/test-support/fake-events';
import { expect, test } from 'vitest';
import { type EventsState, UnreachableError } from '../../src/index.js';
import { begin, next, start } from './scanner-with-events.js';

test.each([
  ['without a close frame', 1006, 'the connection was lost'],
  ['as it goes away', 1001, 'the scanner closed the connection (1001, off)'],
  ['in good order', 1000, 'the scanner closed the connection (1000, off)'],
])(
  'after a connection is lost %s, the client connects again and registers everything again',
  async (_, code, reason) => {
    const { device, clock, scanner } = await start();
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
  },
);

test('while the scanner is unreachable, pauses between attempts grow up to 5 s', async () => {
  const { device, clock, scanner } = await start();
  const iterator = begin(scanner.events('DeviceStatus'));
  await iterator.next();
  const waiting = next(iterator);
  await device.down();
  for (const ms of [500, 1000, 2000, 4000, 5000, 5000]) {
    await clock.somebodyWaits(ms);
    clock.pass(ms);
  }
  await clock.somebodyWaits(5000);
  // A refusal while the scanner boots is no reason to stop.
  device.refusals.push(httpResponse(404), httpResponse(503));
  await device.up();
  for (let attempts = 0; attempts < 3; attempts++) {
    await clock.somebodyWaits(5000);
    clock.pass(5000);
  }
  expect(await waiting).toEqual({ event: 'DeviceStatus', data: 3 });
  await iterator.return?.();
});

test('after a connection on which everything was registered, the pause before the next attempt is short again', async () => {
  const { device, clock, scanner } = await start();
  const iterator = begin(scanner.events('DeviceStatus'));
  for (let round = 0; round < 3; round++) {
    expect(await next(iterator)).toEqual({ event: 'DeviceStatus', data: 3 });
    (await device.connections.next()).socket.terminate();
    await clock.somebodyWaits(500);
    clock.pass(500);
  }
  await iterator.return?.();
});

test('if connections are lost before everything is registered, pauses between attempts grow', async () => {
  const { device, clock, scanner } = await start();
  const iterator = begin(scanner.events('DeviceStatus', 'CurrentTempDev'));
  for (const ms of [500, 1000, 2000]) {
    expect(await next(iterator)).toMatchObject({ event: 'DeviceStatus' });
    (await device.connections.next()).socket.terminate();
    await clock.somebodyWaits(ms);
    clock.pass(ms);
  }
  await iterator.return?.();
});

test('with reconnect: false, a lost connection ends the loop', async () => {
  const { device, clock, scanner } = await start();
  const iterator = begin(scanner.events('DeviceStatus', { reconnect: false }));
  await iterator.next();
  (await device.connections.next()).socket.terminate();
  await expect(iterator.next()).rejects.toEqual(
    new UnreachableError(device.url, 'the connection was lost', undefined),
  );
  expect(await iterator.next()).toEqual({ done: true, value: undefined });
  expect(clock.waiting).toBe(0);
});

test('if the scanner sends nothing for 10 s after a ping, the client connects again', async () => {
  const { device, clock, scanner } = await start();
  const lost: string[] = [];
  const onState = (state: EventsState, why: string) => state === 'lost' && lost.push(why);
  const iterator = begin(scanner.events('DeviceStatus', { onState }));
  await iterator.next();
  const connection = await device.connections.next();
  const { socket } = connection;
  clock.pass(15_000);
  await new Promise((resolve) => socket.once('ping', resolve));
  // The response arrives before later messages.
  socket.ping();
  await new Promise((resolve) => socket.once('pong', resolve));
  clock.pass(10_000);
  await clock.somebodyWaits(15_000);
  expect(lost).toEqual([]);
  // The scanner is dead from here on: it reads nothing and answers nothing.
  socket.pause();
  clock.pass(15_000);
  await clock.somebodyWaits(10_000);
  clock.pass(10_000);
  await clock.somebodyWaits(500);
  expect(lost).toEqual(['no sign of life within 10 s']);
  // Later data of such a connection is old.
  connection.push('DeviceStatus', { DeviceStatus: 2 });
  clock.pass(500);
  expect(await next(iterator)).toEqual({ event: 'DeviceStatus', data: 3 });
  await iterator.return?.();
});

test('values count as an answer to a ping', async () => {
  const { device, clock, scanner } = await start();
  device.respondsToPings = false;
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
