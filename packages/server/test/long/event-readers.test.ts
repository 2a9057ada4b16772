import { inputsAndOutputs } from '@azimuth/model';
import { acceptedSockets } from '@azimuth/test-support/accepted-sockets';
import { number, object } from '@azimuth/test-support/json';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';
import { expect, onTestFinished, test, vi } from 'vitest';
import { EventClient } from '../events/client.js';

/** Not compressed: otherwise it would take a minute until the buffers of the system are full. */
const plain = { perMessageDeflate: false };

function heater(testScanner: TestScanner) {
  const { device } = testScanner.service;
  const temperature = vi.spyOn(device.hardware, 'temperature');
  return (celsius: number) => {
    temperature.mockReturnValue(celsius);
    device.features.temperatureAlarm.temperatureChanged();
  };
}

/** Fills the buffers of the system for a connection, until the scanner has to wait. */
async function fill(isFull: () => boolean, change: (count: number) => void): Promise<number> {
  let changes = 0;
  while (!isFull()) {
    for (let count = 0; count < 200; count++) change(++changes);
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
  return changes;
}

const ids = Array.from({ length: 200 }, (_, index) => index + 1);

test('a client that does not read delays no other, and later gets its last values, highest priority first', async () => {
  const testScanner = await TestScanner.start();
  const accepted = acceptedSockets();
  const slow = await EventClient.open(testScanner.httpPort, '/apievents', plain);
  const [theirs] = accepted;
  for (const id of ids) {
    await slow.register('CurrentTempDev', id, {
      queue: { priority: id === 200 ? 'HIGH' : 'LOW', maxSize: 2 },
    });
  }
  const other = await EventClient.open(testScanner.httpPort);
  slow.connection?.pause();
  const limit = await fill(() => theirs?.writableNeedDrain ?? false, heater(testScanner));
  await other.register('CurrentTempDev');
  const heat = heater(testScanner);
  for (const celsius of [1, 2, 3].map((more) => limit + more)) {
    heat(celsius);
    expect((await other.next()).data).toEqual({ CurrentTempDev: celsius });
  }
  expect(theirs?.writableLength).toBeLessThan(64 * 1024);
  slow.connection?.resume();
  const late: unknown[][] = [];
  while (late.length < 400) {
    const { clientId, data } = await slow.next();
    const { CurrentTempDev } = object(data);
    if (number(CurrentTempDev) > limit) late.push([clientId, CurrentTempDev]);
  }
  expect(late.filter(([id]) => id === 7)).toEqual([
    [7, limit + 2],
    [7, limit + 3],
  ]);
  // The most urgent event comes before all others, even if another one waited first.
  expect(late[0]?.[0]).toBe(200);
  expect(await slow.all()).toEqual([]);
  const { text } = await testScanner.client().send({ method: 'GET', path: '/metrics' });
  expect(Number(/azimuth_event_values_total\{outcome="discarded"\} (\d+)/.exec(text)?.[1])).toBeGreaterThan(
    199,
  );
});

test('a client that takes nothing for 60 s is disconnected; one that takes something is not', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const testScanner = await TestScanner.start();
  const accepted = acceptedSockets();
  const slow = await EventClient.open(testScanner.httpPort, '/x/events', plain);
  const [theirs] = accepted;
  const change = () => testScanner.service.device.announcements.changed([inputsAndOutputs.members.PortState]);
  slow.connection?.pause();
  await fill(() => theirs?.writableNeedDrain ?? false, change);
  vi.advanceTimersByTime(59_999);
  slow.connection?.resume();
  await until(() => theirs?.writableNeedDrain === false);
  vi.advanceTimersByTime(1);
  expect(theirs?.destroyed).toBe(false);
  slow.connection?.pause();
  await fill(() => theirs?.writableNeedDrain ?? false, change);
  // The client does not respond to pings either. They alone would close it after 90 s.
  vi.advanceTimersByTime(60_000);
  expect(theirs?.destroyed).toBe(true);
});

test('/x/events states how many announcements were dropped, at their place', async () => {
  const testScanner = await TestScanner.start();
  const accepted = acceptedSockets();
  const slow = await EventClient.open(testScanner.httpPort, '/x/events?names=CurrentTempDev', plain);
  const [theirs] = accepted;
  slow.connection?.pause();
  const heat = heater(testScanner);
  const before = await fill(() => theirs?.writableNeedDrain ?? false, heat);
  for (let count = 1; count <= 3000; count++) heat(before + count);
  slow.connection?.resume();
  const sent: number[] = [];
  for (;;) {
    const { changed, lost } = await slow.next();
    if (changed !== undefined) sent.push(number(object(changed).CurrentTempDev));
    if (lost === undefined) continue;
    expect(sent.length + number(lost)).toBe(before + 3000);
    expect(number(lost)).toBeGreaterThan(1999);
    break;
  }
  expect(sent).toEqual(sent.toSorted((one, other) => one - other));
  heat(-1);
  expect(await slow.next()).toEqual({ changed: { CurrentTempDev: -1 } });
});

test('a client that answers no ping is disconnected at the third; one that answers stays', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const testScanner = await TestScanner.start();
  const gone = await EventClient.open(testScanner.httpPort, '/apievents', { autoPong: false });
  const there = await EventClient.open(testScanner.httpPort);
  for (let time = 0; time < 4; time++) {
    vi.advanceTimersByTime(30_000);
    if (gone.socket.readyState === gone.socket.OPEN) await there.all();
  }
  expect(await gone.ending).toBe(1006);
  expect(await there.register('DeviceStatus')).toMatchObject({ status: 0 });
});
