import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Device } from '@azimuth/device';
import { type WebSocket, WebSocketServer } from 'ws';
import { pathOf } from '../http/request-head.js';
import { contained } from '../network/contained-emitter.js';
import type { EventCounts, Traffic } from '../traffic/traffic.js';
import { EventConnection } from './event-connection.js';
import { eventsPath, watchPath } from './event-desk.js';
import { Feeds } from './feeds.js';
import { Line } from './line.js';
import { type Refusal, refuse } from './refusal.js';
import { RollCall } from './roll-call.js';
import { Watches } from './watches.js';
import { Watching } from './watching.js';

/** RFC 6455; those before were drafts. */
const version = '13';

/** Bytes of one message of a client. */
const longestMessage = 64 * 1024;

/** Frames of one. Each that waits for the others costs memory, far more than its bytes. */
const mostFragments = 16;

const compression = {
  // Each message by itself: no memory for each connection, and one compressed message for all of them.
  serverNoContextTakeover: true,
  clientNoContextTakeover: true,
  // Clients send little: this is what unpacking holds for each of them.
  zlibInflateOptions: { chunkSize: 1024 },
};

/** Serves WebSockets: events as the specification has them, and every change beside them. */
export class EventServer {
  readonly #device: Device;
  readonly #traffic: Traffic;
  readonly #counts: EventCounts;
  readonly #strict: boolean;
  readonly #feeds: Feeds;
  readonly #rollCall: RollCall;
  readonly #watches: Watches;
  /** The answers to offers of compression. */
  readonly #agreed = new WeakMap<IncomingMessage, string>();
  readonly #server: WebSocketServer;

  constructor(device: Device, traffic: Traffic, strict: boolean) {
    this.#device = device;
    this.#traffic = traffic;
    this.#counts = traffic.events;
    this.#strict = strict;
    this.#feeds = new Feeds(device);
    this.#watches = new Watches(device);
    this.#rollCall = new RollCall((call) => device.errors.contain('events', call));
    this.#server = contained(
      new WebSocketServer({
        noServer: true,
        clientTracking: false,
        maxPayload: longestMessage,
        maxFragments: mostFragments,
        // There are none; ws else agrees to the first that is offered.
        handleProtocols: () => false,
        perMessageDeflate: compression,
      }),
      (error) => device.errors.tell('events', error),
    );
    this.#server.on('headers', (lines, request) => {
      const [agreed] = lines.filter((line) => line.startsWith('Sec-WebSocket-Extensions:'));
      if (agreed !== undefined) this.#agreed.set(request, agreed);
    });
    this.#server.on('wsClientError', ({ message }, socket, request) => {
      const path = pathOf(request.url ?? '') === watchPath ? watchPath : eventsPath;
      this.#refuse(path, socket, { code: 400, reason: 'Bad Request', text: message });
    });
  }

  /** A client that registers for events. */
  register(request: IncomingMessage, head: Buffer): void {
    this.#open(eventsPath, request, head, (line) => {
      new EventConnection({
        device: this.#device,
        feeds: this.#feeds,
        line,
        counts: this.#counts,
        strict: this.#strict,
      });
    });
  }

  /** A client that watches the variables that `names` in the query of its address names, or all. */
  watch(request: IncomingMessage, head: Buffer): void {
    const [, query = ''] = /\?(.*)$/s.exec(request.url ?? '') ?? [];
    const names = (new URLSearchParams(query).get('names') ?? '').split(',').filter((name) => name !== '');
    const unknown = this.#watches.unknown(names);
    if (unknown.length > 0) {
      const text = `No variable here is named ${encodeURIComponent(unknown.join(', ')).slice(0, 200)}`;
      this.#refuse(watchPath, request.socket, { code: 400, reason: 'Bad Request', text });
      return;
    }
    this.#open(watchPath, request, head, (line) => {
      new Watching(line, this.#watches.of(names), this.#counts);
    });
  }

  #open(path: string, request: IncomingMessage, head: Buffer, serve: (line: Line) => void): void {
    if (request.headers['sec-websocket-version'] !== version) {
      const text = `Version ${version} of WebSocket is spoken here`;
      const headers = ['Upgrade: websocket', `Sec-WebSocket-Version: ${version}`];
      this.#refuse(path, request.socket, { code: 426, reason: 'Upgrade Required', text, headers });
      return;
    }
    const { errors, host } = this.#device;
    const failed = (error: unknown) => {
      errors.tell('events', error);
      request.socket.destroy();
    };
    this.#server.handleUpgrade(request, contained(request.socket, failed), head, (socket) => {
      contained(socket, failed);
      this.#traffic.sent(path, 101);
      this.#count(socket);
      this.#rollCall.add(socket);
      serve(new Line(socket, request.socket, windowBits(this.#agreed.get(request)), host.log));
    });
  }

  #count(socket: WebSocket): void {
    this.#counts.connections++;
    socket.once('close', () => {
      this.#counts.connections--;
    });
  }

  #refuse(path: string, socket: Duplex, refusal: Refusal): void {
    this.#traffic.sent(path, refusal.code);
    refuse(socket, refusal);
  }
}

/** The window for what we send, in bits; undefined where no compression was agreed on. */
function windowBits(agreed: string | undefined): number | undefined {
  if (agreed === undefined) return undefined;
  const [, bits] = /server_max_window_bits="?(\d+)/.exec(agreed) ?? [];
  return bits === undefined ? 15 : Number(bits);
}
