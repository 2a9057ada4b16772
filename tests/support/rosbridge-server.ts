import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { isObject } from '@azimuth/model';
import common from '@foxglove/rosmsg-msgs-common';
import { onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';

type Definitions = Readonly<Record<string, { readonly definitions: readonly Field[] } | undefined>>;

interface Field {
  readonly name: string;
  readonly type: string;
  readonly isArray?: boolean;
  readonly isComplex?: boolean;
  readonly isConstant?: boolean;
  readonly arrayLength?: number;
}

/** A published message that the server has accepted. */
export interface Published {
  readonly topic: string;
  readonly type: string;
  readonly msg: Record<string, unknown>;
}

/**
 * A rosbridge server as strict as the page of the protocol (v2) and the conversion of messages in rosbridge_library: an
 * unknown field, null in place of a number, a whole number out of its range, or a topic that was not advertised is a
 * mistake. The definitions are those that ROS publishes, from @foxglove/rosmsg-msgs-common.
 */
export class RosbridgeServer {
  readonly advertised = new Map<string, { readonly type: string; readonly latch: boolean }>();
  readonly published: Published[] = [];
  readonly mistakes: string[] = [];
  readonly unadvertised: string[] = [];
  connections = 0;
  readonly #definitions: Definitions;
  readonly #sockets = new Set<WebSocket>();
  readonly #ros: 1 | 2;

  private constructor(
    readonly server: WebSocketServer,
    ros: 1 | 2,
  ) {
    this.#ros = ros;
    this.#definitions = ros === 1 ? common.ros1 : common.ros2humble;
    server.on('connection', (socket) => {
      this.connections++;
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
      socket.on('message', (data) => this.#receive(String(data)));
    });
  }

  static async open(ros: 1 | 2, port = 0): Promise<RosbridgeServer> {
    const server = new WebSocketServer({ host: '127.0.0.1', port });
    const opened = new RosbridgeServer(server, ros);
    onTestFinished(() => opened.close());
    await once(server, 'listening');
    return opened;
  }

  get port(): number {
    const address = this.server.address();
    if (isListening(address)) return address.port;
    throw new Error('the server does not listen');
  }

  get url(): string {
    return `ws://127.0.0.1:${this.port}`;
  }

  /** The connections that are open. */
  get sockets(): readonly WebSocket[] {
    return [...this.#sockets];
  }

  of(topic: string): readonly Published[] {
    return this.published.filter((message) => message.topic === topic);
  }

  /** Ends all connections as a killed process does, and the port. */
  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.terminate();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  #receive(text: string): void {
    const message: unknown = JSON.parse(text);
    if (!isObject(message)) throw new Error(`not an object: ${text.slice(0, 80)}`);
    const { op, topic, type, msg, latch = false } = message;
    if (op === 'advertise' && typeof topic === 'string' && typeof type === 'string') {
      if (this.#definitions[this.#definedName(type)] === undefined)
        this.mistakes.push(`unknown type ${type}`);
      this.advertised.set(topic, { type, latch: latch === true });
    } else if (op === 'unadvertise' && typeof topic === 'string') {
      if (!this.advertised.delete(topic)) this.mistakes.push(`${topic} was not advertised`);
      this.unadvertised.push(topic);
    } else if (op === 'publish' && typeof topic === 'string' && isObject(msg)) {
      const { type: advertised = '' } = this.advertised.get(topic) ?? {};
      if (advertised === '') this.mistakes.push(`${topic} was not advertised`);
      this.mistakes.push(...this.#mistakesIn(msg, this.#definedName(advertised), topic));
      this.published.push({ topic, type: advertised, msg });
    } else this.mistakes.push(`not an operation: ${text.slice(0, 80)}`);
  }

  /** Returns the name of a type among the definitions: ROS 2 has `msg` in it, and the definitions do not. */
  #definedName(type: string): string {
    const [package_ = '', folder = '', name = ''] = type.split('/');
    if (this.#ros === 1) return type;
    return folder === 'msg' ? `${package_}/${name}` : `not of ROS 2: ${type}`;
  }

  #mistakesIn(value: unknown, type: string, at: string): readonly string[] {
    const definition = this.#definitions[type];
    if (definition === undefined) return [`${at}: unknown type ${type}`];
    if (!isObject(value)) return [`${at}: expected an object`];
    const fields = definition.definitions.filter(({ isConstant }) => isConstant !== true);
    const unknown = Object.keys(value).filter((name) => !fields.some((field) => field.name === name));
    // rosbridge fills in what is missing; all but the number of a header should be there.
    const missing = fields.filter(({ name }) => name !== 'seq' && !Object.hasOwn(value, name));
    return [
      ...unknown.map((name) => `${at}: unknown field ${name}`),
      ...missing.map(({ name }) => `${at}: ${name} is missing`),
      ...fields
        .filter(({ name }) => Object.hasOwn(value, name))
        .flatMap((field) => this.#fieldMistakes(value[field.name], field, `${at}.${field.name}`)),
    ];
  }

  #fieldMistakes(value: unknown, field: Field, at: string): readonly string[] {
    const { isArray, type, arrayLength } = field;
    if (isArray !== true) return this.#valueMistakes(value, field, at);
    if (type === 'uint8') {
      const isBase64 = typeof value === 'string' && Buffer.from(value, 'base64').toString('base64') === value;
      return isBase64 ? [] : [`${at}: expected base64`];
    }
    if (!Array.isArray(value)) return [`${at}: expected a list`];
    const length = arrayLength ?? value.length;
    return [
      ...(value.length === length ? [] : [`${at}: expected ${length} items`]),
      ...value.flatMap((item: unknown, index) => this.#valueMistakes(item, field, `${at}[${index}]`)),
    ];
  }

  #valueMistakes(value: unknown, { type, isComplex }: Field, at: string): readonly string[] {
    if (type === 'time' || type === 'builtin_interfaces/Time') return this.#timeMistakes(value, at);
    if (isComplex === true) return this.#mistakesIn(value, type, at);
    if (type === 'string') return typeof value === 'string' ? [] : [`${at}: expected a text`];
    if (type === 'bool') return typeof value === 'boolean' ? [] : [`${at}: expected true or false`];
    if (typeof value !== 'number' || !Number.isFinite(value))
      return [`${at}: expected a number, got ${value}`];
    if (type.startsWith('float')) return [];
    const bits = Number(/\d+$/.exec(type)?.[0]);
    const [lowest, highest] = type.startsWith('u') ? [0, 2 ** bits] : [-(2 ** (bits - 1)), 2 ** (bits - 1)];
    return Number.isInteger(value) && value >= lowest && value < highest ? [] : [`${at}: not ${type}`];
  }

  #timeMistakes(value: unknown, at: string): readonly string[] {
    const names = this.#ros === 1 ? ['secs', 'nsecs'] : ['sec', 'nanosec'];
    const isTime =
      isObject(value) &&
      Object.keys(value).join() === names.join() &&
      Object.values(value).every((part) => Number.isInteger(part));
    return isTime ? [] : [`${at}: expected ${names.join(' and ')}`];
  }
}

function isListening(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}
