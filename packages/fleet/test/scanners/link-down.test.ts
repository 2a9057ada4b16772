import { Scanner } from '@azimuth/client';
import { device } from '@azimuth/model';
import type { FaultPlan } from '@azimuth/model/faults';
import { Client } from '@azimuth/test-support/client';
import { httpStatusOf, open, type RawConnection } from '@azimuth/test-support/raw-connection';
import { scannerFacts, someFleet } from '@azimuth/test-support/some-fleet';
import { until } from '@azimuth/test-support/waiting';
import { WebSocketClient } from '@azimuth/test-support/web-socket';
import { describe, expect, onTestFinished, test } from 'vitest';
import { mostUsesOfScanner } from '../../src/limits.js';

const password = 'servicelevel';
const { LocationName } = device.members;

type Fault = FaultPlan['faults'][number];

/** Three scanners that run behind one port. The cable of scanner 1 can be pulled out. */
async function hall() {
  const some = await someFleet(scannerFacts(3));
  const port = Number(new URL(some.url).port);
  for (const fleetScanner of some.fleet.scanners.values()) await fleetScanner.started();
  const runningScanner = (serial: string) => {
    const fleetScanner = some.fleet.scanners.get(serial);
    if (fleetScanner?.faults === undefined) throw new Error('it does not run');
    return { fleetScanner, faults: fleetScanner.faults };
  };
  const { fleetScanner, faults } = runningScanner('1');
  return {
    some,
    port,
    fleetScanner,
    faults,
    plan: (serial: string, ...planned: readonly Fault[]) =>
      runningScanner(serial).faults.add({ faults: planned }),
    /** Resolves after this many requests for a scanner. */
    requests: (count: number, serial = '1') =>
      until(() => runningScanner(serial).fleetScanner.requests >= count),
    pull: async (connections: 'silent' | 'reset') => {
      faults.add({ faults: [{ kind: 'link-down', connections }] });
      await until(() => faults.link.down === connections);
    },
    putIn: () => faults.clear(),
    scanner: (serial: string) => new Scanner({ url: `${some.url}/scanners/${serial}`, password }),
    /** Sends some requests to another scanner. After it, every possible response has come. */
    askAnother: async () => {
      const other = new Scanner({ url: `${some.url}/scanners/3` });
      for (let count = 0; count < 20; count++) expect(await other.read('SerialNumber')).toBe('3');
    },
    /** A client with one connection to the port of the fleet. */
    client: () => {
      const client = new Client(port, { keepAlive: true });
      onTestFinished(() => client.close());
      return client;
    },
  };
}

const pathOf = (serial: string, name = 'SerialNumber') => `/scanners/${serial}/api/${name}`;
const ask = (connection: RawConnection, serial: string, name?: string) =>
  connection.request(`GET ${pathOf(serial, name)}`);

/** Returns the serial number in the next response of a connection. */
async function nextSerial(connection: RawConnection): Promise<string> {
  const response = await connection.response();
  expect(httpStatusOf(response)).toBe(200);
  return /"SerialNumber":"(\w+)"/.exec(response.body)?.[1] ?? response.body;
}

/** Records the state of a promise. */
function followed<T>(promise: Promise<T>) {
  const state = { isSettled: false };
  promise.then(
    () => (state.isSettled = true),
    () => (state.isSettled = true),
  );
  return { promise, state };
}

