import { connect } from 'node:net';
import { setImmediate as pass } from 'node:timers/promises';
import { listening } from '@azimuth/test-support/listening';
import { expect, test, vi } from 'vitest';
import { Admission } from '../src/admission.js';
import { Connections } from '../src/connections.js';
import { defer, nextTurn, runOrDefer } from '../src/event-loop-turns.js';
import { HttpPort } from '../src/http-port.js';
import { errorReport } from '../src/interfaces.js';

/** Makes each act that calls this take so many ms. */
function workFor(): (ms: number) => void {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  return (ms) => {
    now += ms;
  };
}

test('what takes long is done once in each pass of the event loop, in its order', async () => {
  const work = workFor();
  const done: number[] = [];
  for (let act = 0; act < 4; act++)
    runOrDefer(() => {
      work(20);
      done.push(act);
    });
  expect(done).toEqual([0]);
  for (const count of [2, 3, 4]) {
    await pass();
    expect(done).toHaveLength(count);
  }
  expect(done).toEqual([0, 1, 2, 3]);
});

test('what takes no time is done together', async () => {
  workFor();
  const done: number[] = [];
  for (let act = 0; act < 100; act++) runOrDefer(() => done.push(act));
  expect(done).toHaveLength(100);
  for (let act = 0; act < 100; act++) defer(() => done.push(act));
  expect(done).toHaveLength(100);
  await pass();
  expect(done).toHaveLength(200);
});

test('those who wait take turns with each other', async () => {
  const work = workFor();
  const done: string[] = [];
  const client = async (name: string) => {
    for (let count = 0; count < 3; count++) {
      await nextTurn();
      work(20);
      done.push(name);
    }
  };
  await Promise.all([client('a'), client('b'), client('c')]);
  expect(done.join('')).toBe('abcabcabc');
});

test('between the answers to what one client has sent together, others are served', async () => {
  const work = workFor();
  let answered = 0;
  const connections = new Connections(1, (error) => expect.fail(String(error)));
  const port = new HttpPort({
    errors: errorReport((_, error) => expect.fail(String(error))),
    connections,
    admission: new Admission({}),
    serve: (context, response) =>
      context.respondInTurn(response, () => {
        work(20);
        answered++;
        response.end('x');
      }),
  });
  const server = port.listener();
  const client = connect(await listening(server), '127.0.0.1').resume();
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(50));
  let passes = 0;
  while (answered < 50) {
    await pass();
    passes++;
  }
  expect(passes).toBeGreaterThanOrEqual(49);
  client.destroy();
});
