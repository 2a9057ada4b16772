import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { until } from '@azimuth/test-support/waiting';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Gateway, type WorkerAddress, WorkerConnections } from '../../src/index.js';
import { follow } from '../followed-events.js';
import { addressOf, key, standIn } from '../gateway/gateway-and-workers.js';

const log = { info() {}, warn() {}, error() {} };

interface StandIn extends WorkerAddress {
  readonly server: Server;
  /** The current followers. */
  readonly followers: Set<ServerResponse>;
  /** Sends an event of this scanner. */
  tell(serialNumber: string, event?: string): void;
}

/** A worker that has events only. @param port 0 for any free one */
async function worker(port = 0): Promise<StandIn> {
  const followers = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    if (
      request.url !== '/fleet/events' ||
      !key.signed(`http://127.0.0.1:${request.socket.localPort}`, request)
    ) {
      response.writeHead(401).end();
      return;
    }
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
    followers.add(response);
    response.once('close', () => followers.delete(response));
  });
  const { url } = await addressOf(server, port);
  const tell = (serialNumber: string, event = 'saved') => {
    const text = JSON.stringify({ time: '2026-01-01T00:00:00Z', serialNumber, group: 'hall', event });
    for (const follower of followers) follower.write(`:\n\ndata: ${text}\n\n`);
  };
  return { url, server, followers, tell };
}

async function gatewayTo(workers: readonly WorkerAddress[]): Promise<{ url: string; gateway: Gateway }> {
  const gateway = new Gateway({
    ...{ host: '127.0.0.1', port: 0, maxConnections: 200, patience: 1000, log },
    routes: {
      scanners: new Map(),
      workers,
      workerOf: () => undefined,
      refresh: () => new Promise(setImmediate),
    },
    connections: new WorkerConnections({ key }),
  });
  const url = await gateway.open();
  onTestFinished(() => gateway.close());
  return { url, gateway };
}

test('events of all workers are one stream, of which each follower has what it wants', async () => {
  const workers = [await worker(), await worker()];
  const gateway = await gatewayTo(workers);
  for (const { followers } of workers) expect(followers.size).toBe(0);
  const [all, some] = [await follow(gateway), await follow(gateway, '?q=2*')];
  // One connection to each worker, however many follow.
  expect(workers.map(({ followers }) => followers.size)).toEqual([1, 1]);
  workers[0]?.tell('1');
  workers[1]?.tell('21');
  expect(new Set((await all.next(2)).map(({ serialNumber }) => serialNumber))).toEqual(new Set(['1', '21']));
  expect(await some.next(1)).toEqual([{ serialNumber: '21', group: 'hall', event: 'saved' }]);
  await all.end();
  await some.end();
  await until(() => workers.every(({ followers }) => followers.size === 0));
});

test('a worker that ends and comes back is followed again, and one that is new, too', async () => {
  const [first, second, third] = [await worker(), await worker(), await worker()];
  const workers: WorkerAddress[] = [first, second];
  const { next } = await follow(await gatewayTo(workers));
  const port = Number(new URL(first.url).port);
  first.server.close();
  first.server.closeAllConnections();
  workers.splice(1, 1, third);
  await until(() => third.followers.size === 1 && second.followers.size === 0);
  const again = await worker(port);
  await until(() => again.followers.size === 1);
  again.tell('1');
  third.tell('3');
  expect(new Set((await next(2)).map(({ serialNumber }) => serialNumber))).toEqual(new Set(['1', '3']));
});

test('a worker that does not answer does not keep others from being followed', async () => {
  const silent = await standIn(() => undefined);
  const one = await worker();
  const { next } = await follow(await gatewayTo([silent, one]));
  one.tell('1');
  expect(await next(1)).toHaveLength(1);
});

test('what is no event is left out, and a line without an end ends the stream', async () => {
  const one = await worker();
  const { all } = await follow(await gatewayTo([one]));
  const [first] = one.followers;
  first?.write('data: {"event":"saved"}\n\ndata: {\n\ndata: []\n\nother: 1\n\n');
  // Pieces of a line belong together.
  first?.write('data: {"event":"lo');
  first?.write('st","events":7}\n\n');
  await until(() => all().length === 1);
  first?.write('x'.repeat(2_000_000));
  await until(() => one.followers.size === 1 && !one.followers.has(first ?? expect.fail()));
  one.tell('1');
  await until(() => all().length === 2);
  expect(all().map(({ event }) => event)).toEqual(['lost', 'saved']);
});

test('at most 64 follow, and one that reads too slowly is told what it has lost', async () => {
  const one = await worker();
  const gateway = await gatewayTo([one]);
  const slow = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  onTestFinished(() => void slow.destroy());
  slow.write('GET /fleet/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
  await until(() => one.followers.size === 1);
  const others = await Promise.all(Array.from({ length: 63 }, () => follow(gateway)));
  const refused = await fetch(`${gateway.url}/fleet/events`);
  expect([refused.status, await refused.text()]).toEqual([503, expect.stringContaining('64 programs')]);
  await Promise.all(others.map(({ end }) => end()));
  const quick = await follow(gateway, '?q=2');
  for (let count = 0; count < 600; count++) one.tell('1', 'x'.repeat(100_000));
  one.tell('2', 'last');
  // The gateway has read all of it by now.
  await quick.next(1);
  const pieces: Buffer[] = [];
  slow.on('data', (piece: Buffer) => void pieces.push(piece));
  await until(() => pieces.at(-1)?.includes('"event":"last"') === true);
  const text = String(Buffer.concat(pieces));
  const lost = Number(/"event":"lost","events":(\d+)/.exec(text)?.[1]);
  expect(text.split('"event":"xxx').length - 1 + lost).toBe(600);
  // 32 MiB of them wait.
  expect(lost).toBeGreaterThan(200);
});

test('errors that nothing has handled are logged and counted, and end nothing', () => {
  const lines: string[] = [];
  const gateway = new Gateway({
    ...{ host: '127.0.0.1', port: 0, maxConnections: 2, patience: 1000 },
    log: { ...log, error: (message) => void lines.push(message) },
    routes: { scanners: new Map(), workers: [], workerOf: () => undefined, refresh: async () => undefined },
    connections: new WorkerConnections({ key }),
  });
  onTestFinished(() => gateway.close());
  const on = vi.spyOn(process, 'on').mockReturnValue(process);
  gateway.errors.outlive();
  const taken = on.mock.calls;
  on.mockRestore();
  expect(taken.map(([name]) => name)).toEqual(['uncaughtException', 'unhandledRejection']);
  for (const [, take] of taken) take(new Error('of a timer'));
  expect(gateway.errors.counts.of('process')).toBe(2);
  expect(lines).toEqual(['Unexpected error inside the gateway; it continues']);
});
