import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server, type Socket as TcpSocket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { UnreachableError } from '@azimuth/client';
import {
  type Received,
  ReceiveError,
  type Receiver,
  type ReceiverOptions,
  receiveTcp,
  receiveUdp,
} from '@azimuth/client/receive';
import {
  encodeCompactScan,
  encodeEncoder,
  encodeImu,
  encodeMsgpackScan,
  senderIdOf,
} from '@azimuth/telegrams';
import { framesOf, telegramOf } from '@azimuth/test-support/scan-telegrams';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';

const host = '127.0.0.1';

/** The next telegrams of a receiver, without closing it. */
async function receive(receiver: Receiver, count: number): Promise<Received[]> {
  const iterator = receiver[Symbol.asyncIterator]();
  const received: Received[] = [];
  while (received.length < count) {
    const result = await iterator.next();
    if (result.done) break;
    received.push(result.value);
  }
  return received;
}

const sequences = (received: readonly Received[]) =>
  received.map(({ telegram }) => (telegram.kind === 'imu' ? telegram.kind : telegram.telegram.sequence));

const scan = (sequence: number) => encodeCompactScan(telegramOf({ sequence, frame: 1, segment: sequence }));

const imu = encodeImu({
  acceleration: [0, 0, 9.5],
  angularVelocity: [0, 0, 0.5],
  orientation: [1, 0, 0, 0],
  time: 5000,
});

const encoder = (sequence: number) =>
  encodeEncoder({
    sequence,
    transmitTime: 1_000_000 + sequence,
    sender: 24_000_001,
    frameNumber: 1,
    ticks: 100,
    references: [0, 0],
    speed: 1000,
    time: 40_000,
    referenceTimes: [0, 0],
  });

