import { ethernet, operatingData } from '@azimuth/model';
import { Client, type HttpResponse } from '@azimuth/test-support/client';
import { forwardingHeaders } from '@azimuth/test-support/forwarding-headers';
import { object, parse } from '@azimuth/test-support/json';
import { httpStatusOf, listens, openAndSend, RawConnection } from '@azimuth/test-support/raw-connection';
import { bootMilliseconds, TestScanner } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';
import { beforeEach, expect, test } from 'vitest';

const { CurrentTempDev, PowerOnCnt } = operatingData.members;
let scanner: TestScanner;

beforeEach(async () => {
  scanner = await TestScanner.start({
    controlPort: 0,
    web: { allowed: { hosts: ['allowed.example'] } },
  });
});

function send(path: string, body = '', headers = {}, method = 'POST'): Promise<HttpResponse> {
  return new Client(scanner.controlPort).send({ method, path, headers, body });
}

function errorOf(reply: HttpResponse): string {
  return String(object(parse(reply.text)).error);
}

test('the control port is closed by default', async () => {
  expect((await TestScanner.start()).service.ports.control).toBeNull();
});

test('the overview contains the state and the commands', async () => {
  const reply = await send('/', '', {}, 'GET');
  expect(reply.httpStatus).toBe(200);
  expect(parse(reply.text)).toMatchObject({
    up: true,
    temperature: 22,
    commands: expect.arrayContaining(['power-cycle', 'clock/advance', 'temperature']),
  });
});

test('time travel moves the clock forwards', async () => {
  expect(parse((await send('/clock/advance', '{"ms":1500.5}')).text)).toEqual({ ok: true });
  expect(scanner.clock.monotonic()).toBe(1500.5);
});

test('a temperature that is set takes effect and is announced', async () => {
  const announced: string[] = [];
  scanner.service.device.announcements.subscribe((changed) =>
    announced.push(...changed.map(({ name }) => name)),
  );
  await send('/temperature', '{"celsius":-12.5}');
  expect(scanner.service.device.read(CurrentTempDev)).toBe(-12.5);
  expect(announced).toContain('CurrentTempDev');
});

test('during a power cycle the scanner is down, but the control port stays open', async () => {
  const port = scanner.httpPort;
  expect((await send('/power-cycle')).httpStatus).toBe(200);
  expect(await listens(port)).toBe(false);
  expect(parse((await send('/', '', {}, 'GET')).text)).toMatchObject({ up: false });
  await send('/clock/advance', `{"ms":${bootMilliseconds}}`);
  await until(() => scanner.service.ports.http === port);
  expect(scanner.service.device.read(PowerOnCnt)).toBe(2);
});

test.each([
  ['/', 'POST'],
  ['/nonsense', 'POST'],
  ['/clock/advance', 'GET'],
  ['/clock/advance', 'PUT'],
  ['/power-cycle/', 'POST'],
  ['/toString', 'POST'],
])('%s by %s is 404, and the answer names the commands', async (path, method) => {
  const reply = await send(path, '', {}, method);
  expect(reply.httpStatus).toBe(404);
  expect(errorOf(reply)).toContain('clock/advance');
});

test.each([
  ['', '"ms" must be a number'],
  ['{}', '"ms" must be a number'],
  ['{"ms":-1}', '"ms" must be a number'],
  ['{"ms":"1"}', '"ms" must be a number'],
  ['{"ms":1e400}', '"ms" must be a number'],
  ['{"ms":null}', '"ms" must be a number'],
  ['[1]', 'expected a JSON object'],
  ['null', 'expected a JSON object'],
  ['{', 'expected a JSON object'],
])('the body %s is 400 and changes nothing', async (body, error) => {
  const reply = await send('/clock/advance', body);
  expect(reply.httpStatus).toBe(400);
  expect(errorOf(reply)).toContain(error);
  expect(scanner.clock.monotonic()).toBe(0);
});

test('a body above 64 KiB is 400', async () => {
  const body = `{"ms":1${' '.repeat(64 * 1024)}}`;
  expect((await send('/clock/advance', body)).httpStatus).toBe(400);
  expect(scanner.clock.monotonic()).toBe(0);
});

test.each(['http://localhost', 'http://evil.example', 'null'])(
  'a page from %s is refused',
  async (origin) => {
    const reply = await send('/clock/advance', '{"ms":5}', { Origin: origin });
    expect(reply.httpStatus).toBe(403);
    expect(errorOf(reply)).toContain('web pages cannot use the control port');
    expect(scanner.clock.monotonic()).toBe(0);
  },
);

