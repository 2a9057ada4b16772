import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { VirtualClock } from '@azimuth/device';
import { WireFaults } from '@azimuth/simulation/faults';
import { encodeCompactScan, TelegramSplitter } from '@azimuth/telegrams';
import { freeUdpPort } from '@azimuth/test-support/free-port';
import { framesOf } from '@azimuth/test-support/scan-telegrams';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { destinationIn } from '../../src/streams/destination.js';
import { udpIncoming } from '../../src/streams/incoming.js';
import { openOutgoing } from '../../src/streams/open-outgoing.js';
import { StreamRelay } from '../../src/streams/stream-relay.js';
import { Timeline } from '../../src/timeline/timeline.js';
import type { TimelineEntry } from '../../src/timeline/timeline-entry.js';

const host = '127.0.0.1';

async function udpSocket(): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.bind(0, host);
  await once(socket, 'listening');
  onTestFinished(() => new Promise<void>((resolve) => void socket.close(resolve)));
  return socket;
}

/** A program that receives over UDP. */
async function program() {
  const socket = await udpSocket();
  const came: Buffer[] = [];
  socket.on('message', (datagram) => came.push(datagram));
  return { url: `udp://${host}:${socket.address().port}`, came };
}

async function startRelay(urls: readonly string[], faults?: WireFaults) {
  const timeline = new Timeline();
  const entries: TimelineEntry[] = [];
  timeline.follow((entry) => entries.push(entry));
  const outgoing = await openOutgoing(urls.map(destinationIn));
  const failed = (error: unknown) => expect.unreachable(String(error));
  const relay = new StreamRelay({ timeline, outgoing, faults, failed });
  const { arrived } = relay;
  const incoming = await udpIncoming({ port: 0, host, arrived, failed });
  onTestFinished(async () => {
    incoming.close();
    relay.close();
    await Promise.all(outgoing.map((one) => one.close()));
  });
  const scanner = await udpSocket();
  const send = (bytes: Uint8Array) => scanner.send(bytes, incoming.address.port, host);
  const of = (kind: TimelineEntry['kind']) => entries.filter((entry) => entry.kind === kind);
  return { relay, outgoing, send, of };
}

/** Telegrams of scanner 1000, or of another one. */
function telegrams(count: number, serial?: number): Uint8Array[] {
  return Array.from({ length: count }, (_, index) => scan(index + 1, serial));
}

function scan(number: number, sender?: number): Uint8Array {
  const [telegram] = framesOf([number], 1, number);
  if (telegram === undefined) throw new Error('a frame has a telegram');
  if (sender === undefined) return encodeCompactScan(telegram);
  return encodeCompactScan({ ...telegram, modules: telegram.modules.map((one) => ({ ...one, sender })) });
}

test('passes everything on, unchanged, over UDP, multicast, TCP and a WebSocket', async () => {
  const receiver = await program();
  const group = createSocket({ type: 'udp4', reuseAddr: true });
  onTestFinished(() => void group.close());
  group.bind(0);
  await once(group, 'listening');
  group.addMembership('239.255.77.1', host);
  const grouped: Buffer[] = [];
  group.on('message', (datagram) => grouped.push(datagram));
  const { send, outgoing, of } = await startRelay([
    receiver.url,
    `udp://239.255.77.1:${group.address().port}`,
    `tcp-listen://${host}:0`,
    `ws-listen://${host}:0`,
  ]);
  const urls = outgoing.map(({ url }) => url);
  const tcp = connect(Number(new URL(urls[2] ?? '').port), host);
  onTestFinished(() => void tcp.destroy());
  const splitter = new TelegramSplitter();
  const split: Uint8Array[] = [];
  tcp.on('data', (chunk) => split.push(...splitter.push(chunk)));
  const socket = new WebSocket((urls[3] ?? '').replace('ws-listen', 'ws'));
  onTestFinished(() => socket.terminate());
  const messages: Buffer[] = [];
  socket.on('message', (data) => Buffer.isBuffer(data) && messages.push(data));
  await vi.waitFor(() =>
    expect(outgoing.map(({ clients }) => clients)).toEqual([undefined, undefined, 1, 1]),
  );
  const sent = [...telegrams(3), Buffer.from('no telegram')];
  for (const bytes of sent) send(bytes);
  const hex = (all: readonly Uint8Array[]) => all.map((bytes) => Buffer.from(bytes).toString('hex')).sort();
  await vi.waitFor(() => expect(messages).toHaveLength(4));
  await vi.waitFor(() => expect([receiver.came, grouped].map(hex)).toEqual([hex(sent), hex(sent)]));
  expect(hex(messages)).toEqual(hex(sent));
  expect(hex(split)).toEqual(hex(sent.slice(0, 3)));
  await vi.waitFor(() => expect(of('finding')).toHaveLength(1));
  expect(of('finding')[0]).toMatchObject({ expected: 'start marker 02020202', where: 'byte 0' });
  expect(of('telegram')).toHaveLength(4);
});

