import { once } from 'node:events';
import { request as httpRequest, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { forwardingHeaders } from '@azimuth/test-support/forwarding-headers';
import { scannerFacts } from '@azimuth/test-support/some-fleet';
import { until } from '@azimuth/test-support/waiting';
import { expect, onTestFinished, test } from 'vitest';
import { gatewayTo, nowhere, type SomeGateway, scannerOf, standIn, worker } from './gateway-and-workers.js';

test('a gateway takes each request to the worker that has the scanner, and lists all in their order', async () => {
  const [one, two] = [
    await worker(scannerFacts(3).filter(({ serial }) => serial !== '2')),
    await worker(scannerFacts(2).slice(1)),
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
  const facts = scannerFacts(1);
  const [old, next] = [await worker([]), await worker(facts)];
  const gateway = await gatewayTo([old, next], 1);
  gateway.owners.set('1', old);
  let looks = 0;
  gateway.onRefresh = () => {
    if (++looks === 3) gateway.owners.delete('1');
    if (looks === 6) gateway.owners.set('1', next);
  };
  await scannerOf(gateway, '1').write('LocationName', 'moved');
  expect(looks).toBeGreaterThan(5);
  expect(await scannerOf(gateway, '1').read('LocationName')).toBe('moved');
});

test('a request to a worker that has gone waits for the next one, and says after a while that there is none', async () => {
  const next = await worker(scannerFacts(1));
  const gateway = await gatewayTo([next], 1, { patience: 300 });
  gateway.owners.set('1', nowhere);
  const refused = await fetch(`${gateway.url}/scanners/1/api/SerialNumber`);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  gateway.onRefresh = () => gateway.owners.set('1', next);
  expect(await scannerOf(gateway, '1').read('SerialNumber')).toBe('1');
});

test('if a worker breaks off, a write gets 502 and is not sent again: it may have been done', async () => {
  let asked = 0;
  const address = await standIn((request) => {
    if (request.method === 'POST') asked++;
    request.resume().once('end', () => request.socket.destroy());
  });
  const gateway = await gatewayTo([address], 1);
  gateway.owners.set('1', address);
  const failed = await fetch(`${gateway.url}/scanners/1/api/WriteEeprom`, { method: 'POST', body: '{}' });
  expect(failed.status).toBe(502);
  expect(await failed.text()).toContain('The worker of this scanner has not answered');
  expect(asked).toBe(1);
});

test('a scanner that resets a connection resets that of its client, and nothing is sent again', async () => {
  const one = await worker(scannerFacts(1));
  const gateway = await gatewayTo([one], 1);
  gateway.owners.set('1', one);
  const scanner = `${gateway.url}/scanners/1`;
  await fetch(`${scanner}/api/SerialNumber`);
  const before = one.fleet.scanners.get('1')?.requests ?? 0;
  const fault = { faults: [{ kind: 'http-reset', first: 2 }] };
  const faults = await fetch(`${scanner}/x/sim/faults`, { method: 'POST', body: JSON.stringify(fault) });
  expect(await faults.text()).toContain('ok');
  const reset = expect.objectContaining({ code: 'ECONNRESET' });
  await expect(causeOf(fetch(`${scanner}/api/SerialNumber`))).resolves.toEqual(reset);
  await expect(causeOf(fetch(`${scanner}/api/WriteEeprom`, { method: 'POST', body: '{}' }))).resolves.toEqual(
    reset,
  );
  expect((await fetch(`${scanner}/api/SerialNumber`)).status).toBe(200);
  expect((one.fleet.scanners.get('1')?.requests ?? 0) - before).toBe(4);
});

test('the requests of one connection are done in their order', async () => {
  const done: string[] = [];
  const slow = await standIn(async (request, response) => {
    // The body of the first one comes later than the second request.
    for await (const piece of request) done.push(String(piece));
    done.push(`${request.method} ${request.url}`);
    response.end('{}');
  });
  const gateway = await gatewayTo([slow], 1);
  gateway.owners.set('1', slow);
  const client = connect(Number(new URL(gateway.url).port), '127.0.0.1').setEncoding('utf8');
  onTestFinished(() => void client.destroy());
  const path = '/scanners/1/api/LocationName';
  client.write(`POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n\r\n{}`);
  client.resume().write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
  await once(client, 'end');
  expect(done).toEqual(['{}', `POST ${path}`, `GET ${path}`]);
});

test('a gateway outlives a client that goes on sending when the worker has broken off', async () => {
  const address = await standIn((request) => request.socket.destroy());
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
  let [asked, brokenOff] = [0, 0];
  const silent = await standIn((request) => {
    asked++;
    request.socket.once('close', () => brokenOff++);
  });
  const gateway = await gatewayTo([silent], 1);
  gateway.owners.set('1', silent);
  const client = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  client.write('GET /scanners/1/api/SerialNumber HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(3));
  await until(() => asked === 1);
  client.resetAndDestroy();
  await until(() => brokenOff === 1);
  // It would wait for running requests.
  const ended = gateway.gateway.drain({ listens: 600_000, responds: 600_000 });
  await expect(ended).resolves.toBeUndefined();
});

test('a request that asks for another protocol is answered as without that, with its body', async () => {
  const one = await worker(scannerFacts(1));
  const gateway = await gatewayTo([one], 1);
  gateway.owners.set('1', one);
  const client = connect(Number(new URL(gateway.url).port), '127.0.0.1').setEncoding('utf8');
  onTestFinished(() => void client.destroy());
  const head = 'Host: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 2\r\n';
  client.write(`POST /scanners/1/api/LocationName HTTP/1.1\r\n${head}\r\n{}`);
  expect(String(await once(client, 'data'))).toContain('"status"');
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

test('an answer that is on its way when the gateway sees that its scanner has moved is the answer', async () => {
  const asked: ServerResponse[] = [];
  const old = await standIn((request, response) => {
    request.resume();
    asked.push(response);
  });
  const gateway = await gatewayTo([nowhere], 1);
  gateway.owners.set('1', old);
  const answered = fetch(`${gateway.url}/scanners/1/api/WriteEeprom`, { method: 'POST', body: '{}' });
  await until(() => asked.length === 1);
  // The old worker responds when the gateway refreshes its routes.
  gateway.owners.get = () => {
    asked[0]?.end('by the old worker');
    return nowhere;
  };
  expect(await (await answered).text()).toBe('by the old worker');
});

test('a worker that has other scanners is waited for, however long it takes, when another one has this scanner', async () => {
  const asked: ServerResponse[] = [];
  const busy = await standIn((request, response) => {
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

test('when another worker takes over from a silent one, a read is sent again, and a write gets 502', async () => {
  let asked = 0;
  const silent = await standIn(() => void asked++);
  const next = await worker(scannerFacts(1));
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

test('a target that is no path gets 400, and an unknown path 404', async () => {
  const gateway = await gatewayTo([], 1);
  expect((await fetch(`${gateway.url}//`)).status).toBe(404);
  const asked = httpRequest(gateway.url, { path: '*' }).end();
  const [answer] = await once(asked, 'response');
  expect(answer.resume().statusCode).toBe(400);
});

test('the simulation and the power are for programs on the computer of the gateway', async () => {
  const one = await worker(scannerFacts(1));
  const hosts = ['hall.example'];
  const gateway = await gatewayTo([one], 1, { allowed: { hosts, localRights: true } });
  const behindProxy = await gatewayTo([one], 1, { allowed: { hosts } });
  for (const { owners } of [gateway, behindProxy]) owners.set('1', one);
  let { url } = gateway;
  const status = async (path: string, headers: OutgoingHttpHeaders, body?: string) => {
    const method = body === undefined ? 'GET' : 'POST';
    const asked = httpRequest(url + path, { method, headers, agent: false }).end(body);
    const [answer] = await once(asked, 'response');
    return answer.resume().statusCode;
  };
  const statuses = async (headers: OutgoingHttpHeaders) => ({
    read: await status('/scanners/1/api/PowerOnCnt', headers),
    simulation: await status('/scanners/1/x/sim/temperature', headers, '{"celsius":50}'),
    power: await status('/fleet/power', headers, '{"scanners":"1","power":"cycle"}'),
  });
  const refused = { read: 200, simulation: 403, power: 403 };
  for (const name of forwardingHeaders)
    expect(await statuses({ [name]: '127.0.0.1' }), name).toEqual(refused);
  // A client that calls the gateway by a name or an address of its own is not on its computer.
  for (const Host of ['hall.example', '192.0.2.7']) expect(await statuses({ Host }), Host).toEqual(refused);
  // A proxy need not show.
  ({ url } = behindProxy);
  expect(await statuses({})).toEqual(refused);
  ({ url } = gateway);
  expect(await scannerOf(gateway, '1').read('PowerOnCnt')).toBe(1);
  expect(await statuses({})).toEqual({ read: 200, simulation: 200, power: 200 });
  expect(await scannerOf(gateway, '1').read('PowerOnCnt')).toBe(2);
});

test('power goes to all workers; scanners without a worker are told as failed; a silent worker gives 502, a wrong request 400', async () => {
  const [one, two] = [await worker(scannerFacts(1)), await worker(scannerFacts(2).slice(1))];
  const states = () => [one.fleet.scanners.get('1')?.state, two.fleet.scanners.get('2')?.state];
  const power = async ({ url }: SomeGateway, body: string) => {
    const answer = await fetch(`${url}/fleet/power`, { method: 'POST', body });
    return [answer.status, await answer.text()];
  };
  const all = await gatewayTo([one, two], 3);
  all.owners.set('1', one).set('2', two);
  expect(await power(all, '{"scanners":"*","power":"off"}')).toEqual([
    200,
    expect.stringContaining(
      '"scanners":3,"changed":2,"failed":[{"serialNumber":"3","reason":"No worker runs this scanner now.',
    ),
  ]);
  expect(states()).toEqual(['off', 'off']);
  // The other worker has no such scanner.
  expect(await power(all, '{"scanners":"2","power":"on"}')).toEqual([
    200,
    expect.stringContaining('"scanners":1,'),
  ]);
  expect(states()).toEqual(['off', 'idle']);
  expect(await power(all, '{"scanners":"1","power":"blink"}')).toEqual([
    400,
    expect.stringContaining('power: expected "on", "off" or "cycle"'),
  ]);
  expect(await power(all, '{"scanners":"4","power":"off"}')).toEqual([
    400,
    'scanners: no scanner of this fleet matches "4"\n',
  ]);
  const half = await gatewayTo([nowhere, one], 1);
  expect(await power(half, '{"scanners":"1","power":"off"}')).toEqual([
    502,
    expect.stringContaining('1 of 2 workers have not answered'),
  ]);
});

test('pages of allowed origins may use a gateway, and others may not', async () => {
  const one = await worker(scannerFacts(1));
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

test('an answer that comes before the whole body is the answer, and the rest of the body is dropped', async () => {
  const address = await standIn((_, response) => {
    response.writeHead(413).end('too large');
  });
  const gateway = await gatewayTo([address], 1);
  gateway.owners.set('1', address);
  const body = Buffer.alloc(8 * 1024 * 1024);
  const refused = await fetch(`${gateway.url}/scanners/1/api/UploadFirmware`, { method: 'PUT', body });
  expect([refused.status, await refused.text()]).toEqual([413, 'too large']);
});

test('bodies are kept for the next worker up to a limit, and room comes back', async () => {
  const next = await worker(scannerFacts(1));
  const gateway = await gatewayTo([next], 1, { bufferedBytes: 100 });
  const ask = (body: string) => fetch(`${gateway.url}/scanners/1/api/getChallenge`, { method: 'POST', body });
  const asking = '{"data":{"user":"Service"}}';
  for (const [body, status] of [
    [asking, 200],
    [asking.padEnd(101), 503],
    [asking.padEnd(100), 200],
    [asking.padEnd(100), 200],
  ] as const) {
    // It no longer has the scanner: the body has to be sent to the next one.
    gateway.owners.set('1', nowhere);
    gateway.onRefresh = () => gateway.owners.set('1', next);
    expect((await ask(body)).status, `${body.length} bytes`).toBe(status);
  }
});

test('a worker that sends more than the longest list is left out of the list', async () => {
  const endless = await standIn((_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    const piece = Buffer.alloc(1024 * 1024, ' ');
    const more = () => {
      while (response.write(piece));
    };
    response.on('drain', more).on('error', () => undefined);
    more();
  });
  const one = await worker(scannerFacts(1));
  const gateway = await gatewayTo([endless, one], 1);
  const listed: unknown = await (await fetch(`${gateway.url}/scanners`)).json();
  expect(listed).toMatchObject([{ serialNumber: '1', state: 'idle' }]);
});

test('a gateway that ends answers what is under way, and what follows it on that connection, and takes nothing new', async () => {
  const answers: (() => void)[] = [];
  const slow = await standIn((_, response) => void answers.push(() => response.end('done')));
  const some = await gatewayTo([slow], 1);
  some.owners.set('1', slow);
  const { port } = new URL(some.url);
  const client = connect(Number(port), '127.0.0.1').setEncoding('utf8');
  const request = 'GET /scanners/1/api/SerialNumber HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
  client.write(request);
  await until(() => answers.length === 1);
  const ended = some.gateway.drain({ listens: 0, responds: 10_000 });
  const isRefused = () =>
    fetch(`${some.url}/healthz`).then(
      () => false,
      () => true,
    );
  await until(isRefused);
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

/** Returns the reason why a request got no response. */
function causeOf(request: Promise<Response>): Promise<unknown> {
  return request.then(
    ({ status }) => `HTTP ${status}`,
    (error: unknown) => (error instanceof Error ? error.cause : error),
  );
}
