import { operatingData, status } from '@azimuth/model';
import { dataOf } from '@azimuth/test-support/client';
import { events } from '@azimuth/test-support/event-names';
import { TestScanner, type TestScannerOptions } from '@azimuth/test-support/test-scanner';
import { describe, expect, test, vi } from 'vitest';
import { EventClient } from './client.js';

async function started(options: TestScannerOptions = {}) {
  const scanner = await TestScanner.start(options);
  const { hardware } = scanner.service.device;
  const heat = (celsius: number) => {
    vi.spyOn(hardware, 'temperature').mockReturnValue(celsius);
    scanner.service.device.features.temperatureAlarm.temperatureChanged();
  };
  heat(20);
  return { scanner, heat, client: await EventClient.open(scanner.httpPort) };
}

const temperature = (type: string, celsius: number, clientId = 1) => ({
  type,
  event: 'CurrentTempDev',
  clientId,
  status: 0,
  data: { CurrentTempDev: celsius },
});

test.each(events)('%s is an event: the reply contains what a GET returns', async (name) => {
  const { scanner, client } = await started();
  const data = dataOf(await scanner.client().get(name));
  expect(await client.register(name, 7)).toEqual({
    type: 'register',
    event: name,
    clientId: 7,
    status: 0,
    data,
  });
});

test('the members of a struct are under its name and beside it', async () => {
  const { client } = await started();
  const { data } = await client.register('ContaminationResult');
  const value = { bWarningActive: false, bErrorActive: false };
  expect(data).toEqual({ ContaminationResult: value, ...value });
});

test('each change is pushed in order, and only once if it is announced twice', async () => {
  const { scanner, client, heat } = await started();
  expect(await client.register('CurrentTempDev')).toEqual(temperature('register', 20));
  // Both writes are in one turn of the event loop: no state is passed over.
  for (const celsius of [21, 22, 21]) heat(celsius);
  heat(21);
  scanner.service.device.announcements.changed([operatingData.members.CurrentTempDev]);
  expect(await client.all()).toEqual([21, 22, 21].map((celsius) => temperature('event', celsius)));
});

test('a value is read and serialised once for all clients', async () => {
  const { scanner, heat } = await started();
  const clients = await Promise.all([1, 2, 3].map(() => EventClient.open(scanner.httpPort)));
  for (const [index, client] of clients.entries()) await client.register('CurrentTempDev', index);
  const read = vi.spyOn(scanner.service.device, 'read');
  heat(50);
  for (const [index, client] of clients.entries())
    expect(await client.next()).toEqual(temperature('event', 50, index));
  const { CurrentTempDev } = operatingData.members;
  expect(read.mock.calls.filter(([variable]) => variable === CurrentTempDev)).toHaveLength(1);
});

test('deregister has no reply, and ends only this registration', async () => {
  const { client, heat } = await started();
  await client.register('CurrentTempDev', 1);
  await client.register('CurrentTempDev', 2);
  client.say({ type: 'deregister', event: 'CurrentTempDev', clientId: 1 });
  client.say({ type: 'deregister', event: 'CurrentTempDev', clientId: 99 });
  expect(await client.all()).toEqual([]);
  heat(30);
  expect(await client.all()).toEqual([temperature('event', 30, 2)]);
});

test('the same event and clientId again get the value again, and are one registration', async () => {
  const { client, heat } = await started();
  await client.register('CurrentTempDev', 1, { throttle: { minOutputIntervalMs: 5000 } });
  heat(30);
  expect(await client.register('CurrentTempDev')).toEqual(temperature('register', 30));
  heat(31);
  expect(await client.all()).toEqual([temperature('event', 31)]);
});

