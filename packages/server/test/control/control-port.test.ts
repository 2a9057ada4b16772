import { ethernet, operatingData } from '@azimuth/model';
import { beforeEach, expect, test } from 'vitest';
import { Client, type Reply } from '../../../../tests/support/client.js';
import { object, parse } from '../../../../tests/support/json.js';
import { listens, RawConnection } from '../../../../tests/support/raw-connection.js';
import { Bench, bootMilliseconds } from '../../../../tests/support/service-test-bench.js';
import { until } from '../../../../tests/support/waiting.js';

const { CurrentTempDev, PowerOnCnt } = operatingData.members;
let bench: Bench;

beforeEach(async () => {
  bench = await Bench.start({ controlPort: 0 });
});

function send(path: string, body = '', headers = {}, method = 'POST'): Promise<Reply> {
  return new Client(bench.controlPort).send({ method, path, headers, body });
}

function errorOf(reply: Reply): string {
  return String(object(parse(reply.text)).error);
}

test('it is closed unless it is asked for', async () => {
  expect((await Bench.start()).service.ports.control).toBeNull();
});

test('it tells the state and what can be commanded', async () => {
  const reply = await send('/', '', {}, 'GET');
  expect(reply.httpStatus).toBe(200);
  expect(parse(reply.text)).toMatchObject({
    up: true,
    temperature: 22,
    commands: expect.arrayContaining(['power-cycle', 'clock/advance', 'temperature']),
  });
});

test('time travel moves the clock on', async () => {
  expect(parse((await send('/clock/advance', '{"ms":1500.5}')).text)).toEqual({ ok: true });
  expect(bench.clock.monotonic()).toBe(1500.5);
});

test('the temperature is what it is set to, and is announced', async () => {
  const announced: string[] = [];
  bench.service.device.announcements.subscribe((changed) =>
    announced.push(...changed.map(({ name }) => name)),
  );
  await send('/temperature', '{"celsius":-12.5}');
  expect(bench.service.device.read(CurrentTempDev)).toBe(-12.5);
  expect(announced).toContain('CurrentTempDev');
});

test('a power cycle takes the scanner down, and the control port stays', async () => {
  const port = bench.httpPort;
  expect((await send('/power-cycle')).httpStatus).toBe(200);
  expect(await listens(port)).toBe(false);
  expect(parse((await send('/', '', {}, 'GET')).text)).toMatchObject({ up: false });
  await send('/clock/advance', `{"ms":${bootMilliseconds}}`);
  await until(() => bench.service.ports.http === port);
  expect(bench.service.device.read(PowerOnCnt)).toBe(2);
});

test.each([
  ['/', 'POST'],
  ['/nonsense', 'POST'],
  ['/clock/advance', 'GET'],
  ['/clock/advance', 'PUT'],
  ['/power-cycle/', 'POST'],
  ['/toString', 'POST'],
])('%s by %s is 404, and names the commands', async (path, method) => {
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
])('the body %s is 400 and moves nothing', async (body, error) => {
  const reply = await send('/clock/advance', body);
  expect(reply.httpStatus).toBe(400);
  expect(errorOf(reply)).toContain(error);
  expect(bench.clock.monotonic()).toBe(0);
});

test('a body above 64 KiB is 400', async () => {
  const body = `{"ms":1${' '.repeat(64 * 1024)}}`;
  expect((await send('/clock/advance', body)).httpStatus).toBe(400);
  expect(bench.clock.monotonic()).toBe(0);
});

test.each(['http://localhost', 'http://evil.example', 'null'])(
  'a page from %s is refused',
  async (origin) => {
    const reply = await send('/clock/advance', '{"ms":5}', { Origin: origin });
    expect(reply.httpStatus).toBe(403);
    expect(errorOf(reply)).toContain('web pages cannot use the control port');
    expect(bench.clock.monotonic()).toBe(0);
  },
);

test.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:80', '127.0.0.1@evil'])(
  'the host "%s" is refused',
  async (host) => {
    for (const [path, method] of [
      ['/clock/advance', 'POST'],
      ['/', 'GET'],
    ] as const) {
      const reply = await send(path, method === 'POST' ? '{"ms":5}' : '', { Host: host }, method);
      expect(reply.httpStatus).toBe(403);
      expect(errorOf(reply)).toContain('--allowed-host');
    }
    expect(bench.clock.monotonic()).toBe(0);
  },
);

test.each(['localhost', 'localhost:1234', '127.0.0.1', '[::1]:99', '10.0.0.1', 'scanner'])(
  'the host "%s" is served',
  async (host) => {
    expect((await send('/clock/advance', '{"ms":5}', { Host: host })).httpStatus).toBe(200);
  },
);

test('a command that fails is 500, and the next one is served', async () => {
  bench.clock.after(10, () => {
    throw new Error('broken inside');
  });
  const reply = await send('/clock/advance', '{"ms":20}');
  expect([reply.httpStatus, errorOf(reply)]).toEqual([500, 'broken inside']);
  expect((await send('/clock/advance', '{"ms":20}')).httpStatus).toBe(200);
});

test('a refused request does not spoil its connection', async () => {
  const connection = await RawConnection.open(bench.controlPort);
  connection.request('POST /clock/advance', ['Origin: http://evil.example'], '{"ms":5}');
  expect((await connection.response()).statusLine).toContain('403');
  connection.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  expect((await connection.response()).statusLine).toContain('200');
  connection.destroy();
});

test('closing the service closes the control port', async () => {
  const port = bench.controlPort;
  await bench.service.close();
  expect(await listens(port)).toBe(false);
});

test('a web server that was switched off comes back by the control port and a boot', async () => {
  const port = bench.httpPort;
  await bench.service.device.webserver.set(false);
  await send('/power-cycle');
  await send('/clock/advance', `{"ms":${bootMilliseconds}}`);
  await until(() => bench.service.device.lifecycle.phase === 'up');
  expect(await listens(port)).toBe(false);
  expect((await send('/webserver', '{"enabled":1}')).httpStatus).toBe(400);
  expect((await send('/webserver', '{"enabled":true}')).httpStatus).toBe(200);
  expect(await listens(port)).toBe(false);
  await send('/power-cycle');
  await send('/clock/advance', `{"ms":${bootMilliseconds}}`);
  await until(() => bench.service.ports.http === port);
});

test('DHCP offers what it is told to offer, and stops when told nothing', async () => {
  const { network, parameters } = bench.service.device;
  parameters.change((change) => change.set(ethernet.members.EtherAddressingMode, 1));
  network.activate();
  const offer = '{"address":[10,0,0,42],"mask":[255,0,0,0],"gateway":[10,0,0,1]}';
  expect((await send('/dhcp', offer)).httpStatus).toBe(200);
  expect(network.reachable).toMatchObject({ source: 'DHCP', address: [10, 0, 0, 42] });
  const refused = await send('/dhcp', '{"address":[10,0,0,300],"mask":[255,0,0,0],"gateway":[10,0,0,1]}');
  expect([refused.httpStatus, errorOf(refused)]).toEqual([400, 'address[3]: 300 is not in 0..255']);
  await send('/dhcp', '{}');
  expect(network.reachable).toMatchObject({ source: 'static' });
});