describe('at the port of the fleet, while the cable of a scanner is out', () => {
  test('its requests are silent, and answered when it is in again; others go on', async () => {
    const {
      pull,
      putIn,
      client,
      port,
      scanner,
      askAnother: meanwhile,
      requests: asked,
      fleetScanner,
    } = await hall();
    const kept = client();
    await kept.send({ method: 'GET', path: pathOf('1') });
    await pull('silent');
    const read = followed(kept.send({ method: 'GET', path: pathOf('1') }));
    const late = followed(new Client(port).send({ method: 'GET', path: pathOf('1', 'LocationName') }));
    const write = followed(scanner('1').write('LocationName', 'Gate 3'));
    await asked(fleetScanner.requests + 3);
    await meanwhile();
    expect([read, late, write].map(({ state }) => state.isSettled)).toEqual([false, false, false]);
    putIn();
    expect((await Promise.all([read.promise, late.promise])).map(({ httpStatus }) => httpStatus)).toEqual([
      200, 200,
    ]);
    await write.promise;
    expect(await scanner('1').read('LocationName')).toBe('Gate 3');
  });

  test('its WebSockets are silent, and go on; new ones open when it is in again', async () => {
    const { pull, putIn, port, fleetScanner, requests: asked, askAnother: meanwhile } = await hall();
    const path = '/scanners/1/x/events?names=LocationName';
    const socket = await WebSocketClient.open(port, { path });
    onTestFinished(() => socket.destroy());
    await pull('silent');
    const ping = followed(socket.pingPong());
    const late = followed(WebSocketClient.open(port, { path }));
    await asked(fleetScanner.requests + 1);
    const { device: scanner } = await fleetScanner.started();
    scanner.write(LocationName, 'Gate 3', { level: 'Service' });
    await meanwhile();
    expect([ping.state.isSettled, late.state.isSettled, socket.received.length]).toEqual([false, false, 0]);
    putIn();
    await ping.promise;
    const second = await late.promise;
    onTestFinished(() => second.destroy());
    scanner.write(LocationName, 'Gate 4', { level: 'Service' });
    const [before, after] = ['Gate 3', 'Gate 4'].map((name) => ({ changed: { LocationName: name } }));
    expect([await socket.nextJson(), await socket.nextJson()]).toEqual([before, after]);
    expect(await second.nextJson()).toEqual(after);
  });

  test('its simulation goes on, and puts it in again, however many requests wait', async () => {
    const { pull, port, faults, requests: asked, fleetScanner } = await hall();
    await pull('silent');
    const first = fleetScanner.requests;
    const connections = await Promise.all(Array.from({ length: 32 }, () => open(port)));
    const perConnection = mostUsesOfScanner / connections.length;
    for (const connection of connections)
      connection.write(`GET ${pathOf('1')} HTTP/1.1\r\nHost: scanner\r\n\r\n`.repeat(perConnection));
    await asked(first + mostUsesOfScanner);
    const client = new Client(port);
    // The largest number of requests of a scanner.
    expect((await client.send({ method: 'GET', path: pathOf('1') })).httpStatus).toBe(503);
    connections.pop()?.destroy();
    const simulate = (what: string, body = '{}') =>
      client.send({ method: 'POST', path: `/scanners/1/x/sim/${what}`, body });
    expect((await simulate('temperature', '{"celsius":50}')).httpStatus).toBe(200);
    expect((await simulate('faults/clear')).httpStatus).toBe(200);
    expect(faults.link.down).toBeUndefined();
    for (const connection of connections)
      for (let count = 0; count < perConnection; count++) expect(await nextSerial(connection)).toBe('1');
  });

  test('requests that a reboot ends are not carried out later', async () => {
    const { pull, putIn, client, fleetScanner, requests: asked } = await hall();
    await pull('silent');
    const waiting = client().send({ method: 'GET', path: pathOf('1') });
    const isEnded = expect(waiting).rejects.toThrow('socket hang up');
    await asked(fleetScanner.requests + 1);
    await client().send({ method: 'POST', path: '/scanners/1/x/sim/power-cycle' });
    await isEnded;
    const service = await fleetScanner.started();
    await until(() => service.serves);
    const { received } = service.requests;
    putIn();
    await client().send({ method: 'GET', path: pathOf('1') });
    expect(service.requests.received).toBe(received + 1);
  });

  test('an answer that is under way when it is pulled out waits, too', async () => {
    const { pull, putIn, faults, client, plan, fleetScanner, askAnother: meanwhile } = await hall();
    plan('1', { kind: 'http-latency', latency: 100, first: 1 });
    const reply = followed(client().send({ method: 'GET', path: pathOf('1') }));
    await until(() => faults.list[0]?.times === 1);
    await pull('silent');
    const service = await fleetScanner.started();
    const before = service.activity;
    await until(() => service.activity > before);
    await meanwhile();
    expect(reply.state.isSettled).toBe(false);
    putIn();
    expect((await reply.promise).httpStatus).toBe(200);
  });

  test('connections with its requests are reset, and its WebSockets; those of others are not', async () => {
    const { pull, putIn, client, port, scanner, plan, faults } = await hall();
    const [kept, slow] = [client(), client()];
    const connection = await open(port);
    ask(connection, '1');
    expect(await nextSerial(connection)).toBe('1');
    const socket = await WebSocketClient.open(port, { path: '/scanners/1/x/events' });
    const other = await WebSocketClient.open(port, { path: '/scanners/2/x/events?names=LocationName' });
    onTestFinished(() => other.destroy());
    plan('1', { kind: 'http-latency', latency: 60_000, first: 1 });
    const underWay = slow.send({ method: 'GET', path: pathOf('1') });
    const isReset = expect(underWay).rejects.toMatchObject({ code: 'ECONNRESET' });
    await until(() => faults.list[0]?.times === 1);
    await pull('reset');
    await isReset;
    expect(await socket.closed).toMatchObject({ code: undefined, reset: true });
    await expect(kept.send({ method: 'GET', path: pathOf('1') })).rejects.toMatchObject({
      code: 'ECONNRESET',
    });
    await expect(WebSocketClient.open(port, { path: '/scanners/1/x/events' })).rejects.toThrow();
    // It had no unfinished work of scanner 1.
    ask(connection, '2');
    expect(await nextSerial(connection)).toBe('2');
    await scanner('2').write('LocationName', 'Gate 3');
    expect(await other.nextJson()).toEqual({ changed: { LocationName: 'Gate 3' } });
    putIn();
    ask(connection, '1');
    expect(await nextSerial(connection)).toBe('1');
  });

  test('earlier answers of others on a connection come, later ones wait behind its own', async () => {
    const { pull, putIn, port, plan, requests: asked, fleetScanner, askAnother: meanwhile } = await hall();
    plan('2', { kind: 'http-latency', latency: 100, first: 1 });
    plan('1', { kind: 'http-latency', latency: 1, first: 1 });
    const [begun, late] = [await open(port), await open(port)];
    for (const serial of ['2', '1', '3']) ask(begun, serial);
    await asked(fleetScanner.requests + 1);
    await pull('silent');
    const first = fleetScanner.requests;
    for (const serial of ['2', '1', '3']) ask(late, serial);
    await asked(first + 1);
    expect([await nextSerial(begun), await nextSerial(late)]).toEqual(['2', '2']);
    const waiting = followed(Promise.all([nextSerial(begun), nextSerial(late)]));
    await meanwhile();
    expect(waiting.state.isSettled).toBe(false);
    putIn();
    expect(await waiting.promise).toEqual(['1', '1']);
    expect([await nextSerial(begun), await nextSerial(late)]).toEqual(['3', '3']);
  });

  test('what the fleet itself is asked behind its request on a connection waits for it, and then both are answered', async () => {
    const { pull, putIn, port, requests: asked, fleetScanner, askAnother: meanwhile } = await hall();
    await pull('silent');
    const connection = await open(port);
    const own = ['/healthz', '/fleet'].map((path) => `GET ${path}`);
    ask(connection, '1');
    for (const request of own) connection.request(request);
    ask(connection, '1', 'LocationName');
    ask(connection, '2');
    await asked(fleetScanner.requests + 1);
    const first = followed(nextSerial(connection));
    await meanwhile();
    expect(first.state.isSettled).toBe(false);
    putIn();
    expect(await first.promise).toBe('1');
    expect((await connection.response()).body).not.toContain('"header"');
    expect((await connection.response()).body).toContain('"states"');
    expect([await nextSerial(connection), await nextSerial(connection)]).toEqual([
      expect.stringContaining('"LocationName"'),
      '2',
    ]);
  });

  test('a connection is reset only when the earlier answers of others are sent', async () => {
    const { pull, port, plan, requests: asked, fleetScanner } = await hall();
    plan('2', { kind: 'http-latency', latency: 100, first: 2 });
    const [begun, late] = [await open(port), await open(port)];
    plan('1', { kind: 'http-latency', latency: 60_000, first: 1 });
    for (const serial of ['2', '1']) ask(begun, serial);
    await asked(fleetScanner.requests + 1);
    await pull('reset');
    const first = fleetScanner.requests;
    for (const serial of ['2', '1']) ask(late, serial);
    await asked(first + 1);
    expect([await nextSerial(begun), await nextSerial(late)]).toEqual(['2', '2']);
    await Promise.all([begun.closed, late.closed]);
  });

  test('a scanner that is switched off meanwhile ends what waits', async () => {
    const { some, pull, client, fleetScanner, requests: asked } = await hall();
    await pull('silent');
    const first = fleetScanner.requests;
    const waiting = client().send({ method: 'GET', path: pathOf('1') });
    const isEnded = expect(waiting).rejects.toThrow('socket hang up');
    await asked(first + 1);
    await some.fleet.powerCycle(some.fleet.virtualMatching('1'));
    await isEnded;
    // Faults end with the power.
    expect((await client().send({ method: 'GET', path: pathOf('1') })).httpStatus).toBe(200);
  });
});
