import { basicSettings, measurementDataOutput, ScanDataFormat } from '@azimuth/model';
import { decodeTelegram, type ScanTelegram } from '@azimuth/telegrams';
import { acceptedSockets } from '@azimuth/test-support/accepted-sockets';
import { expectStatus } from '@azimuth/test-support/envelope';
import { FlatCore } from '@azimuth/test-support/flat-core';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';
import { WebSocketClient } from '@azimuth/test-support/web-socket';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ScanTelegrams } from '../../src/streams/telegram-encoders.js';

const path = '/x/scan';

/** The telegrams that have come, each of which is Compact. */
function telegramsOf({ received }: WebSocketClient): ScanTelegram[] {
  return received.map(({ kind, data }) => {
    const decoded = decodeTelegram(data);
    if (kind !== 'binary' || decoded.kind !== 'scan' || decoded.format !== 'Compact') {
      throw new Error(`${kind}, ${decoded.kind}`);
    }
    return decoded.telegram;
  });
}

/** Frame numbers with the segments that have come of each, in the order of their arrival. */
function framesOf(client: WebSocketClient): Map<number, number[]> {
  const frames = new Map<number, number[]>();
  for (const { modules } of telegramsOf(client)) {
    for (const { frameNumber, segmentIndex } of modules) {
      frames.set(frameNumber, [...(frames.get(frameNumber) ?? []), segmentIndex]);
    }
  }
  return frames;
}

async function start() {
  const core = new FlatCore();
  const scanner = await TestScanner.start({ core });
  const watch = () => WebSocketClient.open(scanner.httpPort, { path });
  return { core, scanner, http: scanner.client(), watch };
}

async function count(scanner: TestScanner, metric: string): Promise<number> {
  const { text } = await scanner.client().send({ method: 'GET', path: '/metrics' });
  const line = text.split('\n').find((one) => one.startsWith(`${metric} `));
  return Number(line?.slice(metric.length + 1));
}

test('each message is one segment as a Compact telegram, in whole frames and without gaps', async () => {
  const { scanner, watch } = await start();
  const client = await watch();
  await scanner.pass(1000);
  await client.pingPong();
  const telegrams = telegramsOf(client);
  expect(telegrams.map(({ sequence }) => sequence)).toEqual(
    telegrams.map((_, index) => (telegrams[0]?.sequence ?? 0) + index),
  );
  const frames = [...framesOf(client)];
  expect(frames.length).toBeGreaterThan(9);
  const numbers = frames.map(([number]) => number);
  expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
  const [, whole] = frames[1] ?? [];
  expect(whole).toEqual(whole?.map((_, index) => index));
  for (const [, segments] of frames.slice(0, -1)) expect(segments).toEqual(whole);
  const [module] = telegrams[0]?.modules ?? [];
  expect(module).toMatchObject({ sender: 12345678, frameNumber: numbers[0], segmentIndex: 0 });
  expect(module?.distance[0]).toBe(2000);
  expect(module?.rssi?.[0]).toBe(1028);
});

test('parameters of the data streams change nothing', async () => {
  const { scanner, http, watch } = await start();
  const { ScanDataEnable, compactTelegramType1Content } = measurementDataOutput.members;
  await http.write('ScanDataFormat', ScanDataFormat.MSGPACK);
  await http.write(ScanDataEnable.name, false);
  await http.write(compactTelegramType1Content.name, { includeRssi: false, includeProperties: false });
  const client = await watch();
  await scanner.pass(200);
  await client.pingPong();
  const telegrams = telegramsOf(client);
  expect(telegrams.length).toBeGreaterThan(9);
  for (const { modules } of telegrams) {
    for (const { rssi, properties, columns } of modules) {
      expect([rssi?.length, properties?.length]).toEqual([3 * columns, columns]);
    }
  }
});