/** An array in an array and so on, deeper than the stack. It can be parsed. */
const nested = `{"type":"register","clientId":2,"event":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;

describe('a wrong message gets status 1 with a reason, and the other registrations stay', () => {
  const right = { type: 'register', event: 'CurrentTempDev', clientId: 2 };
  const options = (value: unknown) => ({ ...right, options: value });
  test.each<[string, unknown, object, RegExp]>([
    ['an unknown event', { ...right, event: 'X' }, { type: 'register', event: 'X', clientId: 2 }, /exist/],
    ['one in other letters', { ...right, event: 'devicestatus' }, { clientId: 2 }, /mean DeviceStatus/],
    ['a variable that is no event', { ...right, event: 'LocationName' }, { clientId: 2 }, /exist/],
    ['no event', { type: 'register', clientId: 2 }, { type: 'register', clientId: 2 }, /event: .*nothing/],
    [
      'no clientId',
      { type: 'register', event: 'X' },
      { type: 'register', event: 'X' },
      /clientId: .*nothing/,
    ],
    ['a clientId in quotes', { ...right, clientId: '2' }, { event: 'CurrentTempDev' }, /clientId: .*"2"/],
    ['a fraction of a clientId', { ...right, clientId: 1.5 }, { clientId: 1.5 }, /whole number/],
    [
      'a type that is none',
      { ...right, type: 'subscribe' },
      { type: 'subscribe', clientId: 2 },
      /"subscribe"/,
    ],
    ['no type', { event: 'X' }, { type: 'error', event: 'X' }, /type: .*nothing/],
    ['no object', [right], { type: 'error' }, /object/],
    ['a name longer than any', { ...right, event: 'X'.repeat(101) }, { clientId: 2 }, /101 letters/],
    ['a name of many brackets', nested, { clientId: 2 }, /event: .*an array/],
    ['no JSON', '{"type":', { type: 'error' }, /JSON/],
    ['options that are none', options(3), { clientId: 2 }, /options: /],
    ['an option that is none', options({ throtle: {} }), { clientId: 2 }, /throtle/],
    ['an interval below 0', options({ throttle: { minOutputIntervalMs: -1 } }), { clientId: 2 }, /-1/],
    ['a queue without room', options({ queue: { maxSize: 0 } }), { clientId: 2 }, /maxSize/],
    ['a queue beyond bounds', options({ queue: { maxSize: 1001 } }), { clientId: 2 }, /1\.\.1000/],
    ['another priority', options({ queue: { priority: 'high' } }), { clientId: 2 }, /HIGH, MID, LOW/],
    ['another rule', options({ queue: { discardIfFull: 'ALL' } }), { clientId: 2 }, /OLDEST, NEWEST/],
  ])('%s', async (_, message, echo, error) => {
    const { client, heat } = await started();
    await client.register('CurrentTempDev');
    client.say(message);
    expect(await client.next()).toMatchObject({ ...echo, status: 1, error: expect.stringMatching(error) });
    heat(40);
    expect(await client.all()).toEqual([temperature('event', 40)]);
  });

  test('the 257th registration of a connection', async () => {
    const { client } = await started();
    for (let clientId = 1; clientId <= 256; clientId++) {
      expect(await client.register('DeviceStatus', clientId)).toMatchObject({ status: 0 });
    }
    expect(await client.register('DeviceStatus', 257)).toMatchObject({ status: 1 });
    // A registration that replaces another one does not count again.
    expect(await client.register('DeviceStatus', 256)).toMatchObject({ status: 0 });
  });
});

test.each([true, false])(
  'the longest message gets a short answer, compressed: %s',
  async (perMessageDeflate) => {
    const { scanner } = await started();
    const client = await EventClient.open(scanner.httpPort, '/apievents', { perMessageDeflate });
    const message = (event: string) => ({ type: 'register', event, clientId: 9_000_000_000_000_000 });
    const room = 65_536 - JSON.stringify(message('')).length;
    client.say(message('X'.repeat(room)));
    const reply = await client.next();
    expect(reply).toMatchObject({ type: 'register', clientId: 9_000_000_000_000_000, status: 1 });
    expect(JSON.stringify(reply).length).toBeLessThan(200);
    expect(await client.register('DeviceStatus')).toMatchObject({ status: 0 });
  },
);

test('binary closes with 1003, more than 64 KiB with 1009', async () => {
  const { scanner, client } = await started();
  client.socket.send(Buffer.from('{}'));
  expect(await client.ending).toBe(1003);
  const other = await EventClient.open(scanner.httpPort);
  other.say(' '.repeat(65_536));
  expect(await other.next()).toMatchObject({ status: 1 });
  other.say(' '.repeat(65_537));
  expect(await other.ending).toBe(1009);
});

test('a throttled registration gets the latest value when its interval ends', async () => {
  const { scanner, client, heat } = await started();
  await client.register('CurrentTempDev', 1, { throttle: { minOutputIntervalMs: 5000 } });
  heat(30);
  heat(31);
  scanner.clock.advance(4999);
  expect(await client.all()).toEqual([]);
  scanner.clock.advance(1);
  expect(await client.all()).toEqual([temperature('event', 31)]);
  scanner.clock.advance(5000);
  heat(32);
  expect(await client.all()).toEqual([temperature('event', 32)]);
});

test('a value that has changed back when the interval ends is not sent again', async () => {
  const { scanner, client, heat } = await started();
  await client.register('CurrentTempDev', 1, { throttle: { minOutputIntervalMs: 5000 } });
  for (const celsius of [21, 22, 20]) heat(celsius);
  scanner.clock.advance(5000);
  expect(await client.all()).toEqual([]);
  // No output was made, so that none has to be waited for.
  heat(21);
  expect(await client.all()).toEqual([temperature('event', 21)]);
  // Values that were held before are not sent either.
  for (const celsius of [22, 21, 23]) heat(celsius);
  scanner.clock.advance(5000);
  expect(await client.all()).toEqual([temperature('event', 23)]);
});

test('a value that cannot be read is refused with a reason, and logged', async () => {
  const { scanner, client } = await started();
  const { device } = scanner.service;
  const spy = vi.spyOn(device, 'read').mockImplementation(() => {
    throw new Error('out of order');
  });
  expect(await client.register('DeviceStatus')).toMatchObject({
    status: 1,
    error: expect.stringContaining('log'),
  });
  spy.mockRestore();
  expect(await client.register('DeviceStatus')).toMatchObject({ data: { DeviceStatus: 3 } });
});

test('IMU values are sent 100 times a second while a client is registered', async () => {
  const { scanner, client } = await started();
  await client.register('InertialMeasurementUnit', 1, { queue: { maxSize: 1000 } });
  scanner.clock.advance(1000);
  expect(await client.all()).toHaveLength(100);
  client.say({ type: 'deregister', event: 'InertialMeasurementUnit', clientId: 1 });
  await client.all();
  const watched = vi.spyOn(scanner.service.device.announcements, 'changed');
  scanner.clock.advance(1000);
  const told = watched.mock.calls.flatMap(([variables]) => variables).map(({ name }) => name);
  expect(told).not.toContain('InertialMeasurementUnit');
});

test('the variant basic has the events whose variables it has', async () => {
  const { client } = await started({ variant: 'basic' });
  expect(await client.register('ContaminationData')).toMatchObject({ status: 1 });
  expect(await client.register(status.members.DeviceStatus.name)).toMatchObject({ status: 0 });
});