test.each([
  ...['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:80', '127.0.0.1@evil'],
  // Names and addresses of this computer in its network: only a proxy calls loopback by them.
  ...['10.0.0.1', 'scanner', 'scanner.local', 'allowed.example', '[fe80::1]'],
])('the host "%s" is refused', async (host) => {
  for (const [path, method] of [
    ['/clock/advance', 'POST'],
    ['/', 'GET'],
  ] as const) {
    const reply = await send(path, method === 'POST' ? '{"ms":5}' : '', { Host: host }, method);
    expect(reply.httpStatus).toBe(403);
    expect(errorOf(reply)).toContain('a loopback name as Host');
  }
  expect(scanner.clock.monotonic()).toBe(0);
});

test.each(['localhost', 'LOCALHOST:1234', '127.0.0.1', '127.0.0.2:80', '[::1]:99'])(
  'the host "%s" is served',
  async (host) => {
    expect((await send('/clock/advance', '{"ms":5}', { Host: host })).httpStatus).toBe(200);
  },
);

test.each(forwardingHeaders)('a request that a proxy has sent (%s) is refused', async (name) => {
  const reply = await send('/clock/advance', '{"ms":5}', { [name]: '127.0.0.1' });
  expect([reply.httpStatus, errorOf(reply)]).toEqual([403, expect.stringContaining('no proxy')]);
  expect(scanner.clock.monotonic()).toBe(0);
});

test('a command that fails is 500, and the next one works', async () => {
  scanner.clock.after(10, () => {
    throw new Error('broken inside');
  });
  const reply = await send('/clock/advance', '{"ms":20}');
  expect([reply.httpStatus, errorOf(reply)]).toEqual([500, 'broken inside']);
  expect((await send('/clock/advance', '{"ms":20}')).httpStatus).toBe(200);
});

test('after a refused request the connection can be used again', async () => {
  const connection = await RawConnection.open(scanner.controlPort);
  connection.request('POST /clock/advance', ['Origin: http://evil.example'], '{"ms":5}');
  expect((await connection.response()).statusLine).toContain('403');
  connection.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  expect((await connection.response()).statusLine).toContain('200');
  connection.destroy();
});

test('closing the service closes the control port', async () => {
  const port = scanner.controlPort;
  await scanner.service.close();
  expect(await listens(port)).toBe(false);
});

test('a web server that was switched off returns after a reboot by the control port', async () => {
  const port = scanner.httpPort;
  await scanner.service.device.features.webserver.set(false);
  await send('/power-cycle');
  await send('/clock/advance', `{"ms":${bootMilliseconds}}`);
  await until(() => scanner.service.device.lifecycle.phase === 'up');
  expect(await listens(port)).toBe(false);
  expect((await send('/webserver', '{"enabled":1}')).httpStatus).toBe(400);
  expect((await send('/webserver', '{"enabled":true}')).httpStatus).toBe(200);
  expect(await listens(port)).toBe(false);
  await send('/power-cycle');
  await send('/clock/advance', `{"ms":${bootMilliseconds}}`);
  await until(() => scanner.service.ports.http === port);
});

test('DHCP offers the given lease, and nothing without one', async () => {
  const {
    parameters,
    features: { network },
  } = scanner.service.device;
  parameters.change((change) => change.set(ethernet.members.EtherAddressingMode, 1));
  network.activate();
  const offer = '{"address":[10,0,0,42],"mask":[255,0,0,0],"gateway":[10,0,0,1]}';
  expect((await send('/dhcp', offer)).httpStatus).toBe(200);
  expect(network.reachable).toMatchObject({ source: 'DHCP', address: [10, 0, 0, 42] });
  const refused = await send('/dhcp', '{"address":[10,0,0,300],"mask":[255,0,0,0],"gateway":[10,0,0,1]}');
  expect([refused.httpStatus, errorOf(refused)]).toEqual([400, 'address[3]: expected 0 to 255, got 300']);
  await send('/dhcp', '{}');
  expect(network.reachable).toMatchObject({ source: 'static' });
});

test('a request whose body cannot be read is refused once, whatever it asks for', async () => {
  const { paths } = object(parse((await send('/openapi.json', '', {}, 'GET')).text));
  const asked = Object.entries(object(paths)).filter(([, of]) => 'get' in object(of));
  expect(asked.map(([path]) => path)).toContain('/scene');
  for (const [path] of asked) {
    const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: x\r\n\r\n`;
    const connection = await openAndSend(scanner.controlPort, request);
    expect(httpStatusOf(await connection.response()), path).toBe(400);
    await connection.closed;
    await expect(connection.response()).rejects.toThrow('closed before a whole response');
  }
  expect(scanner.log.errors).toEqual([]);
});
