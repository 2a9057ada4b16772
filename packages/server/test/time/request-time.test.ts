import { createSocket } from 'node:dgram';
import { SystemClock, SystemRandom, VirtualClock } from '@azimuth/device';
import { responseTo, stamp, TimeServer } from '@azimuth/test-support/time-server';
import { until } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';
import { requestTime } from '../../src/time/sntp-client.js';

const here = [127, 0, 0, 1];
const random = new SystemRandom();
const start = Date.UTC(2026, 0, 15, 12);

function ask(port: number, clock = new VirtualClock(), signal = new AbortController().signal) {
  return requestTime({ clock, random, port }, here, signal);
}

test('the time of a server is returned relative to the clock of the scanner', async () => {
  const server = await TimeServer.responding();
  expect(await ask(server.port)).toEqual({
    kind: 'time',
    ahead: Date.UTC(2030, 5, 1, 12) - start,
    roundTrip: 0,
    stratum: 1,
  });
});

test('offset and round trip are those of four time stamps', async () => {
  const clock = new VirtualClock();
  const server = await TimeServer.open((request, { port }, socket) => {
    // The response comes 120 ms after the request has left; 40 ms of them it was at the server, an hour ahead.
    clock.advance(120);
    const [received, sent] = [stamp(start + 3_600_000 + 60), stamp(start + 3_600_000 + 100)];
    socket.send(responseTo(request, { received, sent }), port);
  });
  const answer = await ask(server.port, clock);
  // ((T2 - T1) + (T3 - T4)) / 2 = (3600060 + 3599980) / 2, and (T4 - T1) - (T3 - T2) = 120 - 40.
  expect(answer).toMatchObject({ kind: 'time', roundTrip: 80 });
  expect(answer.kind === 'time' ? answer.ahead : undefined).toBeCloseTo(3_600_020, 2);
});

test('no two requests carry the same random bytes', async () => {
  const server = await TimeServer.responding();
  for (let count = 0; count < 8; count++) await ask(server.port);
  expect(new Set(server.requests.map((request) => request.subarray(40, 48).toString('hex'))).size).toBe(8);
});

test('a datagram that does not answer the request is ignored, and a later answer counts', async () => {
  const server = await TimeServer.open((request, { port }, socket) => {
    socket.send(Buffer.from('noise'), port);
    socket.send(responseTo(request, { origin: stamp(0), stratum: 0, code: 'DENY' }), port);
    socket.send(responseTo(request), port);
  });
  expect((await ask(server.port)).kind).toBe('time');
});

test('if nothing else comes in time, the last such datagram is reported', async () => {
  const clock = new VirtualClock();
  let heard = false;
  const server = await TimeServer.open((_, { port }, socket) => {
    socket.send(Buffer.alloc(20), port, '127.0.0.1', () => {
      heard = true;
    });
  });
  const answer = ask(server.port, clock);
  await until(() => heard);
  // The loopback has delivered it; the scanner reads it in one of the next turns of the event loop.
  for (let turn = 0; turn < 50; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
  clock.advance(2000);
  expect(await answer).toEqual({ kind: 'none', reason: expect.stringContaining('got 20') });
});

test('an answer from another port is ignored', async () => {
  const clock = new VirtualClock();
  const other = createSocket('udp4');
  let sent = false;
  const server = await TimeServer.open((request, { port }) => {
    other.send(responseTo(request), port, '127.0.0.1', () => {
      other.close();
      sent = true;
    });
  });
  const answer = ask(server.port, clock);
  await until(() => sent);
  for (let turn = 0; turn < 50; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
  clock.advance(2000);
  expect(await answer).toEqual({ kind: 'none', reason: '127.0.0.1 has not answered within 2 s' });
});

test('an answer after 2 s is too late', async () => {
  const clock = new VirtualClock();
  const server = await TimeServer.open((request, { port }, socket) => {
    clock.advance(1999);
    clock.advance(1);
    socket.send(responseTo(request), port);
  });
  expect((await ask(server.port, clock)).kind).toBe('none');
  expect(clock.utc()).toBe(start + 2000);
});

test('if no server listens, the refusal is reported at once', async () => {
  const server = await TimeServer.responding();
  const { port } = server;
  await server.close();
  // Real time: nothing here waits for the 2 s.
  expect(await ask(port, new VirtualClock())).toEqual({
    kind: 'none',
    reason: expect.stringContaining('127.0.0.1 cannot be asked'),
  });
});

test('an address that the system refuses to connect to is reported like a server without an answer', async () => {
  const facts = { clock: new VirtualClock(), random, port: 123 };
  // A broadcast address: permission to send there is not requested.
  expect(await requestTime(facts, [127, 255, 255, 255], new AbortController().signal)).toEqual({
    kind: 'none',
    reason: expect.stringContaining('127.255.255.255 cannot be asked: '),
  });
});

test('a server whose stated processing time is longer than the round trip gives no time', async () => {
  const clock = new VirtualClock();
  const server = await TimeServer.open((request, { port }, socket) => {
    clock.advance(120);
    socket.send(responseTo(request, { received: stamp(start), sent: stamp(start + 121) }), port);
  });
  expect(await ask(server.port, clock)).toEqual({
    kind: 'none',
    reason: expect.stringContaining('for 121 ms'),
  });
});

test('a server whose stated processing time is the whole round trip does', async () => {
  const clock = new VirtualClock();
  const server = await TimeServer.open((request, { port }, socket) => {
    clock.advance(120);
    socket.send(responseTo(request, { received: stamp(start), sent: stamp(start + 120) }), port);
  });
  expect(await ask(server.port, clock)).toMatchObject({ kind: 'time', roundTrip: 0 });
});

test.each([
  ['0.0.0.0', [0, 0, 0, 0]],
  ['224.0.1.1', [224, 0, 1, 1]],
  ['255.255.255.255', [255, 255, 255, 255]],
])('no request is sent to %s, which is not an address of a server', async (text, address) => {
  const facts = { clock: new VirtualClock(), random, port: 123 };
  expect(await requestTime(facts, address, new AbortController().signal)).toEqual({
    kind: 'none',
    reason: `${text} is not the address of a server`,
  });
});

test('a cancelled request leaves no socket and no timer', async () => {
  const server = await TimeServer.open(() => undefined);
  const controller = new AbortController();
  const answer = ask(server.port, new VirtualClock(), controller.signal);
  await until(() => server.requests.length > 0);
  controller.abort();
  expect((await answer).kind).toBe('none');
  expect((await ask(server.port, new VirtualClock(), controller.signal)).kind).toBe('none');
  expect(server.requests).toHaveLength(1);
});

test('in real time, the offset to a server on this machine is within the round trip', async () => {
  const clock = new SystemClock();
  const server = await TimeServer.open((request, { port }, socket) => {
    const now = stamp(clock.utc() + 60_000);
    socket.send(responseTo(request, { received: now, sent: now }), port);
  });
  const answer = await requestTime({ clock, random, port: server.port }, here, new AbortController().signal);
  if (answer.kind !== 'time') throw new Error('no time came');
  // The largest error is half of the round trip.
  expect(Math.abs(answer.ahead - 60_000)).toBeLessThanOrEqual(answer.roundTrip / 2 + 0.01);
});
