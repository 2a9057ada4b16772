import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expectDone } from '@azimuth/test-support/envelope';
import { freePort } from '@azimuth/test-support/free-port';
import { Health } from '@azimuth/test-support/health';
import { number } from '@azimuth/test-support/json';
import { ScannerFolder, type ScannerProcess } from '@azimuth/test-support/scanner-process';
import { SeededRandom } from '@azimuth/test-support/seeded-random';
import { Cutter } from '@azimuth/test-support/streams/cutter';
import { Setup } from '@azimuth/test-support/streams/virtual-scanner';
import { until } from '@azimuth/test-support/waiting';
import { expect, onTestFinished, test } from 'vitest';
import { env, extentOf, mostGrowth } from './fuzz-run.js';
import { searchInput, validSearch } from './search-input.js';

const extent = extentOf({ inputs: 10_000, seconds: 300 });
const { seed, inputs, seconds, again } = extent;
const timeout = seconds * 1000 + 120_000;

/** Requests from one address that are answered within a second. */
const requestsPerSecond = 20;
const addresses = Array.from({ length: 10 }, (_, index) => `127.0.3.${index + 1}`);

/** A search tool at a loopback address. It checks every reply. */
class SearchTool {
  readonly #heard = new Set<string>();
  readonly #replies = new Map<number, number>();
  #fault: Error | undefined;

  private constructor(
    readonly socket: Socket,
    readonly port: number,
  ) {
    socket.on('message', (reply) => {
      const [kind = 0] = reply;
      this.#replies.set(kind, this.replies(kind) + 1);
      const isReply = [0x90, 0x91, 0x95].includes(kind) && reply[14] === 0 && reply.length > 16;
      if (!isReply) this.#fault = new Error(`not a reply: ${reply.toString('hex').slice(0, 100)}`);
      else if (reply.readUInt16BE(2) !== reply.length - 16) {
        this.#fault = new Error(`a wrong length: ${reply.toString('hex').slice(0, 100)}`);
      }
      this.#heard.add(reply.toString('hex', 4, 14));
    });
  }

  static async open(address: string, port: number): Promise<SearchTool> {
    const socket = createSocket('udp4');
    socket.bind(0, address);
    await once(socket, 'listening');
    onTestFinished(() => {
      socket.close();
    });
    return new SearchTool(socket, port);
  }

  /** How many replies of this kind have come: 0x90 and 0x95 to searches, 0x91 to changes. */
  replies(kind: number): number {
    return this.#replies.get(kind) ?? 0;
  }

