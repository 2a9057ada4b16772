import { once } from 'node:events';
import {
  createServer,
  request as httpRequest,
  IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import { Scanner } from '@azimuth/client';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { temporaryFolder } from '../../../../tests/support/files.js';
import { units } from '../../../../tests/support/some-fleet.js';
import { until } from '../../../../tests/support/waiting.js';
import {
  Fleet,
  FleetStore,
  FrontPort,
  Gateway,
  GatewayKey,
  type GatewayOptions,
  type UnitFacts,
  type WorkerAddress,
  WorkerConnections,
} from '../../src/index.js';

const key = new GatewayKey('a key of the deployment');
const log = { info() {}, warn() {}, error() {} };

interface Worker extends WorkerAddress {
  readonly fleet: Fleet;
}

async function worker(facts: readonly UnitFacts[]): Promise<Worker> {
  const store = await FleetStore.open(temporaryFolder(), log);
  const fleet = await Fleet.start({ units: facts, store, log, maxConnections: 64, bootMilliseconds: 100 });
  const role = { key, owns: () => true, notReady: () => undefined, metrics: () => 'azimuth_test 1\n' };
  const port = new FrontPort({ host: '127.0.0.1', port: 0, maxConnections: 100, worker: role });
  const url = await port.open();
  port.serve(fleet);
  onTestFinished(async () => {
    port.close();
    await fleet.close();
  });
  return { url, fleet };
}

/** What stands where a worker should be. */
async function somethingElse(listener: RequestListener): Promise<WorkerAddress> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}` };
}

/** Nobody listens there. */
const nowhere: WorkerAddress = { url: 'http://127.0.0.1:9' };

interface SomeGateway {
  readonly url: string;
  readonly gateway: Gateway;
  /** Who has each scanner, by its serial number. */
  readonly owners: Map<string, WorkerAddress>;
  /** Called each time the gateway looks again. */
  onLook: () => void;
}

async function gatewayTo(
  workers: readonly WorkerAddress[],
  count: number,
  { patience = 2000, ...options }: Partial<GatewayOptions> = {},
): Promise<SomeGateway> {
  const owners = new Map<string, WorkerAddress>();
  const scanners = units(count).map(({ serial, group }) => ({ serial, group, release: '2.4.4' }));
  const gateway = new Gateway({
    host: '127.0.0.1',
    port: 0,
    maxConnections: 100,
    routes: {
      scanners: new Map(scanners.map((one) => [one.serial, one])),
      workers,
      workerOf: (serial) => owners.get(serial),
      look: async () => {
        some.onLook();
        await new Promise(setImmediate);
      },
    },
    connections: new WorkerConnections({ key }),
    log,
    patience,
    ...options,
  });
  const some = { url: await gateway.open(), gateway, owners, onLook: () => undefined };
  onTestFinished(() => gateway.close());
  return some;
}

const scannerOf = ({ url }: SomeGateway, serial: string) =>
  new Scanner({ url: `${url}/scanners/${serial}`, password: 'servicelevel' });

test('a gateway takes each request to the worker that has the scanner, and lists all in their order', async () => {
  const [one, two] = [
    await worker(units(3).filter(({ serial }) => serial !== '2')),
    await worker(units(2).slice(1)),
  ];
  const gateway = await gatewayTo([two, one], 4);
  for (const serial of ['1', '3']) gateway.owners.set(serial, one);
  gateway.owners.set('2', two);
  for (const serial of ['1', '2', '3']) {
    await scannerOf(gateway, serial).write('LocationName', `by ${serial}`);
    expect(await scannerOf(gateway, serial).read('LocationName')).toBe(`by ${serial}`);
  }
  const listed: unknown = await (await fetch(`${gateway.url}/scanners`)).json();
  expect(listed).toMatchObject([
    { serialNumber: '1', state: 'running', url: `${gateway.url}/scanners/1` },
    { serialNumber: '2', state: 'running' },
    { serialNumber: '3', state: 'running' },
    { serialNumber: '4', state: 'waiting', url: `${gateway.url}/scanners/4` },
  ]);
  expect(await (await fetch(`${gateway.url}/fleet`)).json()).toMatchObject({ scanners: 4, workers: 2 });
  expect((await fetch(`${gateway.url}/scanners/5/api/SerialNumber`)).status).toBe(404);
});

test('a request waits while its scanner moves, with what it carries, and is answered by the new worker', async () => {
  const facts = units(1);
  const [old, next] = [await worker([]), await worker(facts)];
  const gateway = await gatewayTo([old, next], 1);
  gateway.owners.set('1', old);
  let looks = 0;
  gateway.onLook = () => {
    if (++looks === 3) gateway.owners.delete('1');
    if (looks === 6) gateway.owners.set('1', next);
  };
  await scannerOf(gateway, '1').write('LocationName', 'moved');
  expect(looks).toBeGreaterThan(5);
  expect(await scannerOf(gateway, '1').read('LocationName')).toBe('moved');
});

test('a request to a worker that has gone waits for the next one, and says after a while that there is none', async () => {
  const next = await worker(units(1));
  const gateway = await gatewayTo([next], 1, { patience: 300 });
  gateway.owners.set('1', nowhere);
  const refused = await fetch(`${gateway.url}/scanners/1/api/SerialNumber`);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  gateway.onLook = () => gateway.owners.set('1', next);
  expect(await scannerOf(gateway, '1').read('SerialNumber')).toBe('1');
});

test('a worker that breaks off is told to the client: what it has done is not known, and it is not done twice', async () => {
  let asked = 0;
  const address = await somethingElse((request) => {
    asked++;
    request.resume().once('end', () => request.socket.destroy());
  });
  const gateway = await gatewayTo([address], 1);
  gateway.owners.set('1', address);
  const failed = await fetch(`${gateway.url}/scanners/1/api/WriteEeprom`, { method: 'POST', body: '{}' });
  expect(failed.status).toBe(502);
  expect(await failed.text()).toContain('The worker of this scanner has not answered');
  expect(asked).toBe(1);
});

test('a gateway outlives a client that goes on sending when the worker has broken off', async () => {
  const address = await somethingElse((request) => request.socket.destroy());
  const gateway = await gatewayTo([address], 1);
  gateway.owners.set('1', address);
  const client = connect(Number(new URL(gateway.url).port), '127.0.0.1').setEncoding('utf8');
  onTestFinished(() => void client.destroy());
  const head = 'Host: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n';
  client.write(`POST /scanners/1/api/LocationName HTTP/1.1\r\n${head}\r\n1\r\n{\r\n`);
  expect(String(await once(client, 'data'))).toContain('502 Bad Gateway');
  client.write('1\r\n}\r\n');
  // By its answer, the gateway has read that piece alone.
  expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
  client.write('0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
  expect(String(await once(client, 'data'))).toContain('200 OK');
});

test('a client that leaves with several requests on one connection is waited for no longer', async () => {
  let asked = 0;
  const silent = await somethingElse(() => void asked++);
  const gateway = await gatewayTo([silent], 1);
  gateway.owners.set('1', silent);
  const client = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  client.write('GET /scanners/1/api/SerialNumber HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(3));
  await until(() => asked === 3);
  client.resetAndDestroy();
  // It would wait for what is under way.
  await gateway.gateway.close(600_000);
  expect(await (await fetch(`${gateway.url}/healthz`).catch(() => undefined))?.text()).toBeUndefined();
});

test('a request that asks for another protocol is answered as without that, with its body', async () => {
  const one = await worker(units(1));
  const gateway = await gatewayTo([one], 1);
  gateway.owners.set('1', one);
  const client = connect(Number(new URL(gateway.url).port), '127.0.0.1').setEncoding('utf8');
  onTestFinished(() => void client.destroy());
  const head = 'Host: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 2\r\n';
  client.write(`POST /scanners/1/api/LocationName HTTP/1.1\r\n${head}\r\n{}`);
  expect(String(await once(client, 'data'))).toContain('"status"');
});

test('events go through a gateway', async () => {
  const one = await worker(units(1));
  const gateway = await gatewayTo([nowhere], 1);
  gateway.owners.set('1', one);
  const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/scanners/1/x/events`);
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  const message = once(socket, 'message');
  await scannerOf(gateway, '1').write('LocationName', 'seen');
  expect(String(await message)).toContain('seen');
});