/** Waits until so many items have been counted, one turn of the event loop after the other. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await turn();
}

describe('over UDP', () => {
  let sender: Socket;
  beforeEach(async () => {
    sender = createSocket('udp4');
    sender.bind(0, host);
    await once(sender, 'listening');
  });
  afterEach(() => void sender.close());

  async function listening(options: ReceiverOptions = {}): Promise<Receiver> {
    const receiver = await receiveUdp({ port: 0, host, ...options });
    onTestFinished(() => receiver.close());
    return receiver;
  }

  function send(receiver: Receiver, ...datagrams: readonly Uint8Array[]): Promise<void> {
    return datagrams.reduce(
      (before, datagram) =>
        before.then(
          () =>
            new Promise((resolve, reject) => {
              sender.send(datagram, receiver.address.port, host, (error) =>
                error ? reject(error) : resolve(),
              );
            }),
        ),
      Promise.resolve(),
    );
  }

  it('telegrams of all kinds and formats come with their time and sender', async () => {
    const receiver = await listening();
    expect(receiver.address.host).toBe(host);
    expect(receiver.address.port).toBeGreaterThan(0);
    const before = Date.now() * 1000;
    const msgpack = encodeMsgpackScan(telegramOf({ sequence: 2, frame: 1, segment: 1 }));
    await send(receiver, scan(1), msgpack, imu, encoder(1));
    const received = await receive(receiver, 4);
    expect(received.map(({ telegram }) => telegram.kind)).toEqual(['scan', 'scan', 'imu', 'encoder']);
    expect(received[0]?.telegram).toMatchObject({ format: 'Compact', telegram: { sequence: 1 } });
    expect(received[1]?.telegram).toMatchObject({ format: 'MSGPACK', telegram: { sequence: 2 } });
    expect(received[2]?.telegram.telegram).toMatchObject({ acceleration: [0, 0, 9.5], time: 5000 });
    expect(received[0]?.from).toBe(`${host}:${sender.address().port}`);
    expect(Buffer.from(received[0]?.bytes ?? []).equals(Buffer.from(scan(1)))).toBe(true);
    expect(Math.abs((received[0]?.time ?? 0) - before)).toBeLessThan(60_000_000);
  });

  it('telegrams of another scanner are left out, and the other one is named once', async () => {
    const others: unknown[] = [];
    const receiver = await listening({
      serialNumber: '24000001',
      onOther: (...other) => others.push(other),
    });
    const foreign = (sequence: number) =>
      encodeCompactScan(telegramOf({ sequence, frame: 1, segment: 1, sender: 24_000_002 }));
    await send(receiver, scan(1), foreign(70), encoder(2), foreign(71), imu, scan(3));
    const received = await receive(receiver, 4);
    expect(received.map(({ telegram }) => telegram.kind)).toEqual(['scan', 'encoder', 'imu', 'scan']);
    expect(others).toEqual([[24_000_002, `${host}:${sender.address().port}`]]);
    // Telegrams of another scanner are no loss.
    expect(receiver.losses.telegrams).toBe(1);
  });

  it('motion from an address that only another scanner sends from is left out', async () => {
    const receiver = await listening({ serialNumber: '24000009' });
    await send(receiver, scan(1), imu);
    await send(
      receiver,
      encodeCompactScan(telegramOf({ sequence: 2, frame: 1, segment: 2, sender: 24_000_009 })),
      imu,
    );
    const received = await receive(receiver, 2);
    expect(received.map(({ telegram }) => telegram.kind)).toEqual(['scan', 'imu']);
    expect(sequences(received)).toEqual([2, 'imu']);
  });

  it('a serial number that is no number leaves nothing out until it was seen in a telegram', async () => {
    const receiver = await listening({ serialNumber: 'GATE3' });
    const own = encodeCompactScan(
      telegramOf({ sequence: 2, frame: 1, segment: 2, sender: senderIdOf('GATE3') }),
    );
    await send(receiver, scan(1), own, scan(3), own.slice());
    expect(sequences(await receive(receiver, 3))).toEqual([1, 2, 2]);
  });

  it('damaged telegrams are counted and skipped', async () => {
    const receiver = await listening();
    const wrong = scan(1);
    wrong[40] = (wrong[40] ?? 0) ^ 1;
    await send(receiver, wrong, Buffer.from('hello'), Buffer.alloc(0), scan(2).subarray(0, 50), scan(3));
    expect(sequences(await receive(receiver, 1))).toEqual([3]);
    expect(receiver.losses).toEqual({
      telegrams: 0,
      frames: 0,
      restarts: 0,
      outOfOrder: 0,
      damaged: 4,
      overrun: 0,
    });
  });

  it('losses of scan and encoder data are counted separately', async () => {
    const receiver = await listening();
    await send(receiver, scan(1), encoder(7), scan(3), encoder(9), scan(2));
    await receive(receiver, 5);
    expect(receiver.losses).toMatchObject({ telegrams: 1, outOfOrder: 1 });
  });

  it('frames are put together', async () => {
    const receiver = await listening();
    await send(receiver, ...framesOf([5, 6, 7], 2).map((telegram) => encodeCompactScan(telegram)));
    const numbers: (readonly [number, boolean])[] = [];
    for await (const { number, complete, beams } of receiver.frames()) {
      expect(beams).toBe(9);
      numbers.push([number, complete]);
      if (numbers.length === 3) break;
    }
    expect(numbers).toEqual([
      [5, true],
      [6, true],
      [7, true],
    ]);
  });

  it('a telegram that would make its frame too large is counted as damaged, and frames continue', async () => {
    const receiver = await listening();
    const [first] = telegramOf({ sequence: 1, frame: 4, segment: 0, columns: 1000 }).modules;
    const [second] = telegramOf({ sequence: 1, frame: 4, segment: 0, columns: 1, echoes: 1000 }).modules;
    if (first === undefined || second === undefined) throw new Error('there are two');
    const bloated = encodeCompactScan({ sequence: 1, transmitTime: 1_006_000, modules: [first, second] });
    const whole = framesOf([5, 6], 0, 2).map((telegram) => encodeCompactScan(telegram));
    await send(receiver, bloated, ...whole);
    for await (const { number, beams } of receiver.frames()) {
      expect([number, beams]).toEqual([5, 3]);
      break;
    }
    expect(receiver.losses).toMatchObject({ telegrams: 0, damaged: 1 });
  });

  it('a frame that has begun is not given when the reader closes', async () => {
    const receiver = await listening();
    await send(
      receiver,
      ...framesOf([5, 6], 2)
        .slice(0, 5)
        .map((telegram) => encodeCompactScan(telegram)),
    );
    const numbers: number[] = [];
    for await (const { number } of receiver.frames()) {
      numbers.push(number);
      receiver.close();
    }
    expect(numbers).toEqual([5]);
  });

  it('a slow reader loses the oldest telegrams and gets their number', async () => {
    const receiver = await listening({ queue: 3 });
    await send(receiver, ...[1, 2, 3, 4, 5].map(scan));
    await until(() => receiver.losses.overrun === 2);
    expect(sequences(await receive(receiver, 3))).toEqual([3, 4, 5]);
    expect(receiver.losses).toMatchObject({ telegrams: 0, overrun: 2 });
  });

  it('leaving the loop frees the port', async () => {
    const receiver = await listening();
    await send(receiver, scan(1));
    for await (const _ of receiver) break;
    const again = await receiveUdp({ port: receiver.address.port, host });
    expect(again.address.port).toBe(receiver.address.port);
    again.close();
  });

  it('closing and the signal end a loop that waits', async () => {
    const abort = new AbortController();
    const receivers = [await listening(), await listening({ signal: abort.signal })];
    const waiting = receivers.map((receiver) => receive(receiver, 1));
    receivers[0]?.close();
    abort.abort();
    expect(await Promise.all(waiting)).toEqual([[], []]);
    expect(await receive(await listening(), 0)).toEqual([]);
  });

  it('with an aborted signal, nothing begins', async () => {
    const signal = AbortSignal.abort();
    await expect(receiveUdp({ port: 0, host, signal })).rejects.toBe(signal.reason);
    await expect(receiveTcp({ port: 1, host, signal })).rejects.toBe(signal.reason);
  });

  it('a port in use is an error that says what to do', async () => {
    const { port } = (await listening()).address;
    const failure = await receiveUdp({ port, host }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ReceiveError);
    expect(failure).toMatchObject({
      code: 'EADDRINUSE',
      message: `UDP port ${port} at ${host} cannot be received from: another program uses this port, for example another azimuth, a driver or a tool of a vendor. End that program, or make the scanner send to another port and listen there (EADDRINUSE)`,
    });
  });

  it('an address that this computer does not have is an error, also an address that is not a multicast group', async () => {
    await expect(receiveUdp({ port: 0, host: '192.0.2.1' })).rejects.toThrow('has no such address');
    await expect(receiveUdp({ port: 0, multicast: '10.0.0.1' })).rejects.toThrow(
      'group 10.0.0.1, cannot be received from: this is not a multicast address (EINVAL)',
    );
  });
});

describe('multicast', () => {
  it('reaches all receivers of a group', async () => {
    const group = { multicast: '239.255.21.15', multicastInterface: host };
    const first = await receiveUdp({ port: 0, ...group }).catch(() => undefined);
    // A machine whose loopback has no multicast cannot run this test.
    if (first === undefined) return;
    const second = await receiveUdp({ port: first.address.port, ...group });
    const sender = createSocket('udp4');
    onTestFinished(() => {
      for (const socket of [first, second, sender]) socket.close();
    });
    sender.bind(0, host);
    await once(sender, 'listening');
    sender.setMulticastInterface(host);
    sender.send(scan(1), first.address.port, group.multicast);
    expect(sequences(await receive(first, 1))).toEqual([1]);
    expect(sequences(await receive(second, 1))).toEqual([1]);
  });
});

describe('over TCP', () => {
  let server: Server;
  let port: number;
  let clients: TcpSocket[];
  beforeEach(async () => {
    clients = [];
    server = createServer((client) => clients.push(client)).listen(0, host);
    await once(server, 'listening');
    const address = server.address();
    port = typeof address === 'object' && address !== null ? address.port : 0;
  });
  afterEach(async () => {
    for (const client of clients) client.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  async function connected(options: { signal?: AbortSignal } = {}) {
    const [receiver] = await Promise.all([
      receiveTcp({ host, port, ...options }),
      once(server, 'connection'),
    ]);
    onTestFinished(() => receiver.close());
    const [client] = clients;
    if (client === undefined) throw new Error('nobody has connected');
    return { receiver, client };
  }

  it('telegrams are read in pieces of any size', async () => {
    const { receiver, client } = await connected();
    expect(receiver.address).toEqual({ host, port });
    const all = Buffer.concat([scan(1), imu, scan(2), encoder(4), scan(3)]);
    for (let at = 0; at < all.length; at += 37) client.write(all.subarray(at, at + 37));
    expect(sequences(await receive(receiver, 5))).toEqual([1, 'imu', 2, 4, 3]);
    expect(receiver.losses.damaged).toBe(0);
  });

  it('bytes between telegrams are skipped and counted', async () => {
    const { receiver, client } = await connected();
    client.write(Buffer.concat([scan(1), Buffer.from('noise, and no telegram'), scan(2)]));
    expect(sequences(await receive(receiver, 2))).toEqual([1, 2]);
    expect(receiver.losses.damaged).toBeGreaterThan(0);
  });

  it('the loop ends when the scanner closes, once everything is read', async () => {
    const { receiver, client } = await connected();
    client.end(Buffer.concat([scan(1), scan(2)]));
    const received: Received[] = [];
    for await (const item of receiver) received.push(item);
    expect(sequences(received)).toEqual([1, 2]);
  });

  it('a broken connection is an error after the telegrams that came before', async () => {
    const { receiver, client } = await connected();
    client.write(scan(1));
    expect(sequences(await receive(receiver, 1))).toEqual([1]);
    client.resetAndDestroy();
    const failure = await receive(receiver, 1).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ReceiveError);
    expect(failure).toMatchObject({ at: `tcp://${host}:${port}`, code: 'ECONNRESET' });
    expect(await receive(receiver, 1)).toEqual([]);
  });

  it('a frame that has begun is given when the stream ends', async () => {
    const { receiver, client } = await connected();
    client.end(
      Buffer.concat(
        framesOf([1, 2], 1)
          .slice(0, 3)
          .map((telegram) => encodeCompactScan(telegram)),
      ),
    );
    const frames: (readonly [number, boolean])[] = [];
    for await (const { number, complete } of receiver.frames()) frames.push([number, complete]);
    expect(frames).toEqual([
      [1, true],
      [2, false],
    ]);
  });

  it('the signal ends the loop and the connection', async () => {
    const abort = new AbortController();
    const { receiver, client } = await connected({ signal: abort.signal });
    const gone = once(client, 'close');
    client.resume();
    const waiting = receive(receiver, 1);
    abort.abort();
    expect(await waiting).toEqual([]);
    await gone;
  });

  it('a port without a listener is an error', async () => {
    await new Promise((resolve) => server.close(resolve));
    const failure = await receiveTcp({ host, port }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UnreachableError);
    expect(failure).toMatchObject({ message: `tcp://${host}:${port} cannot be reached: ECONNREFUSED` });
    server.listen(0, host);
    await once(server, 'listening');
  });
});