test('sends a datagram in the turn in which it comes, and looks at it afterwards', async () => {
  const { relay, outgoing, of } = await startRelay([`tcp-listen://${host}:0`]);
  const order: string[] = [];
  const [first] = outgoing;
  if (first === undefined) throw new Error('no destination');
  vi.spyOn(first, 'send').mockImplementation(() => void order.push(`sent, ${of('telegram').length} seen`));
  for (const bytes of telegrams(2)) relay.arrived(bytes, '10.0.0.1:2115', '10.0.0.2:2115');
  expect(order).toEqual(['sent, 0 seen', 'sent, 0 seen']);
  await vi.waitFor(() => expect(of('telegram')).toHaveLength(2));
});

test('does not pass its own telegrams on again if a destination is the port at which it receives', async () => {
  const timeline = new Timeline();
  const entries: TimelineEntry[] = [];
  timeline.follow((entry) => entries.push(entry));
  const failed = (error: unknown) => expect.unreachable(String(error));
  const arrived: StreamRelay['arrived'][] = [];
  const incoming = await udpIncoming({
    ...{ port: 0, host, failed },
    arrived: (...came) => arrived[0]?.(...came),
  });
  const outgoing = await openOutgoing([destinationIn(`udp://${host}:${incoming.address.port}`)]);
  const relay = new StreamRelay({ timeline, outgoing, failed });
  arrived.push(relay.arrived);
  onTestFinished(async () => {
    incoming.close();
    relay.close();
    await Promise.all(outgoing.map((one) => one.close()));
  });
  const scanner = await udpSocket();
  for (const bytes of telegrams(2)) scanner.send(bytes, incoming.address.port, host);
  const findings = () => entries.filter(({ kind }) => kind === 'finding');
  await vi.waitFor(() => expect(findings()).toHaveLength(2));
  expect(findings()[0]).toMatchObject({ came: 'its own telegram: a destination is this port' });
  expect(relay.figures.telegrams).toBe(2);
});

test('counts refusals, and goes on when the program is there', async () => {
  const port = await freeUdpPort();
  const { send, outgoing } = await startRelay([`udp://${host}:${port}`]);
  const [to] = outgoing;
  await vi.waitFor(() => {
    send(scan(1));
    expect(to?.tally.lost.refused).toBeGreaterThan(0);
  });
  const receiver = createSocket('udp4');
  onTestFinished(() => void receiver.close());
  receiver.bind(port, host);
  await once(receiver, 'listening');
  const came: Buffer[] = [];
  receiver.on('message', (datagram) => came.push(datagram));
  const lost = { ...to?.tally.lost };
  for (const bytes of telegrams(20)) send(bytes);
  await vi.waitFor(() => expect(came.length).toBeGreaterThanOrEqual(20));
  // At most the refusal of the last datagram to the closed port is told late.
  expect((to?.tally.lost.refused ?? 0) - (lost.refused ?? 0)).toBeLessThanOrEqual(1);
});