test('a WebSocket that is asked for while its scanner moves waits for the next worker', async () => {
  const facts = units(1);
  const [old, next] = [await worker([]), await worker(facts)];
  const gateway = await gatewayTo([old, next], 1, { patience: 60_000 });
  // Nobody listens there, then a worker does not have it, then nobody has it.
  gateway.owners.set('1', nowhere);
  let looks = 0;
  gateway.onLook = () => {
    looks++;
    if (looks === 3) gateway.owners.set('1', old);
    if (looks === 6) gateway.owners.delete('1');
    if (looks === 30) gateway.owners.set('1', next);
  };
  const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/scanners/1/x/events`);
  onTestFinished(() => socket.terminate());
  const message = once(socket, 'message');
  await once(socket, 'open');
  expect(looks).toBe(30);
  await scannerOf(gateway, '1').write('LocationName', 'moved');
  expect(String(await message)).toContain('moved');
});

test('a WebSocket that a silent worker has not taken is asked for again when another worker has the scanner', async () => {
  let asked = 0;
  const server = createServer().on('upgrade', () => void asked++);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const next = await worker(units(1));
  const gateway = await gatewayTo([next], 1);
  gateway.owners.set('1', { url: `http://127.0.0.1:${port}` });
  const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/scanners/1/x/events`);
  onTestFinished(() => socket.terminate());
  await until(() => asked === 1);
  gateway.owners.set('1', next);
  await once(socket, 'open');
  expect(asked).toBe(1);
});

test('a connection that was refused ends, though its client has sent more than was read', async () => {
  const gateway = await gatewayTo([], 1, { patience: 100 });
  const client = connect({ port: Number(new URL(gateway.url).port), host: '127.0.0.1', allowHalfOpen: true });
  onTestFinished(() => void client.destroy());
  const head = 'Host: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n';
  client.write(`GET /scanners/1/x/events HTTP/1.1\r\n${head}\r\n`);
  client.write('more');
  const closed = new Promise((resolve) => client.on('error', resolve).once('close', resolve));
  expect(String(await once(client, 'data'))).toContain('503 Service Unavailable');
  client.write('and more');
  await once(client, 'end');
  // The client does not end its part.
  const writing = setInterval(() => client.write('and more'), 50);
  onTestFinished(() => clearInterval(writing));
  await closed;
});

test('a WebSocket of a scanner that nobody takes is refused after a while, and at once if there is no such scanner', async () => {
  const gateway = await gatewayTo([], 1, { patience: 300 });
  gateway.owners.set('1', nowhere);
  const refusalOf = async (serial: string) => {
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/scanners/${serial}/x/events`);
    const [error] = await once(socket, 'error');
    return String(error);
  };
  expect(await refusalOf('2')).toContain('404');
  expect(await refusalOf('1')).toContain('503');
});

