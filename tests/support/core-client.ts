import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { until } from './waiting.js';

const types = { hello: 129, started: 130, segment: 131, motion: 132, status: 133, pong: 134 } as const;
const fromScanner = { hello: 1, order: 2, stop: 3, ping: 4, refusal: 5 } as const;

/** What an order says, as docs/core-socket.md lists it. */
export interface ReceivedOrder {
  readonly number: number;
  readonly sensitivity: number;
  readonly longRange: boolean;
  readonly beams: number;
  readonly beamsPerSegment: number;
  readonly frequency: number;
  readonly firstAngle: number;
  readonly step: number;
  readonly originTime: bigint;
  readonly originNumber: number;
}

interface ClientOptions {
  readonly name?: string;
  readonly version?: number;
  readonly capabilities?: number;
  /** False: it does not say hello by itself. */
  readonly greets?: boolean;
  /** ns by which its clock is ahead of that of the computer. */
  readonly ahead?: bigint;
}

/** A core at a core socket, which shares no code with Azimuth. It answers pings. */
export class CoreClient {
  readonly orders: ReceivedOrder[] = [];
  readonly stops: number[] = [];
  readonly refusals: string[] = [];
  pings = 0;
  /** False: it answers no ping from now on. */
  answers = true;
  ahead: bigint;
  closed = false;
  #rest = Buffer.alloc(0);

  private constructor(
    readonly socket: Socket,
    { ahead = 0n }: ClientOptions,
  ) {
    this.ahead = ahead;
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.closed = true;
    });
  }

  /** Connects for the rest of the test. @param address a path, or HOST:PORT */
  static async connect(address: string, options: ClientOptions = {}): Promise<CoreClient> {
    const client = await CoreClient.open(address, options);
    onTestFinished(() => void client.socket.destroy());
    return client;
  }

  /** Connects; the caller ends the connection. @param address as `connect` */
  static async open(address: string, options: ClientOptions = {}): Promise<CoreClient> {
    const [, host, port] = /^([^/]*):(\d+)$/.exec(address) ?? [];
    const socket = host === undefined ? createConnection(address) : createConnection(Number(port), host);
    await once(socket, 'connect');
    const client = new CoreClient(socket, options);
    const { greets = true, version = 1, capabilities = 0, name = 'test core' } = options;
    if (greets) client.hello(name, version, capabilities);
    return client;
  }

  /** The order in force, as soon as one has come. */
  async order(): Promise<ReceivedOrder> {
    await until(() => this.orders.length > 0);
    return this.current;
  }

  get current(): ReceivedOrder {
    const order = this.orders.at(-1);
    if (order === undefined) throw new Error('no order has come');
    return order;
  }

  /** Its clock in ns. */
  get now(): bigint {
    return process.hrtime.bigint() + this.ahead;
  }

  hello(name: string, version = 1, capabilities = 0): void {
    const head = Buffer.alloc(12);
    head.write('AZCO');
    head.writeUInt16LE(version, 4);
    head.writeUInt32LE(capabilities, 8);
    this.message(types.hello, Buffer.concat([head, Buffer.from(name)]));
  }

  started(order = this.current.number): void {
    const content = Buffer.alloc(4);
    content.writeUInt32LE(order);
    this.message(types.started, content);
  }

  /** Sends a segment with a wall at `distance` on every beam. */
  segment(
    scan: number,
    first: number,
    count: number,
    {
      distance = 2000,
      rssi = 1028,
      flags = 0,
      order = this.current.number,
      time = this.now,
    }: {
      distance?: number;
      rssi?: number;
      flags?: number;
      order?: number;
      time?: bigint;
    } = {},
  ): void {
    const content = Buffer.alloc(24 + 21 * count);
    content.writeUInt32LE(order, 0);
    content.writeUInt32LE(scan, 4);
    content.writeBigUInt64LE(time, 8);
    content.writeUInt32LE(first, 16);
    content.writeUInt32LE(count, 20);
    for (let beam = 0; beam < count; beam += 1) {
      content.writeFloatLE(distance, 24 + 12 * beam);
      content.writeUInt16LE(rssi, 24 + 12 * count + 6 * beam);
      content.writeUInt8(flags, 24 + 18 * count + 3 * beam);
    }
    this.message(types.segment, content);
  }

  /** Sends a whole scan in segments. */
  scan(number: number, time = this.now): void {
    const { beams, beamsPerSegment } = this.current;
    for (let first = 0; first < beams; first += beamsPerSegment)
      this.segment(number, first, Math.min(beamsPerSegment, beams - first), { time });
  }

  motion(numbers: readonly number[]): void {
    const content = Buffer.alloc(40);
    for (const [at, value] of numbers.entries()) content.writeFloatLE(value, 4 * at);
    this.message(types.motion, content);
  }

  status(isError: boolean, text: string): void {
    this.message(types.status, Buffer.concat([Buffer.from([isError ? 1 : 0, 0, 0, 0]), Buffer.from(text)]));
  }

  message(type: number, content: Buffer): void {
    const head = Buffer.alloc(8);
    head.writeUInt32LE(8 + content.length, 0);
    head.writeUInt16LE(type, 4);
    this.socket.write(Buffer.concat([head, content]));
  }

  #read(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    while (this.#rest.length >= 8 && this.#rest.length >= this.#rest.readUInt32LE(0)) {
      const length = this.#rest.readUInt32LE(0);
      this.#take(this.#rest.readUInt16LE(4), this.#rest.subarray(8, length));
      this.#rest = this.#rest.subarray(length);
    }
  }

  #take(type: number, content: Buffer): void {
    if (type === fromScanner.order) this.orders.push(orderIn(content));
    else if (type === fromScanner.stop) this.stops.push(content.readUInt32LE(0));
    else if (type === fromScanner.refusal) this.refusals.push(content.toString());
    else if (type === fromScanner.ping) this.#answer(content);
    else if (type !== fromScanner.hello) throw new Error(`the scanner sent a message of type ${type}`);
  }

  #answer(token: Buffer): void {
    this.pings += 1;
    if (!this.answers) return;
    const time = Buffer.alloc(8);
    time.writeBigUInt64LE(this.now);
    this.message(types.pong, Buffer.concat([token, time]));
  }
}

function orderIn(content: Buffer): ReceivedOrder {
  return {
    number: content.readUInt32LE(0),
    sensitivity: content.readUInt8(4),
    longRange: content.readUInt8(5) === 1,
    beams: content.readUInt32LE(8),
    beamsPerSegment: content.readUInt32LE(12),
    frequency: content.readDoubleLE(16),
    firstAngle: content.readDoubleLE(24),
    step: content.readDoubleLE(32),
    originTime: content.readBigInt64LE(40),
    originNumber: content.readUInt32LE(48),
  };
}
