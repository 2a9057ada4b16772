import { FakeEvents, httpResponse } from '@azimuth/test-support/fake-events';
import { until } from '@azimuth/test-support/waiting';
import { afterEach, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { Connection } from '../../src/connection.js';
import { eventsChannel, extensionChannel } from '../../src/events/channels.js';
import { openSocket } from '../../src/events/open-browser-socket.js';
import { type Channel, type ChannelContext, openChannel } from '../../src/events/open-channel.js';
import {
  AnswerError,
  NoEventsError,
  NoScansError,
  RateLimitError,
  Scanner,
  ScannerError,
  UnreachableError,
} from '../../src/index.js';

afterEach(() => {
  vi.unstubAllGlobals();
});

async function failure(device: FakeEvents, waits: number[] = []): Promise<Error> {
  const pause = async (ms: number) => {
    waits.push(ms);
  };
  const scanner = new Scanner({ url: device.url, pause });
  try {
    for await (const _ of scanner.events('DeviceStatus')) break;
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('no failure');
}

const envelope = (status: number) => JSON.stringify({ header: { status, message: 'Told' } });

test.each([
  ['HTTP 404', httpResponse(404)],
  ['HTTP 426', httpResponse(426)],
  ['HTTP 501', httpResponse(501)],
  ['HTTP 200 with a page', httpResponse(200, '<html>')],
  ['HTTP 200 with status 5', httpResponse(200, envelope(5))],
])(
  '%s in response to the handshake means that there are no events, and the error names the release that has them',
  async (_, answer) => {
    const device = await FakeEvents.start();
    device.values.set('DeviceIdent', { Name: 'Scanner', Version: '2.3.0.0R' });
    device.refusals.push(answer);
    const error = await failure(device);
    expect(error).toBeInstanceOf(NoEventsError);
    expect(error.message).toBe(
      `${device.url} has no events: they need release 2.3.1 or newer, this scanner runs 2.3.0.0R`,
    );
    expect(device.attempts).toHaveLength(1);
  },
);

test.each([undefined, { Name: 'Scanner', Version: '2.10.0.0R' }, { Version: 7 }, 'old'])(
  'if the release has events, the error contains the response (%j)',
  async (ident) => {
    const device = await FakeEvents.start();
    if (ident !== undefined) device.values.set('DeviceIdent', ident);
    device.refusals.push(httpResponse(404));
    const error = await failure(device);
    expect(error).toBeInstanceOf(NoEventsError);
    expect(error.message).toMatch(/ has no events: it answered HTTP 404 \(.*2\.3\.1.*\)$/);
  },
);

test('another status of the scanner is an error with this status', async () => {
  const device = await FakeEvents.start();
  device.refusals.push(httpResponse(200, envelope(11)));
  const error = await failure(device);
  expect(error).toBeInstanceOf(ScannerError);
  expect(error).toMatchObject({ endpoint: 'apievents', status: 11 });
});

test.each([
  ['an error of the server', httpResponse(503), /HTTP 503 instead of a WebSocket$/],
  [
    'the reason of the port of a fleet',
    httpResponse(503, 'it is starting\n', ['Content-Type: text/plain; charset=utf-8']),
    / answered HTTP 503: it is starting$/,
  ],
  ['a redirection', httpResponse(302, '', ['Location: /elsewhere']), /HTTP 302 instead of a WebSocket$/],
  [
    'a handshake with the wrong key',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: x\r\n\r\n',
    /something other than a WebSocket/,
  ],
])('%s is an error of the answer', async (_, answer, message) => {
  const device = await FakeEvents.start();
  device.refusals.push(answer);
  const error = await failure(device);
  expect(error).toBeInstanceOf(AnswerError);
  expect(error.message).toMatch(message);
});

test('an answer of a server on the way, for a scanner that does not answer, is none of the scanner', async () => {
  const device = await FakeEvents.start();
  device.refusals.push(httpResponse(502, 'its power is off\n', ['Content-Type: text/plain; charset=utf-8']));
  expect(await failure(device)).toMatchObject({
    name: 'UnreachableError',
    message: expect.stringMatching(/ cannot be reached: its power is off$/),
  });
});

test('only the beginning of a long refusal is read', async () => {
  const device = await FakeEvents.start();
  device.endsRefusals = false;
  device.refusals.push(`HTTP/1.1 404 Refused\r\nContent-Length: 1000000000\r\n\r\n${'x'.repeat(100_000)}`);
  expect(await failure(device)).toBeInstanceOf(NoEventsError);
});

test('after HTTP 429 the client waits and tries again, three times', async () => {
  const device = await FakeEvents.start();
  const busy = httpResponse(429, '', ['Retry-After: 2']);
  const waits: number[] = [];
  device.refusals.push(busy, httpResponse(429), busy, busy);
  expect(await failure(device, waits)).toBeInstanceOf(RateLimitError);
  expect(waits).toEqual([2000, 1000, 2000]);
  expect(device.attempts).toHaveLength(4);
});

/** Events of a browser's socket: errors without a listener are allowed. */
class BrowserSocket extends WebSocket {
  constructor(url: string) {
    super(url);
    this.on('error', () => undefined);
  }
}

/** Result of a handshake in the browser's part. */
async function inBrowser(
  device: FakeEvents,
  signal = new AbortController().signal,
  channel: Channel = eventsChannel,
) {
  vi.stubGlobal('WebSocket', BrowserSocket);
  const scanner = new Scanner({ url: device.url });
  const heard: unknown[] = [];
  const context: ChannelContext = {
    url: device.url,
    timeoutMs: 10_000,
    pause: () => Promise.resolve(),
    read: (name) => scanner.readAny(name),
    httpStatusAt: (path) => new Connection({ url: device.url }).httpStatusAt(path),
    openSocket,
  };
  const listener = {
    message: (data: string | Uint8Array) => void heard.push(data),
    alive: () => void heard.push('alive'),
    closed: (reason: string, broken: boolean) => void heard.push([reason, broken]),
  };
  return { heard, opened: openChannel(context, channel, listener, signal) };
}

test('a browser sends, receives and closes, and cannot ping', async () => {
  const device = await FakeEvents.start();
  const { heard, opened } = await inBrowser(device);
  const socket = await opened;
  expect(socket.ping).toBeUndefined();
  const connection = await device.connections.next();
  socket.send('{"type":"register","event":"DeviceStatus","clientId":1}');
  expect(await connection.registered(1)).toEqual(['DeviceStatus']);
  connection.socket.send(Buffer.of(1));
  connection.send('x'.repeat(1024 * 1024 + 1));
  await until(() => heard.length === 3);
  socket.close();
  socket.send('too late');
  expect(await connection.closed).toBe(1000);
  const answer = JSON.stringify({
    type: 'register',
    event: 'DeviceStatus',
    clientId: 1,
    status: 0,
    data: { DeviceStatus: 3 },
  });
  expect(heard.slice(0, 3)).toEqual([
    answer,
    Uint8Array.of(1),
    ['a message of more than 1048576 characters or bytes', true],
  ]);
});

test('a browser reports why a connection was closed', async () => {
  const device = await FakeEvents.start();
  const { heard, opened } = await inBrowser(device);
  const socket = await opened;
  const connection = await device.connections.next();
  connection.socket.close(1001, 'off');
  await until(() => heard.length > 0);
  expect(heard).toEqual([['the scanner closed the connection (1001, off)', false]]);
  socket.close();
});

test('a browser gives no reason for a refused handshake, so the client reads the release of the scanner', async () => {
  const device = await FakeEvents.start();
  device.values.set('DeviceIdent', { Name: 'Scanner', Version: '2.1.0.0R' });
  device.refusals.push(httpResponse(404), httpResponse(404));
  await expect((await inBrowser(device)).opened).rejects.toThrow('this scanner runs 2.1.0.0R');
  device.values.set('DeviceIdent', { Name: 'Scanner', Version: '2.4.4.0R' });
  await expect((await inBrowser(device)).opened).rejects.toThrow(
    `${device.url} cannot be reached: no WebSocket could be opened, and browsers do not tell why`,
  );
});

test('a browser cancels a handshake that is no longer needed', async () => {
  const device = await FakeEvents.start();
  device.refusals.push(undefined);
  const abort = new AbortController();
  const { opened } = await inBrowser(device, abort.signal);
  abort.abort();
  await expect(opened).rejects.toThrow();
});

test('a browser closes a WebSocket that is no longer needed only once it is open, and asks nothing further', async () => {
  const device = await FakeEvents.start();
  const abort = new AbortController();
  const { heard, opened } = await inBrowser(device, abort.signal);
  abort.abort(new Error('another page is shown'));
  await expect(opened).rejects.toThrow('another page is shown');
  const connection = await device.connections.next();
  connection.send('too late');
  expect(await connection.closed).toBe(1000);
  // The end of the first one has arrived before another one is open.
  const { opened: another } = await inBrowser(device);
  (await another).close();
  expect(heard).toEqual([]);
});

test('a browser finds out with a plain GET whether a scanner lacks an extension', async () => {
  const device = await FakeEvents.start();
  const extension = extensionChannel('/x/scan', (url, answer) => new NoScansError(url, answer));
  const open = async () => (await inBrowser(device, undefined, extension)).opened;
  for (const [status, error] of [
    [404, NoScansError],
    [200, NoScansError],
    [426, UnreachableError],
    [503, UnreachableError],
  ] as const) {
    device.httpStatuses.set('/x/scan', status);
    device.refusals.push(httpResponse(404));
    await expect(open()).rejects.toThrow(error);
  }
  await device.down();
  await expect(open()).rejects.toThrow(UnreachableError);
});
