import { connect, createServer, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { VirtualClock } from '@azimuth/device';
import { listening } from '@azimuth/test-support/listening';
import { expect, onTestFinished, test } from 'vitest';
import { TelegramClient } from '../../src/streams/tcp-port.js';
import { settled } from './scanner.js';

/** Makes a client as the scanner uses it, and the socket at its other end, which does not read yet. */
async function connected(stallTimeout: number, clock = new VirtualClock()) {
  const server = createServer();
  const port = await listening(server);
  const accepted = new Promise<Socket>((resolve) => {
    server.once('connection', resolve);
  });
  const far = connect(port, '127.0.0.1');
  far.pause();
  far.on('error', () => undefined);
  const near = await accepted;
  onTestFinished(() => {
    near.destroy();
    far.destroy();
  });
  const wish = { stallTimeout };
  const client = new TelegramClient(near, {
    name: 'client',
    address: '127.0.0.1',
    clock,
    stallTimeout: () => wish.stallTimeout,
  });
  return { client, clock, near, far, wish };
}

const telegram = (first: number) => new Uint8Array(100_000).fill(first);

/** Writes until the system accepts no more. */
async function fill(client: TelegramClient): Promise<number> {
  let count = 0;
  while (!client.isBusy) {
    count += 1;
    client.write(telegram(count));
  }
  await settled();
  return count;
}

test('a client that takes nothing is closed after exactly the stall timeout', async () => {
  const { client, clock, near } = await connected(15_300);
  await fill(client);
  clock.advance(15_299);
  await settled();
  expect(near.destroyed).toBe(false);
  clock.advance(1);
  expect(near.destroyed).toBe(true);
});

test('the timeout begins when data waits for the client', async () => {
  const { client, clock, near } = await connected(15_000);
  client.write(new Uint8Array(10));
  await settled();
  clock.advance(100_000);
  expect(near.destroyed).toBe(false);
  await fill(client);
  clock.advance(14_999);
  expect(near.destroyed).toBe(false);
  clock.advance(1);
  expect(near.destroyed).toBe(true);
});

/** A connection whose other side accepts one piece at a time, when a test calls it. */
class Sluggish extends Duplex {
  readonly #untaken: (() => void)[] = [];

  setNoDelay(): void {
    // There is no network that could delay data.
  }

  letThrough(): void {
    this.#untaken.shift()?.();
  }

  override _write(_piece: unknown, _encoding: string, taken: () => void): void {
    this.#untaken.push(taken);
  }

  override _read(): void {
    // The client sends nothing.
  }
}

test('the timeout begins again when the client takes something', async () => {
  const clock = new VirtualClock();
  const connection = new Sluggish();
  const client = new TelegramClient(connection, {
    name: 'client',
    address: '127.0.0.1',
    clock,
    stallTimeout: () => 15_000,
  });
  client.write(telegram(1));
  client.keep(telegram(2));
  client.keep(telegram(3));
  for (let time = 0; time < 2; time++) {
    clock.advance(14_000);
    connection.letThrough();
    await settled(1);
  }
  clock.advance(14_999);
  expect(connection.destroyed).toBe(false);
  clock.advance(1);
  expect(connection.destroyed).toBe(true);
});

test('all waiting telegrams are sent in order', async () => {
  const { client, near, far } = await connected(15_000);
  const count = await fill(client);
  for (let more = 1; more <= 9; more++) client.keep(telegram(count + more));
  const chunks: Buffer[] = [];
  let bytes = 0;
  far.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
  });
  far.resume();
  while (bytes < (count + 9) * 100_000) await settled(1);
  const all = Buffer.concat(chunks);
  expect(Array.from({ length: count + 9 }, (_, index) => all.readUInt8(index * 100_000))).toEqual(
    Array.from({ length: count + 9 }, (_, index) => index + 1),
  );
  while (client.isBusy) await settled(1);
  expect(near.destroyed).toBe(false);
});

test('at most 1 MiB waits, which includes the overhead of small telegrams', async () => {
  const { client } = await connected(15_000);
  await fill(client);
  let large = 0;
  while (client.keep(telegram(1))) large += 1;
  expect(large).toBe(10);
  const other = await connected(15_000);
  await fill(other.client);
  let small = 0;
  while (other.client.keep(new Uint8Array(64))) small += 1;
  expect(small).toBeGreaterThan(1000);
  expect(small).toBeLessThan(4000);
});

test('a timeout of 0 means no limit', async () => {
  const { client, clock, near } = await connected(0);
  await fill(client);
  clock.advance(10_000_000);
  expect(near.destroyed).toBe(false);
});

test.each([
  [0, 'none'],
  [4_000_000_000, 'a long one'],
])(
  'a timeout shortened from %i (%s) applies to a client that already takes nothing',
  async (stallTimeout) => {
    const { client, clock, near, wish } = await connected(stallTimeout);
    await fill(client);
    clock.advance(20_000);
    expect(near.destroyed).toBe(false);
    // Nothing is sent to it meanwhile.
    wish.stallTimeout = 1000;
    clock.advance(1000);
    expect(near.destroyed).toBe(true);
  },
);

test('a longer timeout applies, too', async () => {
  const { client, clock, near, wish } = await connected(15_000);
  await fill(client);
  clock.advance(14_999);
  wish.stallTimeout = 60_000;
  clock.advance(45_000);
  expect(near.destroyed).toBe(false);
  clock.advance(1);
  expect(near.destroyed).toBe(true);
});

test('a client that disconnects affects nothing else', async () => {
  const { client, near, far, clock } = await connected(15_000);
  await fill(client);
  client.keep(telegram(0));
  const other = await connected(15_000, clock);
  far.resetAndDestroy();
  while (!near.destroyed) await settled(1);
  expect(() => client.write(telegram(0))).not.toThrow();
  await settled();
  // Neither its error nor a timer reaches the other one.
  expect(clock.next).toBeUndefined();
  other.client.write(Buffer.from('for the other'));
  expect(String(await new Promise((resolve) => other.far.once('data', resolve).resume()))).toBe(
    'for the other',
  );
  expect(other.near.destroyed).toBe(false);
});
