import { once } from 'node:events';
import rosmsg from '@foxglove/rosmsg';
import serialization from '@foxglove/rosmsg2-serialization';
import protocol, {
  type Channel,
  type MessageData,
  type ParameterValues,
  type StatusMessage,
} from '@foxglove/ws-protocol';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';

/** A message of a channel, decoded by the schema of its channel. */
export interface SeenMessage {
  readonly topic: string;
  readonly message: unknown;
  readonly bytes: Uint8Array;
  /** Time at which the server says it was received: ns since 1970. */
  readonly time: bigint;
}

/** A viewer by the client library of the protocol's authors, which decodes all messages. */
export class FoxgloveViewer {
  readonly channels = new Map<string, Channel>();
  readonly statuses: StatusMessage[] = [];
  readonly removedStatuses: string[] = [];
  readonly answers: ParameterValues[] = [];
  readonly messages: SeenMessage[] = [];
  readonly errors: Error[] = [];
  sessionId: string | undefined;
  readonly #decoders = new Map<number, (data: ArrayBufferView) => Omit<SeenMessage, 'time'>>();
  readonly client;

  private constructor(readonly socket: WebSocket) {
    this.client = new protocol.FoxgloveClient({ ws: socket });
    this.client.on('serverInfo', ({ sessionId }) => {
      this.sessionId = sessionId;
    });
    this.client.on('advertise', (channels) => {
      for (const channel of channels) this.channels.set(channel.topic, channel);
    });
    this.client.on('status', (status) => this.statuses.push(status));
    this.client.on('removeStatus', ({ statusIds }) => this.removedStatuses.push(...statusIds));
    this.client.on('parameterValues', (answer) => this.answers.push(answer));
    this.client.on('message', (message) => this.#see(message));
    this.client.on('error', (error) => this.errors.push(error));
  }

  /** @param origin of the page that it is; none for a program */
  static async open(
    url: string,
    subprotocol = 'foxglove.websocket.v1',
    origin?: string,
  ): Promise<FoxgloveViewer> {
    const socket = new WebSocket(url, [subprotocol], { origin });
    const viewer = new FoxgloveViewer(socket);
    onTestFinished(() => socket.terminate());
    await once(socket, 'open');
    return viewer;
  }

  subscribe(topic: string): number {
    const channel = this.channels.get(topic);
    if (channel === undefined) throw new Error(`no channel ${topic}: ${[...this.channels.keys()]}`);
    const id = this.client.subscribe(channel.id);
    this.#decoders.set(id, decoderOf(channel));
    return id;
  }

  /** The messages of a topic so far, newest last. */
  of(topic: string): readonly SeenMessage[] {
    return this.messages.filter((message) => message.topic === topic);
  }

  #see({ subscriptionId, timestamp, data }: MessageData): void {
    const decode = this.#decoders.get(subscriptionId);
    if (decode === undefined)
      throw new Error(`a message of subscription ${subscriptionId}, which nobody made`);
    this.messages.push({ ...decode(data), time: timestamp });
  }
}

function decoderOf({ topic, encoding, schema, schemaEncoding }: Channel) {
  if (encoding === 'json') {
    return (data: ArrayBufferView) => {
      const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
      return { topic, message: JSON.parse(String(bytes)), bytes };
    };
  }
  if (encoding !== 'cdr' || schemaEncoding !== 'ros2msg') throw new Error(`${topic} is ${encoding}`);
  const reader = new serialization.MessageReader(rosmsg.parse(schema, { ros2: true }));
  return (data: ArrayBufferView) => ({
    topic,
    message: reader.readMessage(data),
    bytes: new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
  });
}
