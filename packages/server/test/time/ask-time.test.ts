import { createSocket } from 'node:dgram';
import { SystemClock, SystemRandom, VirtualClock } from '@azimuth/device';
import { expect, test } from 'vitest';
import { answerTo, stamp, TimeServer } from '../../../../tests/support/time-server.js';
import { until } from '../../../../tests/support/waiting.js';
import { askTime } from '../../src/time/sntp-client.js';

const here = [127, 0, 0, 1];
const random = new SystemRandom();
const start = Date.UTC(2026, 0, 15, 12);

function ask(port: number, clock = new VirtualClock(), signal = new AbortController().signal) {
  return askTime({ clock, random, port }, here, signal);
}

test('a server is asked, and its time told against the clock of the scanner', async () => {
  const server = await TimeServer.answering();
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
    // The answer comes 120 ms after the request has left; 40 ms of them it was at the server, an hour ahead.
    clock.advance(120);
    const [received, sent] = [stamp(start + 3_600_000 + 60), stamp(start + 3_600_000 + 100)];
    socket.send(answerTo(request, { received, sent }), port);
  });
  const answer = await ask(server.port, clock);
  // ((T2 - T1) + (T3 - T4)) / 2 = (3600060 + 3599980) / 2, and (T4 - T1) - (T3 - T2) = 120 - 40.
  expect(answer).toMatchObject({ kind: 'time', roundTrip: 80 });
  expect(answer.kind === 'time' ? answer.ahead : undefined).toBeCloseTo(3_600_020, 2);
});

test('no two requests carry the same random bytes', async () => {
  const server = await TimeServer.answering();
  for (let count = 0; count < 8; count++) await ask(server.port);
  expect(new Set(server.requests.map((request) => request.subarray(40, 48).toString('hex'))).size).toBe(8);
});

test('what is no answer to the request is passed over, and a good answer behind it counts', async () => {
  const server = await TimeServer.open((request, { port }, socket) => {
    socket.send(Buffer.from('noise'), port);
    socket.send(answerTo(request, { origin: stamp(0), stratum: 0, code: 'DENY' }), port);
    socket.send(answerTo(request), port);
  });
  expect((await ask(server.port)).kind).toBe('time');
});

test('where nothing else comes in time, that is told', async () => {
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

test('an answer from another port counts for nothing', async () => {
  const clock = new VirtualClock();
  const other = createSocket('udp4');
  let sent = false;
  const server = await TimeServer.open((request, { port }) => {
    other.send(answerTo(request), port, '127.0.0.1', () => {
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
    socket.send(answerTo(request), port);
  });
  expect((await ask(server.port, clock)).kind).toBe('none');
  expect(clock.utc()).toBe(start + 2000);
});

test('where nobody listens, the refusal is told at once', async () => {
  const server = await TimeServer.answering();
  const { port } = server;
  await server.close();
  // On real time: nothing here waits for the 2 s.
  expect(await ask(port, new VirtualClock())).toEqual({
    kind: 'none',
    reason: expect.stringContaining('127.0.0.1 cannot be asked'),
  });
});

test('an address that the system does not connect to is told, like any that does not answer', async () => {
  const facts = { clock: new VirtualClock(), random, port: 123 };
  // A broadcast address: the right to send there is not asked for.
  expect(await askTime(facts, [127, 255, 255, 255], new AbortController().signal)).toEqual({
    kind: 'none',
    reason: expect.stringContaining('127.255.255.255 cannot be asked: '),
  });
});

test('a server that says it kept the request for longer than all took gives no time', async () => {
  const clock = new VirtualClock();
  const server = await TimeServer.open((request, { port }, socket) => {
    clock.advance(120);
    socket.send(answerTo(request, { received: stamp(start), sent: stamp(start + 121) }), port);
  });
  expect(await ask(server.port, clock)).toEqual({
    kind: 'none',
    reason: expect.stringContaining('for 121 ms'),
  });
});

test('one that kept it for all of the time does', async () => {
  const clock = new VirtualClock();
  const server = await TimeServer.open((request, { port }, socket) => {
    clock.advance(120);
    socket.send(answerTo(request, { received: stamp(start), sent: stamp(start + 120) }), port);
  });
  expect(await ask(server.port, clock)).toMatchObject({ kind: 'time', roundTrip: 0 });
});

test.each([
  ['0.0.0.0', [0, 0, 0, 0]],
  ['224.0.1.1', [224, 0, 1, 1]],
  ['255.255.255.255', [255, 255, 255, 255]],
])('nobody is asked at %s, which is no address of a server', async (text, address) => {
  const facts = { clock: new VirtualClock(), random, port: 123 };
  expect(await askTime(facts, address, new AbortController().signal)).toEqual({
    kind: 'none',
    reason: `${text} is not the address of a server`,
  });
});

test('a request that is broken off leaves nothing behind', async () => {
  const server = await TimeServer.open(() => undefined);
  const controller = new AbortController();
  const answer = ask(server.port, new VirtualClock(), controller.signal);
  await until(() => server.requests.length > 0);
  controller.abort();
  expect((await answer).kind).toBe('none');
  expect((await ask(server.port, new VirtualClock(), controller.signal)).kind).toBe('none');
  expect(server.requests).toHaveLength(1);
});

test('on real time, a server of this machine is met within its round trip', async () => {
  const clock = new SystemClock();
  const server = await TimeServer.open((request, { port }, socket) => {
    const now = stamp(clock.utc() + 60_000);
    socket.send(answerTo(request, { received: now, sent: now }), port);
  });
  const answer = await askTime({ clock, random, port: server.port }, here, new AbortController().signal);
  if (answer.kind !== 'time') throw new Error('no time came');
  // Half of the way there and back is all that it can be wrong by.
  expect(Math.abs(answer.ahead - 60_000)).toBeLessThanOrEqual(answer.roundTrip / 2 + 0.01);
});