test.each(['tcp-listen', 'ws-listen'])(
  'a client of %s that does not read loses telegrams; the others do not',
  async (scheme) => {
    const receiver = await program();
    const { relay, outgoing } = await startRelay([receiver.url, `${scheme}://${host}:0`]);
    const [udp, listener] = outgoing;
    const port = Number(new URL(listener?.url ?? '').port);
    const slow = connect(port, host);
    onTestFinished(() => void slow.destroy());
    slow.pause();
    slow.write(
      `GET / HTTP/1.1\r\nHost: ${host}:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\n\r\n`,
    );
    await vi.waitFor(() => expect(listener?.clients).toBe(1));
    const large = Buffer.alloc(60_000, 2);
    // The system takes some megabytes, the queue one.
    for (let sent = 0; sent < 400; sent++) relay.arrived(large, '10.0.0.1:2115', '10.0.0.2:2115');
    expect(listener?.tally.lost.slow).toBeGreaterThan(100);
    expect((listener?.tally.sent ?? 0) + (listener?.tally.lost.slow ?? 0)).toBeLessThanOrEqual(400);
    slow.destroy();
    await vi.waitFor(() => expect(listener?.clients).toBe(0));
    expect(listener?.tally.lost.closed).toBeGreaterThan(0);
    await vi.waitFor(() => expect((udp?.tally.sent ?? 0) + (udp?.tally.lost.congested ?? 0)).toBe(400));
  },
);

test('refuses pages of other sites at a WebSocket, and names of others', async () => {
  const { outgoing } = await startRelay([`ws-listen://${host}:0`]);
  const url = (outgoing[0]?.url ?? '').replace('ws-listen', 'ws');
  const statusFor = async (headers: Record<string, string>) => {
    const socket = new WebSocket(url, { headers });
    const [outcome] = await Promise.race([
      once(socket, 'unexpected-response').then(([, { statusCode }]) => [statusCode]),
      once(socket, 'open').then(() => ['open']),
    ]);
    socket.on('error', () => undefined).terminate();
    return outcome;
  };
  expect(await statusFor({ origin: 'https://evil.example' })).toBe(403);
  expect(await statusFor({ host: 'evil.example' })).toBe(403);
  expect(await statusFor({ origin: 'http://localhost:3000' })).toBe('open');
  expect(await statusFor({})).toBe('open');
});

test('passes on another scanner, too, and names it once', async () => {
  const receiver = await program();
  const { relay, send, of } = await startRelay([receiver.url]);
  relay.expect('1000');
  for (const bytes of [scan(1, 1000), scan(1, 2000), scan(2, 2000)]) send(bytes);
  await vi.waitFor(() => expect(of('telegram')).toHaveLength(3));
  await vi.waitFor(() => expect(receiver.came).toHaveLength(3));
  expect(of('finding')).toMatchObject([{ where: 'sender', expected: 'the scanner with serial number 1000' }]);
});

test('puts planned faults on what passes, and records what came', async () => {
  const plan = {
    faults: [
      { kind: 'stream-loss', every: 2 },
      { kind: 'stream-crc', first: 1 },
    ],
  } as const;
  const receiver = await program();
  const { relay, send, of } = await startRelay(
    [receiver.url],
    new WireFaults(plan, { clock: new VirtualClock() }),
  );
  const sent = telegrams(4);
  for (const bytes of sent) send(bytes);
  await vi.waitFor(() => expect(receiver.came).toHaveLength(2));
  await vi.waitFor(() => expect(of('telegram')).toHaveLength(4));
  expect(of('fault').map((entry) => entry.kind === 'fault' && entry.fault)).toEqual([
    'stream-crc',
    'stream-loss',
    'stream-loss',
  ]);
  expect(receiver.came.map((bytes) => bytes.equals(sent[0] ?? bytes))).toEqual([false, false]);
  expect(receiver.came[1]?.equals(Buffer.from(sent[2] ?? []))).toBe(true);
  expect(relay.figures.losses.damaged).toBe(0);
});

test('says which telegrams are missing, came twice, or began again', async () => {
  const { relay, of } = await startRelay([]);
  for (const number of [70, 73, 73, 1]) relay.arrived(scan(number), '10.0.0.1:2115', '10.0.0.2:2115');
  await vi.waitFor(() => expect(of('finding')).toHaveLength(3));
  expect(of('finding').map((entry) => entry.kind === 'finding' && entry.came)).toEqual([
    '73, 2 telegrams missing in front of it',
    '73, which came before',
    '1, because the scanner has started again',
  ]);
});
