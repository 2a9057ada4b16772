import { SharedConnectionLimit, SharedLimit, type SharedLimits } from '@azimuth/http';
import { RawConnection } from '@azimuth/test-support/raw-connection';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';
import { EventMetrics } from '../../src/events/event-metrics.js';
import type { QueueRules } from '../../src/events/send-queue.js';
import { type Sender, SendQueue, ValueQueue } from '../../src/events/send-queue.js';
import { LegacyWire } from '../legacy/legacy-wire.js';

function limits(of: Partial<SharedLimits>): SharedLimits {
  const plenty = () => new SharedLimit(1e9);
  return {
    connections: new SharedConnectionLimit(1e9),
    bodyBytes: plenty(),
    unsentResponseBytes: plenty(),
    waitingEvents: plenty(),
    ...of,
  };
}

const nothingPlanned = { faults: { seed: 0, faults: [] } };

function started(shared: SharedLimits): Promise<TestScanner> {
  return TestScanner.start({ web: { shared }, ...nothingPlanned });
}

test('unfinished bodies of one scanner leave no room for those of another one, until they are gone', async () => {
  const bodyBytes = new SharedLimit(200_000);
  const shared = limits({ bodyBytes });
  const [one, other] = [await started(shared), await started(shared)];
  const connection = await RawConnection.open(one.httpPort);
  connection.request('POST /x/fields', ['Content-Length: 90000']);
  connection.write('x'.repeat(80_000));
  await until(() => bodyBytes.held > 80_000);
  const client = other.client();
  const send = async () => {
    // The body comes in several pieces.
    const body = `{"data":"${'x'.repeat(90_000)}"}`;
    const reply = await client.send({ method: 'POST', path: '/x/fields', body });
    return reply.headers['azimuth-detail'];
  };
  expect(await send()).toBe('too many large bodies at the same time; try again');
  connection.destroy();
  await until(() => bodyBytes.held === 0);
  expect(await send()).not.toBe('too many large bodies at the same time; try again');
  expect(bodyBytes.held).toBe(0);
});

test('connections of one scanner leave no room for those of another one, until they are closed', async () => {
  const connections = new SharedConnectionLimit(4);
  const shared = limits({ connections });
  const [one, other] = [await started(shared), await started(shared)];
  const legacy = one.service.ports.legacyA ?? 0;
  const ports = [one.httpPort, one.httpPort, legacy, other.httpPort];
  const open = await Promise.all(ports.map((port) => RawConnection.open(port)));
  await until(() => connections.held === 4);
  await (await RawConnection.open(other.httpPort)).closed;
  await (await RawConnection.open(legacy)).closed;
  expect(open.map(({ isClosed }) => isClosed)).toEqual([false, false, false, false]);
  open[0]?.destroy();
  await until(() => connections.held === 3);
  const next = await RawConnection.open(other.httpPort);
  next.request('GET /api/SerialNumber');
  expect((await next.response()).statusLine).toContain('200');
});

test('replies that wait for one client count, until it has read them or is gone', async () => {
  const unsentReplyBytes = new SharedLimit(1_000_000);
  const scanner = await started(limits({ unsentResponseBytes: unsentReplyBytes }));
  const connection = await RawConnection.open(scanner.httpPort);
  connection.socket.pause();
  // The first one is larger than the buffers of the system for a client that reads nothing.
  for (let count = 0; count < 30; count++) connection.request('GET /openapi.json');
  await expect.poll(() => unsentReplyBytes.held).toBeGreaterThan(0);
  connection.destroy();
  await expect.poll(() => unsentReplyBytes.held).toBe(0);
});

class Deaf implements Sender {
  readonly isFull = true;
  isCut = false;
  onDrain(): void {}
  send(): void {}
  pause(): void {}
  resume(): void {}
  cut(): void {
    this.isCut = true;
  }
}

test('events that wait for clients of one scanner leave no room for those of another one', () => {
  const waiting = new SharedLimit(100);
  const rules: QueueRules = { priority: 'MID', maxSize: 10, discardIfFull: 'OLDEST' };
  const queueOf = () => {
    const counts = new EventMetrics(waiting).events;
    const client = new Deaf();
    return { counts, client, queue: new SendQueue(client, counts), values: new ValueQueue(rules, '') };
  };
  const [one, other] = [queueOf(), queueOf()];
  one.queue.send('x'.repeat(90), one.values);
  other.queue.send('x'.repeat(20), other.values);
  expect([one.counts.discarded, other.counts.discarded, waiting.held]).toEqual([0, 1, 90]);
  other.queue.respond('x'.repeat(20));
  expect(other.client.isCut).toBe(true);
  other.queue.end();
  one.queue.end();
  expect(waiting.held).toBe(0);
});

test('connections of one address at all scanners leave room for those of others', async () => {
  const connections = new SharedConnectionLimit(4);
  const shared = limits({ connections });
  const [one, other] = [await started(shared), await started(shared)];
  const hogs = await Promise.all(
    Array.from({ length: 4 }, () => LegacyWire.open(one.portA, '127.0.0.1', '127.0.0.2')),
  );
  await until(() => connections.held === 4);
  const newcomer = await LegacyWire.open(other.portA);
  expect(await newcomer.ask('sRN SCdevicestate')).toBe('sRA SCdevicestate 1');
  await until(() => hogs.some(({ isClosed }) => isClosed));
  expect(hogs.filter(({ isClosed }) => isClosed)).toHaveLength(1);
  await until(() => connections.held === 4);
});
