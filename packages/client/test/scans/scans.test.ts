import { encodeCompactScan, encodeMsgpackScan, type ScanTelegram } from '@azimuth/telegrams';
import type { FakeConnection } from '@azimuth/test-support/fake-events';
import { httpResponse } from '@azimuth/test-support/fake-events';
import { expect, test } from 'vitest';
import { AnswerError, type EventsState, NoScansError } from '../../src/index.js';
import { begin, start } from '../events/scanner-with-events.js';

/** Segment `index` of two of a frame, with a beam. */
function segment(frame: number, index: number, sequence: number): ScanTelegram {
  const module = {
    segmentIndex: index,
    frameNumber: frame,
    sender: 7,
    rows: 1,
    columns: 1,
    echoes: 1,
    firstBeamTime: [sequence * 1000],
    lastBeamTime: [sequence * 1000],
    elevation: [0],
    firstAzimuth: [index],
    lastAzimuth: [index],
    scale: 1,
    availability: 1,
    distance: Float32Array.of(1000 * frame + index),
    azimuth: Float32Array.of(index),
    rssi: Uint16Array.of(5),
    properties: Uint8Array.of(1),
  };
  return { sequence, transmitTime: sequence * 1000, modules: [module] };
}

function encoded(telegram: ScanTelegram): Uint8Array {
  return encodeCompactScan(telegram, new Uint8Array(1024));
}

/** As `sendFrames` sends it. */
function encodedAt(sequence: number): Uint8Array {
  return Uint8Array.from(encoded(segment(sequence >> 1, sequence & 1, sequence)));
}

function sendFrames({ socket }: FakeConnection, first: number, last: number): void {
  for (let frame = first; frame <= last; frame++) {
    for (const index of [0, 1]) socket.send(encoded(segment(frame, index, 2 * frame + index)));
  }
}

/** Waits until the client has read everything that was sent. */
async function arrived({ socket }: FakeConnection): Promise<void> {
  socket.ping();
  await new Promise((resolve) => socket.once('pong', resolve));
}

test('segments are put together to frames with their signal strengths and properties', async () => {
  const { device, scanner } = await start();
  const iterator = begin(scanner.scans());
  const first = iterator.next();
  const connection = await device.connections.next();
  sendFrames(connection, 1, 2);
  expect((await first).value).toMatchObject({
    number: 1,
    complete: true,
    beams: 2,
    distance: Float32Array.of(1000, 1001),
    rssi: Uint16Array.of(5, 5),
    properties: Uint8Array.of(1, 1),
  });
  // A frame does not wait for the next one if its last segment is known.
  expect((await iterator.next()).value).toMatchObject({ number: 2, complete: true });
  expect(device.attempts).toEqual(['/x/scan']);
  await iterator.return?.();
  expect(await connection.closed).toBe(1000);
});

test('a slow reader gets the newest frames, and learns how many were dropped', async () => {
  const { device, scanner } = await start();
  const scans = scanner.scans();
  const iterator = begin(scans);
  const first = iterator.next();
  const connection = await device.connections.next();
  sendFrames(connection, 1, 2);
  await first;
  sendFrames(connection, 3, 9);
  await arrived(connection);
  expect(scans.dropped).toBe(6);
  expect((await iterator.next()).value?.number).toBe(8);
  expect((await iterator.next()).value?.number).toBe(9);
  await iterator.return?.();
  expect(() => scanner.scans({ buffer: 0 })).toThrow(RangeError);
});

test('telegrams are handed over as they came, and those that never came are counted over all connections', async () => {
  const { device, clock, scanner } = await start();
  const handed: Uint8Array[] = [];
  const scans = scanner.scans({ onTelegram: (bytes) => handed.push(Uint8Array.from(bytes)) });
  const iterator = begin(scans);
  const first = iterator.next();
  const connection = await device.connections.next();
  sendFrames(connection, 1, 2);
  await first;
  await arrived(connection);
  expect(handed).toEqual([2, 3, 4, 5].map((sequence) => encodedAt(sequence)));
  sendFrames(connection, 4, 4);
  await arrived(connection);
  expect(scans.losses).toMatchObject({ telegrams: 2, frames: 1 });
  connection.socket.close(1001);
  await clock.somebodyWaits(500);
  clock.pass(500);
  const next = await device.connections.next();
  sendFrames(next, 90, 90);
  sendFrames(next, 92, 92);
  await arrived(next);
  expect(scans.losses).toMatchObject({ telegrams: 4, frames: 2 });
  await iterator.return?.();
});

test('after a reconnection, frames begin anew', async () => {
  const { device, clock, scanner } = await start();
  const states: EventsState[] = [];
  const iterator = begin(scanner.scans({ onState: (state) => states.push(state) }));
  const first = iterator.next();
  const connection = await device.connections.next();
  sendFrames(connection, 7, 8);
  connection.socket.send(encoded(segment(9, 0, 18)));
  expect((await first).value?.number).toBe(7);
  expect((await iterator.next()).value?.number).toBe(8);
  connection.socket.close(1001);
  await clock.somebodyWaits(500);
  clock.pass(500);
  sendFrames(await device.connections.next(), 1, 2);
  expect((await iterator.next()).value).toMatchObject({ number: 1, complete: true });
  expect(states).toEqual(['connected', 'lost', 'reconnected']);
  await iterator.return?.();
});

test('a scanner without live scans is a NoScansError', async () => {
  const { device, scanner } = await start();
  device.refusals.push(httpResponse(404));
  await expect(begin(scanner.scans()).next()).rejects.toEqual(new NoScansError(device.url, 'HTTP 404'));
});

const telegram = encoded(segment(1, 0, 1));

test.each([
  ['text', 'telegram'],
  ['no telegram', Buffer.of(1, 2, 3)],
  ['a wrong CRC', Buffer.concat([telegram.subarray(0, -1), Buffer.of(0)])],
  ['a telegram in MSGPACK', encodeMsgpackScan(segment(1, 0, 1), new Uint8Array(4096))],
])('a message with %s is an error of the answer', async (_, message) => {
  const { device, scanner } = await start();
  const waiting = begin(scanner.scans()).next();
  (await device.connections.next()).socket.send(message);
  await expect(waiting).rejects.toThrow(AnswerError);
});