  send(datagram: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      this.socket.send(datagram, this.port, '127.0.0.1', (error) =>
        error === null ? resolve() : reject(error),
      );
    });
  }

  /** Searches until a scanner replies: a datagram may get lost. Returns the MAC address of the scanner. */
  async search(id: Buffer): Promise<Buffer> {
    const answer = () => [...this.#heard].find((text) => text.endsWith(id.toString('hex')));
    for (let time = 0; time < 10 && answer() === undefined; time += 1) {
      await this.send(validSearch(id));
      await until(() => answer() !== undefined, 1000).catch(() => undefined);
    }
    const text = answer();
    this.#heard.clear();
    if (this.#fault !== undefined) throw this.#fault;
    if (text === undefined) throw new Error('no reply to a search');
    return Buffer.from(text, 'hex').subarray(0, 6);
  }
}

async function started(): Promise<{ scanner: ScannerProcess; health: Health }> {
  const scanner = await new ScannerFolder().start([], { env });
  return { scanner, health: new Health(scanner) };
}

function expectNoGrowth(health: Health): void {
  expect(health.growth, `${again} ${health.memory.map(Math.round).join(' ')}`).toBeLessThan(mostGrowth);
}

test(
  `${inputs} hostile datagrams at the device search (seed ${seed}): the scanner is still found`,
  async () => {
    const { scanner, health } = await started();
    const client = scanner.client();
    // Tools may set the address at any time, not only during the first minute.
    expectDone(await client.write('EtherLegacyScanMode', 0));
    expectDone(await client.call('EthernetUpdate'));
    const port = number(scanner.readyLine.search);
    const tools = await Promise.all(addresses.map((address) => SearchTool.open(address, port)));
    const [first] = tools;
    if (first === undefined) throw new Error('no search tool');
    const mac = await first.search(Buffer.from('00000000', 'hex'));
    const files = health.openFiles;
    const end = performance.now() + seconds * 1000;
    let sent = 0;
    for (let round = 0; sent < inputs && performance.now() < end; round += 1) {
      // The limit of replies is per second of the scanner's clock.
      await scanner.advance(1000);
      const random = new SeededRandom(`${seed}/${round}`);
      try {
        await Promise.all(
          tools.map(async (tool) => {
            const datagrams = Array.from({ length: requestsPerSecond - 1 }, () =>
              searchInput(random, mac, random.bytes(4)),
            );
            for (const datagram of datagrams) await tool.send(datagram);
            sent += datagrams.length;
          }),
        );
        await scanner.advance(1000);
        const id = Buffer.alloc(4);
        id.writeUInt32BE(round + 1);
        expect(await first.search(id)).toEqual(mac);
        health.check();
      } catch (error) {
        throw new Error(`${again}: round ${round}\n${scanner.log.slice(-2000)}`, { cause: error });
      }
    }
    const replies = (kind: number) => tools.reduce((sum, tool) => sum + tool.replies(kind), 0);
    console.log(`${again}: ${sent} inputs, replies ${[0x90, 0x91, 0x95].map(replies).join(' ')}`);
    console.log(`memory ${health.memory.slice(-10).map(Math.round).join(' ')} MB`);
    // The run proves nothing unless some inputs are valid searches and changes.
    for (const kind of [0x90, 0x91, 0x95]) expect(replies(kind), again).toBeGreaterThan(sent / 1000);
    await until(() => health.openFiles <= files + 3);
    expectNoGrowth(health);
    expect(await client.value('DeviceStatus')).toBe(3);
  },
  timeout,
);

test(
  `${2 * inputs} chunks of bytes from clients of a data stream (seed ${seed}): the scanner sends on`,
  async () => {
    const { scanner, health } = await started();
    const port = await freePort();
    const setup = new Setup(scanner.client());
    await setup.send('scan', 'TCP', port);
    const files = health.openFiles;
    const begun = performance.now();
    let sent = 0;
    let telegrams = 0;

    /** @param half 1 or 2 of the run, by its inputs or its time */
    async function keepSending(client: number, half: number): Promise<void> {
      const end = begun + half * seconds * 500;
      for (let index = 0; sent < half * inputs && performance.now() < end; index += 1) {
        const random = new SeededRandom(`${seed}/${half}/${client}/${index}`);
        const chunks = random.between(1, 300);
        // Not `+= await`: the clients run side by side, and each would add to an old sum.
        const received = await sendChunks(port, random, chunks);
        telegrams += received;
        sent += chunks;
        if (client === 0 && half === 2) health.check();
      }
    }

    // What is received takes 70 MB until the first collection, so memory is looked at from the second half on.
    for (const half of [1, 2])
      await Promise.all(Array.from({ length: 8 }, (_, index) => keepSending(index, half)));
    console.log(`${again}: ${sent} chunks, ${telegrams} telegrams`);
    console.log(`memory ${health.memory.slice(-10).map(Math.round).join(' ')} MB`);
    expect(telegrams, again).toBeGreaterThan(10);
    health.check();
    await setup.connected(0);
    await until(() => health.openFiles <= files + 3);
    expectNoGrowth(health);
    expect(await sendChunks(port, new SeededRandom(String(seed)), 0, true)).toBeGreaterThan(0);
  },
  timeout,
);

/** Connects, sends chunks and disconnects in one of three ways. Returns how many telegrams came. */
async function sendChunks(
  port: number,
  random: SeededRandom,
  chunks: number,
  isReading = random.percent(50),
): Promise<number> {
  const socket = connect({ host: '127.0.0.1', port });
  const cutter = new Cutter();
  let telegrams = 0;
  socket.on('error', () => undefined);
  if (isReading) {
    socket.on('data', (bytes) => {
      telegrams += cutter.push(bytes).length;
    });
  }
  await once(socket, 'connect');
  for (let count = 0; count < chunks; count += 1) {
    const chunk = random.percent(90)
      ? random.bytes(random.between(1, 40))
      : Buffer.alloc(random.between(1, 20_000), random.pick([0, 2, 0xff]));
    if (!socket.write(chunk)) await once(socket, 'drain');
  }
  if (isReading) await until(() => telegrams > 0);
  if (cutter.dropped > 0) throw new Error(`${cutter.dropped} bytes belong to no telegram`);
  const closed = once(socket, 'close');
  if (random.percent(40)) socket.destroy();
  else if (random.percent(50)) socket.resetAndDestroy();
  else socket.resume().end();
  await closed;
  return telegrams;
}