test('a WebSocket ends when another worker has the scanner, even if its own worker is silent', async () => {
  const one = await worker(units(1));
  const gateway = await gatewayTo([nowhere], 1);
  gateway.owners.set('1', one);
  const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/scanners/1/x/events`);
  onTestFinished(() => socket.terminate());
  socket.on('error', () => undefined);
  await once(socket, 'open');
  gateway.owners.set('1', nowhere);
  expect(await once(socket, 'close')).toMatchObject([1006, {}]);
});

test('an answer that is on its way when the gateway sees that its scanner has moved is the answer', async () => {
  const asked: ServerResponse[] = [];
  const old = await somethingElse((request, response) => {
    request.resume();
    asked.push(response);
  });
  const gateway = await gatewayTo([nowhere], 1);
  gateway.owners.set('1', old);
  const answered = fetch(`${gateway.url}/scanners/1/api/WriteEeprom`, { method: 'POST', body: '{}' });
  await until(() => asked.length === 1);
  // The old worker answers when the gateway looks where the scanner is.
  gateway.owners.get = () => {
    asked[0]?.end('by the old worker');
    return nowhere;
  };
  expect(await (await answered).text()).toBe('by the old worker');
});

test('a worker that has other scanners is waited for, however long it takes, when another one has this scanner', async () => {
  const asked: ServerResponse[] = [];
  const busy = await somethingElse((request, response) => {
    request.resume();
    asked.push(response);
  });
  const gateway = await gatewayTo([busy, nowhere], 1);
  gateway.owners.set('1', busy);
  const answered = fetch(`${gateway.url}/scanners/1/api/WriteEeprom`, { method: 'POST', body: '{}' });
  await until(() => asked.length === 1);
  let looks = 0;
  gateway.owners.get = () => {
    if (++looks === 4) asked[0]?.end('by the busy worker');
    return nowhere;
  };
  expect(await (await answered).text()).toBe('by the busy worker');
});

test('a WebSocket to a worker that has other scanners is that worker’s to end', async () => {
  const one = await worker(units(1));
  const gateway = await gatewayTo([one, nowhere], 1);
  gateway.owners.set('1', one);
  const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/scanners/1/x/events`);
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  let looks = 0;
  gateway.owners.get = () => {
    looks++;
    return nowhere;
  };
  await until(() => looks > 3);
  expect(socket.readyState).toBe(WebSocket.OPEN);
  const closed = once(socket, 'close');
  await one.fleet.remove(['1']);
  await closed;
});

