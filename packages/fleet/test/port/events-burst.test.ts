import { connect, type Socket } from 'node:net';
import { type SomeFleet, scannerFacts, someFleet } from '@azimuth/test-support/some-fleet';
import { until } from '@azimuth/test-support/waiting';
import { expect, onTestFinished, test } from 'vitest';
import type { FleetEvents } from '../../src/events/fleet-events.js';
import { gatewayTo, worker } from '../gateway/gateway-and-workers.js';

const burst = 100_000;

/** Counts the events that come over a connection, and the events that were lost. */
function counted(socket: Socket): { saved: number; failed: number; lost: number; isOver: boolean } {
  const count = { saved: 0, failed: 0, lost: 0, isOver: false };
  let rest = '';
  socket.on('data', (piece: Buffer) => {
    const lines = (rest + piece.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.includes('"event":"saved"')) count.saved++;
      if (line.includes('"event":"failed"')) count.failed++;
      count.lost += Number(/"event":"lost","events":(\d+)/.exec(line)?.[1] ?? 0);
      count.isOver ||= line.includes('"event":"up"');
    }
  });
  return count;
}

async function follower(url: string, events: FleetEvents, followers = 1) {
  const client = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void client.destroy());
  client.write('GET /fleet/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
  await until(() => events.followers === followers);
  return client;
}

function scannerOf({ fleet }: Pick<SomeFleet, 'fleet'>) {
  const [scanner] = fleet.scanners.values();
  if (scanner === undefined) throw new Error('there is one');
  return scanner;
}

test('followers get every event of a burst of 100,000 in one tick', async () => {
  const some = await someFleet(scannerFacts(1));
  const { events } = some.fleet;
  const counts = [counted(await follower(some.url, events, 1)), counted(await follower(some.url, events, 2))];
  for (let count = 0; count < burst; count++) events.publish(scannerOf(some), { event: 'saved' });
  events.publish(scannerOf(some), { event: 'up' });
  await until(() => counts.every(({ isOver }) => isOver));
  expect(counts).toEqual(counts.map(() => ({ saved: burst, failed: 0, lost: 0, isOver: true })));
});

test('and so do those who follow through a gateway', async () => {
  const one = await worker(scannerFacts(1));
  const { url } = await gatewayTo([one], 1);
  const count = counted(await follower(url, one.fleet.events));
  for (let number = 0; number < burst; number++) one.fleet.events.publish(scannerOf(one), { event: 'saved' });
  one.fleet.events.publish(scannerOf(one), { event: 'up' });
  await until(() => count.isOver);
  expect(count).toEqual({ saved: burst, failed: 0, lost: 0, isOver: true });
});

test('of more than 32 MiB, a follower who does not read loses the oldest, and others lose none', async () => {
  const some = await someFleet(scannerFacts(1));
  const { events } = some.fleet;
  const slow = (await follower(some.url, events, 1)).pause();
  const reading = counted(await follower(some.url, events, 2));
  const told = { event: 'failed', reason: 'x'.repeat(100_000) } as const;
  for (let count = 0; count < 600; count++) {
    events.publish(scannerOf(some), told);
    // As fast as the fast reader.
    if (count % 100 === 99) await until(() => reading.failed === count + 1);
  }
  events.publish(scannerOf(some), { event: 'up' });
  await until(() => reading.isOver);
  expect(reading.lost).toBe(0);
  const late = counted(slow);
  slow.resume();
  await until(() => late.isOver);
  expect(late.failed + late.lost).toBe(600);
  expect(late.lost).toBeGreaterThan(200);
  expect(late.lost).toBeLessThan(300);
});
