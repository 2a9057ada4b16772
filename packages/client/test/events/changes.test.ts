import { httpResponse } from '@azimuth/test-support/fake-events';
import { expect, test } from 'vitest';
import { AnswerError, EventRefusedError, type EventsState, NoEventsError } from '../../src/index.js';
import { begin, start } from './scanner-with-events.js';

const value = (changed: Readonly<Record<string, unknown>>, lost = 0) => ({
  done: false,
  value: { changed, lost },
});

test('changes come as the scanner reports them, and the client asks for nothing', async () => {
  const { device, scanner } = await start();
  const iterator = begin(scanner.changes());
  const first = iterator.next();
  const connection = await device.connections.next();
  connection.send({ changed: { LocationName: 'dock', 'x/time': { state: 1 } } });
  connection.send({ announcement: 'of a newer release' });
  connection.send({ lost: 7 });
  connection.send({ changed: { DeviceStatus: 3 } });
  expect(await first).toEqual(value({ LocationName: 'dock', 'x/time': { state: 1 } }));
  expect(await iterator.next()).toEqual(value({}, 7));
  expect(await iterator.next()).toEqual(value({ DeviceStatus: 3 }));
  expect(device.attempts).toEqual(['/x/events']);
  await iterator.return?.();
  expect(await connection.closed).toBe(1000);
});

test('only the named variables are asked for', async () => {
  const { device, scanner } = await start();
  const iterator = begin(scanner.changes({ names: ['LocationName', 'x/fields'] }));
  void iterator.next();
  await device.connections.next();
  expect(device.attempts).toEqual(['/x/events?names=LocationName,x%2Ffields']);
  await iterator.return?.();
});

test('what a slow reader has missed is counted in the next report', async () => {
  const { device, scanner } = await start();
  const iterator = begin(scanner.changes());
  const first = iterator.next();
  const connection = await device.connections.next();
  connection.send({ changed: { n: 0 } });
  await first;
  connection.send({ lost: 5 });
  for (let n = 1; n <= 103; n++) connection.send({ changed: { n } });
  // The response arrives after everything that was sent before it.
  connection.socket.ping();
  await new Promise((resolve) => connection.socket.once('pong', resolve));
  expect(await iterator.next()).toEqual(value({ n: 4 }, 9));
  expect(await iterator.next()).toEqual(value({ n: 5 }));
  await iterator.return?.();
});

test('after a connection is lost, the client connects again with a short pause', async () => {
  const { device, clock, scanner } = await start();
  const states: [EventsState, string][] = [];
  const onState = (state: EventsState, why: string) => states.push([state, why]);
  const iterator = begin(scanner.changes({ onState, names: ['LocationName'] }));
  const first = iterator.next();
  (await device.connections.next()).socket.terminate();
  await clock.somebodyWaits(500);
  clock.pass(500);
  (await device.connections.next()).send({ changed: { LocationName: 'gate' } });
  expect(await first).toEqual(value({ LocationName: 'gate' }));
  expect(states).toEqual([
    ['connected', ''],
    ['lost', 'the connection was lost'],
    ['reconnected', ''],
  ]);
  expect(device.attempts).toHaveLength(2);
  await iterator.return?.();
});

test('with reconnect: false, a lost connection ends the loop; an abort ends it without an error', async () => {
  const { device, scanner } = await start();
  const iterator = begin(scanner.changes({ reconnect: false }));
  const first = iterator.next();
  (await device.connections.next()).socket.terminate();
  await expect(first).rejects.toThrow('the connection was lost');
  const abort = new AbortController();
  let next: Promise<unknown> | undefined;
  const open = new Promise<void>((resolve) => {
    const other = begin(scanner.changes({ signal: abort.signal, onState: () => resolve() }));
    next = other.next();
  });
  const connection = await device.connections.next();
  await open;
  abort.abort();
  expect(await next).toEqual({ done: true, value: undefined });
  expect(await connection.closed).toBe(1000);
});

test.each([
  ['HTTP 404', httpResponse(404)],
  ['HTTP 200', httpResponse(200, JSON.stringify({ header: { status: 5, message: 'Not found' } }))],
])('a scanner without /x/events (%s) is a NoEventsError', async (answered, answer) => {
  const { device, scanner } = await start();
  device.refusals.push(answer);
  const error = await begin(scanner.changes())
    .next()
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(NoEventsError);
  expect(error).toMatchObject({
    olderVersion: undefined,
    message: `${device.url} has no events: it answered ${answered} (/x/events is an extension of Azimuth, and needs that no proxy stops WebSockets)`,
  });
});

test('a name that the scanner does not know is an error with what the scanner says', async () => {
  const { device, scanner } = await start();
  device.refusals.push(httpResponse(400, 'No variable here is named Xyzzy\n'));
  await expect(begin(scanner.changes({ names: ['Xyzzy'] })).next()).rejects.toEqual(
    new EventRefusedError('Xyzzy', 400, 'No variable here is named Xyzzy'),
  );
});

test.each([
  ['no JSON', 'x'],
  ['no object', '[3]'],
  ['bytes', Buffer.of(2, 2)],
])('a message with %s is an error of the answer', async (_, message) => {
  const { device, scanner } = await start();
  const waiting = begin(scanner.changes()).next();
  (await device.connections.next()).socket.send(message);
  await expect(waiting).rejects.toThrow(AnswerError);
});
