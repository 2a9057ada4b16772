import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { temporaryFolder } from '@azimuth/test-support/files';
import { scannerFacts } from '@azimuth/test-support/some-fleet';
import { latch, until } from '@azimuth/test-support/waiting';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { Fleet, FleetPort, FleetStore } from '../../src/index.js';
import { gatewayTo, standIn, worker } from '../gateway/gateway-and-workers.js';

interface Port {
  readonly url: string;
  drain(times: { readonly listens: number; readonly responds: number }): Promise<void>;
}

const log = { info() {}, warn() {}, error() {} };

/** The port of a fleet of one scanner, in this process or through a gateway. */
const ports = {
  async gateway(): Promise<Port> {
    const one = await worker(scannerFacts(1));
    const { url, gateway, owners } = await gatewayTo([one], 1);
    owners.set('1', one);
    return { url, drain: (times) => gateway.drain(times) };
  },
  async fleet(): Promise<Port> {
    const store = await FleetStore.open(temporaryFolder(), log);
    const fleet = await Fleet.start({
      scanners: scannerFacts(1),
      store,
      log,
      maxConnections: 64,
      bootMilliseconds: 100,
    });
    const fleetPort = new FleetPort({ host: '127.0.0.1', port: 0, maxConnections: 100 });
    const url = await fleetPort.open();
    fleetPort.serve(fleet);
    onTestFinished(async () => {
      fleetPort.close();
      await fleet.close();
    });
    return { url, drain: (times) => fleetPort.drain(times) };
  },
};
const kinds = Object.entries(ports);

const longer = { listens: 60_000, responds: 60_000 };
const short = { listens: 100, responds: 10_000 };

interface Answered {
  readonly status: number | undefined;
  readonly connection: string | undefined;
}

/** Sends one request over a persistent connection. */
async function ask(agent: Agent, url: string, body?: string): Promise<Answered> {
  const method = body === undefined ? 'GET' : 'POST';
  const asked = httpRequest(url, { agent, method }).end(body);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    asked.once('response', resolve).once('error', reject);
  });
  await text(answer);
  return { status: answer.statusCode, connection: answer.headers.connection };
}

function keptConnections(): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  return agent;
}

async function connection({ url }: Port): Promise<Socket> {
  const client = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('utf8');
  onTestFinished(() => void client.destroy());
  await once(client, 'connect');
  return client;
}

const read = '/scanners/1/api/SerialNumber';

test.each(kinds)(
  '%s: a port that ends answers on, and closes each connection behind an answer',
  async (_, open) => {
    const port = await open();
    const [busy, probe] = [keptConnections(), keptConnections()];
    expect(await ask(busy, port.url + read)).toEqual({ status: 200, connection: 'keep-alive' });
    const drained = port.drain(longer);
    expect(await ask(busy, port.url + read)).toEqual({ status: 200, connection: 'close' });
    expect(await ask(probe, `${port.url}/readyz`)).toEqual({ status: 503, connection: 'close' });
    expect(await ask(probe, `${port.url}/healthz`)).toEqual({ status: 200, connection: 'close' });
    const socket = new WebSocket(`${port.url.replace('http', 'ws')}/scanners/1/apievents`);
    const [error] = await once(socket, 'error');
    expect(String(error)).toContain('503');
    // No connection is open any more.
    await drained;
    await expect(ask(busy, port.url + read)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  },
);

test.each(kinds)('%s: a port without connections ends at once', async (_, open) => {
  const port = await open();
  await port.drain(longer);
  await expect(ask(keptConnections(), port.url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test.each(kinds)(
  '%s: what comes over connections without a request is answered, also pipelined',
  async (_, open) => {
    const port = await open();
    const client = await connection(port);
    const drained = port.drain(short);
    const get = `GET ${read} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
    client.write(get + get);
    const answers = await text(client);
    expect(answers.match(/HTTP\/1.1 200/g)).toHaveLength(2);
    expect(answers.match(/Connection: (\S+)/g)).toEqual(['Connection: keep-alive', 'Connection: close']);
    await drained;
  },
);

test.each(kinds)(
  '%s: when the port listens no more, it ends streams of events and connections without a request',
  async (_, open) => {
    const port = await open();
    const kept = await connection(port);
    kept.write(`GET ${read} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
    expect(String(await once(kept, 'data'))).toContain('Connection: keep-alive');
    const ended = once(kept.resume(), 'end');
    const events = await fetch(`${port.url}/fleet/events`);
    await port.drain(short);
    expect(await events.text()).not.toContain('lost');
    await ended;
    await expect(ask(keptConnections(), port.url + read)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  },
);

test('what is under way when a port listens no more is answered, and broken off only behind its time', async () => {
  const answers = latch();
  const slow = await standIn(async (request, response) => {
    request.resume();
    await answers.opened;
    response.end('{}');
  });
  const { url, gateway, owners } = await gatewayTo([slow], 1);
  owners.set('1', slow);
  const under = ask(keptConnections(), url + read, '{}');
  let drained = false;
  const draining = gateway.drain({ listens: 50, responds: 60_000 }).then(() => {
    drained = true;
  });
  await until(() =>
    fetch(`${url}/healthz`).then(
      () => false,
      () => true,
    ),
  );
  expect(drained).toBe(false);
  answers.open();
  expect(await under).toEqual({ status: 200, connection: 'close' });
  await draining;
});

test('a request that is answered too late is broken off', async () => {
  const silent = await standIn((request) => void request.resume());
  const { url, gateway, owners } = await gatewayTo([silent], 1);
  owners.set('1', silent);
  const under = expect(ask(keptConnections(), url + read)).rejects.toThrow('hang up');
  await gateway.drain({ listens: 50, responds: 100 });
  await under;
});

test.each(kinds)(
  '%s: of 20 busy clients that read and write, none loses a request that it has sent',
  async (_, open) => {
    const port = await open();
    const isOver = latch();
    let answered = 0;
    const client = async (number: number) => {
      const agent = keptConnections();
      for (;;) {
        try {
          const { status } = await ask(
            agent,
            `${port.url}/scanners/1/api/LocationName`,
            number % 2 === 0 ? '{}' : undefined,
          );
          expect(status).toBeLessThan(500);
          if (++answered === 200) isOver.open();
        } catch (error) {
          return error;
        }
      }
    };
    const clients = Array.from({ length: 20 }, (_each, number) => client(number));
    await isOver.opened;
    await port.drain(short);
    for (const end of await Promise.all(clients)) expect(end).toMatchObject({ code: 'ECONNREFUSED' });
    expect(answered).toBeGreaterThan(220);
  },
);

test.each(kinds)(
  '%s: a request whose head comes in two pieces is answered, behind others, too',
  async (_, open) => {
    const port = await open();
    const client = await connection(port);
    const head = `GET ${read} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: ${'x'.repeat(200)}\r\n\r\n`;
    client.write(head);
    const [first] = await once(client, 'data');
    expect(String(first)).toContain('200 OK');
    client.write(head.slice(0, 30));
    await new Promise(setImmediate);
    const drained = port.drain({ listens: 50, responds: 10_000 });
    // When it refuses connections, it no longer listens.
    await until(() => connects(port).then((isOpen) => !isOpen));
    client.write(head.slice(30));
    const [second] = await once(client, 'data');
    expect(String(second)).toContain('200 OK');
    await drained;
  },
);

/** True if it accepts connections. */
async function connects({ url }: Port): Promise<boolean> {
  const client = connect(Number(new URL(url).port), '127.0.0.1');
  const isOpen = await once(client, 'connect').then(
    () => true,
    () => false,
  );
  client.destroy();
  return isOpen;
}