test('without clients nothing is measured, and each segment is encoded once for all clients', async () => {
  const { core, scanner, watch } = await start();
  const encode = vi.spyOn(ScanTelegrams.prototype, 'encode');
  onTestFinished(() => encode.mockRestore());
  await scanner.pass(300);
  const before = core.computed;
  const clients = [await watch(), await watch(), await watch()];
  await scanner.pass(300);
  for (const client of clients) await client.pingPong();
  const [first, ...others] = clients.map(telegramsOf);
  expect(encode).toHaveBeenCalledTimes(first?.length ?? 0);
  for (const other of others) expect(other).toEqual(first);
  expect(core.computed).toBeGreaterThan(before);
  for (const client of clients) await client.close();
  await until(async () => (await count(scanner, 'azimuth_event_connections')) === 0);
  encode.mockClear();
  await scanner.pass(300);
  expect(encode).not.toHaveBeenCalled();
});

test('while measuring is off nothing comes, and then it continues on the same connection', async () => {
  const { scanner, http, watch } = await start();
  const client = await watch();
  await scanner.pass(200);
  expectStatus(await http.call(basicSettings.members.mStopMeasure.name), 0);
  await scanner.pass(200);
  await client.pingPong();
  const before = client.received.length;
  expect(before).toBeGreaterThan(0);
  await scanner.pass(2000);
  await client.pingPong();
  expect(client.received).toHaveLength(before);
  expectStatus(await http.call(basicSettings.members.mStartMeasure.name), 0);
  await scanner.pass(5000);
  await client.pingPong();
  expect(client.received.length).toBeGreaterThan(before);
});

test('a client that reads too slowly misses whole frames, and no other client does', async () => {
  const { scanner, watch } = await start();
  const accepted = acceptedSockets();
  const slow = await watch();
  const other = await watch();
  const [theirs] = accepted;
  slow.socket.pause();
  while (theirs?.writableNeedDrain !== true) await scanner.pass(500);
  // The frame that has begun is still sent.
  await scanner.pass(200);
  const waiting = theirs.writableLength;
  await scanner.pass(5000);
  expect(theirs.writableLength).toBe(waiting);
  expect(waiting).toBeLessThan(128 * 1024);
  slow.socket.resume();
  await until(() => !theirs.writableNeedDrain);
  await slow.pingPong();
  await scanner.pass(1000);
  for (const client of [slow, other]) await client.pingPong();
  const theOthers = framesOf(other);
  const arrived = [...framesOf(slow)].slice(0, -1);
  for (const [number, segments] of arrived) expect(segments, `${number}`).toEqual(theOthers.get(number));
  const missed = theOthers.size - arrived.length - 1;
  expect(missed).toBeGreaterThan(50);
  // The counter shows the number of dropped scans.
  const sequences = telegramsOf(slow).map(({ sequence }) => sequence);
  const skipped = sequences.filter(
    (sequence, index) => index > 0 && sequence !== (sequences[index - 1] ?? 0) + 1,
  );
  expect(skipped).toHaveLength(1);
  expect(await count(scanner, 'azimuth_live_scans_total{outcome="discarded"}')).toBe(missed);
});

test('a client that takes nothing for 60 s is disconnected', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const { scanner, watch } = await start();
  const accepted = acceptedSockets();
  const slow = await watch();
  const [theirs] = accepted;
  slow.socket.pause();
  while (theirs?.writableNeedDrain !== true) await scanner.pass(500);
  vi.advanceTimersByTime(60_000);
  expect(theirs.destroyed).toBe(true);
});

test('compression is not agreed on, messages of the client are dropped, and metrics count', async () => {
  const { scanner } = await start();
  const client = await WebSocketClient.open(scanner.httpPort, { path, extensions: 'permessage-deflate' });
  expect(client.extensions).toBeUndefined();
  client.send('{"type":"register"}');
  await client.pingPong();
  await scanner.pass(1000);
  await client.pingPong();
  expect(await count(scanner, 'azimuth_event_connections')).toBe(1);
  expect(await count(scanner, 'azimuth_page_requests_total{path="/x/scan",code="101"}')).toBe(1);
  expect(await count(scanner, 'azimuth_live_scans_total{outcome="sent"}')).toBe(framesOf(client).size);
});

test('a GET without a handshake says what is needed', async () => {
  const { http } = await start();
  const { httpStatus, headers } = await http.send({ method: 'GET', path });
  expect([httpStatus, headers.upgrade]).toEqual([426, 'websocket']);
});