test('a worker that is silent, and has no scanner, is left when another one has the scanner: reads are asked again, writes are told', async () => {
  let asked = 0;
  const silent = await somethingElse(() => void asked++);
  const next = await worker(units(1));
  const gateway = await gatewayTo([next], 1);
  gateway.owners.set('1', silent);
  const read = fetch(`${gateway.url}/scanners/1/api/SerialNumber`);
  const written = fetch(`${gateway.url}/scanners/1/api/WriteEeprom`, { method: 'POST', body: '{}' });
  await until(() => asked === 2);
  gateway.owners.set('1', next);
  expect(await (await read).json()).toMatchObject({ data: { SerialNumber: '1' } });
  expect([(await written).status, await (await written).text()]).toEqual([
    502,
    'The worker of this scanner has not answered: another worker has taken the scanner over\n',
  ]);
});

test('a target that is no path is a mistake of the client', async () => {
  const gateway = await gatewayTo([], 1);
  expect((await fetch(`${gateway.url}//`)).status).toBe(404);
  const asked = httpRequest(gateway.url, { path: '*' }).end();
  const [answer] = await once(asked, 'response');
  expect(answer.resume().statusCode).toBe(400);
});

test('a worker answers nobody without the key, but how it is', async () => {
  const one = await worker(units(1));
  const status = async (path: string, headers: Record<string, string> = {}) =>
    (await fetch(one.url + path, { headers })).status;
  const signed = (path: string, by = key, at = Date.now()) => ({
    'azimuth-fleet': by.sign(one.url, 'GET', path, at),
  });
  const path = '/scanners/1/api/SerialNumber';
  expect(await status(path)).toBe(401);
  expect(await status('/scanners')).toBe(401);
  expect(await status(path, signed(path))).toBe(200);
  expect(await status(path, signed('/scanners/1/api/DeviceIdent'))).toBe(401);
  expect(await status(path, signed(path, new GatewayKey('another key, as long')))).toBe(401);
  expect(await status(path, signed(path, key, Date.now() - 61_000))).toBe(401);
  expect(await status(path, { 'azimuth-fleet': `${Date.now()} x` })).toBe(401);
  expect([await status('/healthz'), await status('/readyz'), await status('/metrics')]).toEqual([
    200, 200, 200,
  ]);
  const socket = connect(Number(new URL(one.url).port), '127.0.0.1');
  const head = 'Host: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n';
  socket.write(`GET /scanners/1/x/events HTTP/1.1\r\n${head}\r\n`);
  const [answer] = await once(socket.setEncoding('utf8'), 'data');
  expect(answer).toContain('401 Unauthorized');
});

