import { ethernet } from '@azimuth/model';
import { Client, type HttpResponse } from '@azimuth/test-support/client';
import { object, parse } from '@azimuth/test-support/json';
import { RawConnection } from '@azimuth/test-support/raw-connection';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';
import { beforeEach, expect, test } from 'vitest';

const day = 24 * 3_600_000;
let scanner: TestScanner;

beforeEach(async () => {
  scanner = await TestScanner.start({ controlPort: 0 });
});

function send(path: string, body = ''): Promise<HttpResponse> {
  return new Client(scanner.controlPort).send({ method: 'POST', path, body });
}

function errorOf(reply: HttpResponse): string {
  return String(object(parse(reply.text)).error);
}

test.each([
  ['/power-cycle', '{"when":1}', 'power-cycle takes no members, not "when"'],
  ['/webserver', '{"enabled":true,"Enabled":true}', 'webserver takes "enabled", not "Enabled"'],
  ['/clock/advance', '{"ms":5,"s":1}', 'clock/advance takes "ms", "measure", not "s"'],
  ['/temperature', '{"celsius":5,"__proto__":1}', 'temperature takes "celsius", not "__proto__"'],
  ['/dhcp', '{"addres":[10,0,0,1]}', 'dhcp takes "address", "mask", "gateway", not "addres"'],
])('%s with an unknown member is 400, and the answer names the member', async (path, body, error) => {
  const reply = await send(path, body);
  expect([reply.httpStatus, errorOf(reply)]).toEqual([400, error]);
  expect(scanner.clock.monotonic()).toBe(0);
  expect(scanner.service.device.lifecycle.phase).toBe('up');
});

test.each(['{"addres":[10,0,0,1]}', '{"mask":[255,0,0,0]}', '{"address":null}'])(
  'the lease stays if DHCP gets %s',
  async (body) => {
    const {
      parameters,
      features: { network },
    } = scanner.service.device;
    parameters.change((change) => change.set(ethernet.members.EtherAddressingMode, 1));
    network.activate();
    await send('/dhcp', '{"address":[10,0,0,42],"mask":[255,0,0,0],"gateway":[10,0,0,1]}');
    expect((await send('/dhcp', body)).httpStatus).toBe(400);
    expect(network.reachable).toMatchObject({ source: 'DHCP', address: [10, 0, 0, 42] });
  },
);

test('a query string is ignored', async () => {
  expect((await send('/clock/advance?a=1', '{"ms":5}')).httpStatus).toBe(200);
  expect(scanner.clock.monotonic()).toBe(5);
  expect((await send('/nothing?/clock/advance', '{"ms":5}')).httpStatus).toBe(404);
});

test('one time travel is at most 400 days', async () => {
  expect((await send('/clock/advance', `{"ms":${400 * day}}`)).httpStatus).toBe(200);
  expect(scanner.clock.monotonic()).toBe(400 * day);
  const reply = await send('/clock/advance', `{"ms":${400 * day + 1}}`);
  expect([reply.httpStatus, errorOf(reply)]).toEqual([
    400,
    '"ms" must be a number from 0 to 34560000000 (400 days)',
  ]);
  expect(scanner.clock.monotonic()).toBe(400 * day);
});

test('a command that breaks off does nothing, and the next one works', async () => {
  const connection = await RawConnection.open(scanner.controlPort);
  connection.write('POST /clock/advance HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{"ms":5}');
  connection.destroy();
  await until(() => connection.isClosed);
  expect((await send('/clock/advance', '{"ms":7}')).httpStatus).toBe(200);
  expect(scanner.clock.monotonic()).toBe(7);
});
