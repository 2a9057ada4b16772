import { VirtualClock } from '@azimuth/device';
import { expect, onTestFinished, test } from 'vitest';
import { LogBook } from '../../../device/test/log-book.js';
import { Sending } from '../../src/streams/sending.js';
import { StreamTally } from '../../src/streams/stream-tally.js';
import { UdpRoute } from '../../src/streams/udp-route.js';
import { UdpReceiver } from './receivers.js';
import { settled } from './scanner.js';

function routeTo(address: string, port: number, from?: string) {
  const clock = new VirtualClock();
  const log = new LogBook();
  const tally = new StreamTally();
  const sending = new Sending({ words: 'Scan data', destination: 'there', tally, clock, log });
  let changes = 0;
  const changed = () => {
    changes += 1;
  };
  const route = new UdpRoute({ address, port, from, multicastBy: undefined, sending, clock, changed });
  onTestFinished(() => route.close());
  function put(bytes: number): void {
    const room = route.room(bytes);
    if (room !== undefined) route.send(room.subarray(0, bytes));
  }
  return { clock, log, tally, route, put, changes: () => changes };
}

test('a destination that no way leads to is tried every second, and nobody is wanted meanwhile', async () => {
  // The system finds no way to what is no address.
  const { clock, log, tally, route, put, changes } = routeTo('300.0.0.1', 2115, '127.0.0.1');
  await settled();
  expect(route.isWanted).toBe(false);
  expect(changes()).toBe(1);
  expect(tally.losses.of('unreachable')).toBe(1);
  put(100);
  for (let second = 0; second < 4; second++) {
    clock.advance(1000);
    await settled();
  }
  expect(tally.losses.of('unreachable')).toBe(5);
  expect(tally.telegrams).toBe(0);
  expect(log.lines.map(({ message }) => message)).toEqual(['Scan data: telegrams do not get through']);
});

test('once it is closed, it tries no more', async () => {
  const { clock, tally, route } = routeTo('300.0.0.1', 2115);
  await settled();
  route.close();
  clock.advance(10_000);
  await settled();
  expect(tally.losses.of('unreachable')).toBe(1);
});

test('a telegram that is larger than a datagram may be is counted, and the next one goes out', async () => {
  const receiver = await UdpReceiver.open();
  const { tally, put } = routeTo('127.0.0.1', receiver.port);
  await settled();
  put(65_508);
  put(65_507);
  put(64);
  while (receiver.telegrams.length < 2) await settled(1);
  expect(receiver.telegrams.map(({ length }) => length)).toEqual([65_507, 64]);
  expect(tally.losses.of('too_large')).toBe(1);
  expect([tally.telegrams, tally.bytes]).toEqual([2, 65_571]);
});

test('memory is used again, and not more than 32 telegrams wait', async () => {
  const receiver = await UdpReceiver.open();
  const { route, put, tally } = routeTo('127.0.0.1', receiver.port);
  await settled();
  const rooms = new Set<Uint8Array>();
  for (let time = 0; time < 100; time++) {
    const room = route.room(1000);
    if (room === undefined) throw new Error('room expected');
    rooms.add(room);
    route.send(room.subarray(0, 1000));
    await settled(1);
  }
  expect(rooms.size).toBe(1);
  for (let time = 0; time < 40; time++) put(1000);
  expect(tally.losses.of('congested')).toBe(8);
  await settled();
  put(1000);
  expect(tally.losses.of('congested')).toBe(8);
});

test('what was asked for and not sent does not take the place of others', async () => {
  const receiver = await UdpReceiver.open();
  const { route, tally } = routeTo('127.0.0.1', receiver.port);
  await settled();
  for (let time = 0; time < 100; time++) expect(route.room(100)).toBeDefined();
  expect(tally.losses.of('congested')).toBe(0);
});