test('the simulation is for programs on the computer of the gateway', async () => {
  const one = await worker(units(1));
  const gateway = await gatewayTo([one], 1);
  gateway.owners.set('1', one);
  const post = (headers: Record<string, string>) =>
    fetch(`${gateway.url}/scanners/1/x/sim/temperature`, { method: 'POST', body: '{"celsius":50}', headers });
  expect((await post({})).status).toBe(200);
  expect((await post({ 'X-Forwarded-For': '192.0.2.1' })).status).toBe(403);
  // Who calls the gateway by a name of its own is not on its computer.
  const cycle = { method: 'POST', body: '{"scanners":"1","power":"cycle"}' };
  expect((await fetch(`${gateway.url}/fleet/power`, cycle)).status).toBe(200);
  expect(await scannerOf(gateway, '1').read('PowerOnCnt')).toBe(2);
});

test('power is switched by all workers; that one does not answer, or what is wrong, is told', async () => {
  const one = await worker(units(1));
  const power = async ({ url }: SomeGateway, body: string) => {
    const answer = await fetch(`${url}/fleet/power`, { method: 'POST', body });
    return [answer.status, await answer.text()];
  };
  const off = '{"scanners":"1","power":"off"}';
  const all = await gatewayTo([await worker([]), one], 1);
  expect(await power(all, off)).toEqual([200, expect.stringContaining('"scanners":1')]);
  expect(one.fleet.units.get('1')?.state).toBe('off');
  expect(await power(all, '{"scanners":"1","power":"blink"}')).toEqual([
    400,
    expect.stringContaining('power: expected "on", "off" or "cycle"'),
  ]);
  const half = await gatewayTo([nowhere, one], 1);
  expect(await power(half, off)).toEqual([502, expect.stringContaining('1 of 2 workers have not answered')]);
});

test('the metrics of a gateway are the sums of its workers, or its own where workers have theirs', async () => {
  const [one, two] = [await worker(units(1)), await worker(units(2).slice(1))];
  const metrics = async ({ url }: SomeGateway) => (await fetch(`${url}/metrics`)).text();
  expect(await metrics(await gatewayTo([one, two], 2))).toContain(
    'azimuth_fleet_scanners{group="hall",state="idle"} 2',
  );
  const own = await gatewayTo([one, two], 2, { hasOwnMetrics: true, patience: 0 });
  own.owners.set('1', one);
  await scannerOf(own, '1').read('SerialNumber');
  await fetch(`${own.url}/scanners/2/api/SerialNumber`);
  const text = await metrics(own);
  expect(text).toContain('azimuth_gateway_requests_total 2\n');
  expect(text).toContain('azimuth_gateway_failures_total 1\n');
  expect(text).not.toContain('azimuth_fleet_scanners');
});

test('a key that is too short is refused', () => {
  expect(() => new GatewayKey('short')).toThrow('at least 16 characters');
  expect(() => new GatewayKey('a key of the deployment', 'short')).toThrow('at least 16 characters');
});

test('while the key is changed, both are taken, and the first one is used', async () => {
  const [before, after] = ['a key of the deployment', 'the next key of it'];
  const request = (by: GatewayKey) => {
    const message = new IncomingMessage(new Socket());
    Object.assign(message, {
      method: 'GET',
      url: '/scanners',
      headers: { 'azimuth-fleet': by.sign('http://worker', 'GET', '/scanners') },
    });
    return message;
  };
  const [old, both, fresh] = [new GatewayKey(before), new GatewayKey(after, before), new GatewayKey(after)];
  expect(both.signed('http://worker', request(old))).toBe(true);
  expect(both.signed('http://worker', request(fresh))).toBe(true);
  expect(fresh.signed('http://worker', request(both))).toBe(true);
  expect(old.signed('http://worker', request(both))).toBe(false);
  // What one worker has got is of no use at another one.
  expect(both.signed('http://other', request(both))).toBe(false);
});

test('pages of allowed origins may use a gateway, and others may not', async () => {
  const one = await worker(units(1));
  const origin = 'http://panel.example';
  const gateway = await gatewayTo([one], 1, { allowed: { origins: [origin] } });
  gateway.owners.set('1', one);
  const url = `${gateway.url}/scanners/1/api/SerialNumber`;
  const read = await fetch(url, { headers: { Origin: origin } });
  expect([read.status, read.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
  const asks = { Origin: origin, 'Access-Control-Request-Method': 'POST' };
  const preflight = await fetch(url, { method: 'OPTIONS', headers: asks });
  expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([
    204,
    expect.stringContaining('POST'),
  ]);
  const foreign = await fetch(url, { headers: { Origin: 'http://elsewhere.example' } });
  expect([foreign.status, foreign.headers.get('access-control-allow-origin')]).toEqual([403, null]);
});

test('an answer that comes before the whole body is the answer, and the rest of the body goes nowhere', async () => {
  const address = await somethingElse((_, response) => {
    response.writeHead(413).end('too large');
  });
  const gateway = await gatewayTo([address], 1);
  gateway.owners.set('1', address);
  const body = Buffer.alloc(8 * 1024 * 1024);
  const refused = await fetch(`${gateway.url}/scanners/1/api/UploadFirmware`, { method: 'PUT', body });
  expect([refused.status, await refused.text()]).toEqual([413, 'too large']);
});

test('a body stays the body of its request, whatever the headers say of its length', async () => {
  const asked: string[] = [];
  const address = await somethingElse((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    request.resume().once('end', () => response.end());
  });
  const gateway = await gatewayTo([address], 1);
  gateway.owners.set('1', address);
  const inner = 'POST /fleet/power HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n';
  const heads = [
    `GET /scanners/1/a HTTP/1.1\r\nConnection: content-length\r\nContent-Length: ${inner.length}`,
    `HEAD /scanners/1/b HTTP/1.1\r\nConnection: Content-Length, x\r\nContent-Length: ${inner.length}`,
    `GET /scanners/1/c HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: ${inner.length}`,
    `GET /scanners/1/d HTTP/1.1\r\nConnection: transfer-encoding\r\nTransfer-Encoding: chunked`,
  ];
  for (const head of heads) {
    const body = head.includes('chunked') ? `${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n` : inner;
    const client = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    client.write(`${head}\r\nHost: 127.0.0.1\r\n\r\n${body}`);
    await once(client, 'data');
    client.destroy();
    // It takes the connection to the worker that the first one has used.
    await fetch(`${gateway.url}/scanners/1/next`);
  }
  expect(asked.filter((one) => one !== 'GET /scanners/1/next')).toEqual([
    'GET /scanners/1/a',
    'HEAD /scanners/1/b',
    'GET /scanners/1/c',
    'GET /scanners/1/d',
  ]);
});

test('bodies are kept for the next worker up to a limit, and room comes back', async () => {
  const next = await worker(units(1));
  const gateway = await gatewayTo([next], 1, { keptBodies: 100 });
  const ask = (body: string) => fetch(`${gateway.url}/scanners/1/api/getChallenge`, { method: 'POST', body });
  const asking = '{"data":{"user":"Service"}}';
  for (const [body, status] of [
    [asking, 200],
    [asking.padEnd(101), 503],
    [asking.padEnd(100), 200],
    [asking.padEnd(100), 200],
  ] as const) {
    // It does not have the scanner any more: the body has to be sent to the next one.
    gateway.owners.set('1', nowhere);
    gateway.onLook = () => gateway.owners.set('1', next);
    expect((await ask(body)).status, `${body.length} bytes`).toBe(status);
  }
});

test('a worker that sends more than any list is none', async () => {
  const endless = await somethingElse((_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    const piece = Buffer.alloc(1024 * 1024, ' ');
    const more = () => {
      while (response.write(piece));
    };
    response.on('drain', more).on('error', () => undefined);
    more();
  });
  const one = await worker(units(1));
  const gateway = await gatewayTo([endless, one], 1);
  const listed: unknown = await (await fetch(`${gateway.url}/scanners`)).json();
  expect(listed).toMatchObject([{ serialNumber: '1', state: 'idle' }]);
});

test('a gateway that ends answers what is under way, and what follows it on that connection, and takes nothing new', async () => {
  const answers: (() => void)[] = [];
  const slow = await somethingElse((_, response) => void answers.push(() => response.end('done')));
  const some = await gatewayTo([slow], 1);
  some.owners.set('1', slow);
  const { port } = new URL(some.url);
  const client = connect(Number(port), '127.0.0.1').setEncoding('utf8');
  const request = 'GET /scanners/1/api/SerialNumber HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
  client.write(request);
  await until(() => answers.length === 1);
  const ended = some.gateway.close(10_000);
  await expect(fetch(`${some.url}/healthz`)).rejects.toThrow();
  // It is on its way when the first one is answered.
  client.write(request);
  await until(() => client.bytesWritten === 2 * request.length);
  let text = '';
  client.on('data', (piece) => {
    text += piece;
  });
  answers[0]?.();
  await until(() => answers.length === 2);
  answers[1]?.();
  await once(client, 'close');
  await ended;
  expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
  expect(text.match(/done/g)).toHaveLength(2);
  expect(text.match(/Connection: close/g)).toHaveLength(1);
});

test('the sums of metrics stand with their kind, and followers are those of the gateway', async () => {
  const [one, two] = [await worker(units(1)), await worker(units(2, () => ({ group: 'gate' })).slice(1))];
  const gateway = await gatewayTo([one, two], 2);
  const follower = new AbortController();
  await fetch(`${gateway.url}/fleet/events`, { signal: follower.signal });
  const text = await (await fetch(`${gateway.url}/metrics`)).text();
  follower.abort();
  expect(text).toContain(
    '{group="hall",state="idle"} 1\nazimuth_fleet_scanners{group="gate",state="idle"} 1\n',
  );
  expect(text).toContain('azimuth_fleet_event_followers 1\n');
  expect(text).not.toMatch(/\n\n/);
});

test('headers of one connection stay there', async () => {
  const seen: (string | undefined)[] = [];
  const address = await somethingElse((request, response) => {
    for (const name of ['x-mine', 'x-named', 'x-forwarded-for']) seen.push(String(request.headers[name]));
    response.end();
  });
  const gateway = await gatewayTo([address], 1);
  gateway.owners.set('1', address);
  const client = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  const head =
    'Host: 127.0.0.1\r\nX-Mine: a\r\nX-Named: b\r\nX-Forwarded-For: 192.0.2.1\r\nConnection: x-named, close\r\n';
  client.write(`GET /scanners/1/api/SerialNumber HTTP/1.1\r\n${head}\r\n`);
  await once(client.resume(), 'close');
  expect(seen).toEqual(['a', 'undefined', '127.0.0.1']);
});
