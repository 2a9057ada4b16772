import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Device } from '@azimuth/device';
import { eventsSince, isFrom } from '@azimuth/model';
import { type PerMessageDeflateOptions, type WebSocket, WebSocketServer } from 'ws';
import { pathOf } from '../http/admission.js';
import { containErrors } from '../network/sockets.js';
import type { EventCounts, Traffic } from '../traffic/traffic.js';
import { ClientConnection, Heartbeat, type UnsentTotal } from './client-connection.js';
import { longestMessageBytes, mostFragments } from './limits.js';
import { Feeds } from './registrations.js';
import { Subscriber } from './subscriber.js';
import { Watcher, Watches } from './watches.js';

/** Where clients register for events, as the specification has it. */
export const eventsPath = '/apievents';
const sameUnderApi = '/api/apievents';

/** Where clients watch every change, in every release. */
export const watchPath = '/x/events';

/** Does the release of this scanner have events? */
export function hasEvents({ edition }: Device): boolean {
  return isFrom(edition.release, eventsSince);
}

/** RFC 6455; those before were drafts. */
const version = '13';

const compression = {
  // Each message by itself, and all of them: who offers compression may count on it.
  threshold: 0,
  serverNoContextTakeover: true,
  clientNoContextTakeover: true,
  // Clients send little: this is what unpacking holds for each of them.
  zlibInflateOptions: { chunkSize: 1024 },
  // Messages are small, and each connection keeps what it packs them with: 8 KiB so, 144 KiB with a window of 15 bits.
  zlibDeflateOptions: { chunkSize: 1024, memLevel: 3 },
  serverMaxWindowBits: 10,
};

/** For clients that can unpack a smaller window only: `ws` would else refuse them. */
const compressionAsOffered = { ...compression, serverMaxWindowBits: undefined };
const smallerWindow = /server_max_window_bits\s*=\s*"?[89]\b/;

/** The answer to a refused handshake. */
interface Refusal {
  readonly code: number;
  readonly reason: string;
  readonly text: string;
  /** Lines beside the usual ones. */
  readonly headers?: readonly string[];
}

/** Serves WebSockets: events as the specification has them, and every change beside them. */
export class EventServer {
  readonly #device: Device;
  readonly #traffic: Traffic;
  readonly #counts: EventCounts;
  readonly #strict: boolean;
  readonly #feeds: Feeds;
  readonly #heartbeat: Heartbeat;
  readonly #watches: Watches;
  readonly #unsent: UnsentTotal = { length: 0 };
  readonly #server: WebSocketServer;
  readonly #serverAsOffered: WebSocketServer;

  /** @param strict whether clients are treated as strictly as devices do */
  constructor(device: Device, traffic: Traffic, strict: boolean) {
    this.#device = device;
    this.#traffic = traffic;
    this.#counts = traffic.events;
    this.#strict = strict;
    this.#feeds = new Feeds(device);
    this.#watches = new Watches(device);
    this.#heartbeat = new Heartbeat((call) => device.errors.contain('events', call));
    this.#server = this.#serverWith(compression);
    this.#serverAsOffered = this.#serverWith(compressionAsOffered);
  }

  #serverWith(perMessageDeflate: PerMessageDeflateOptions): WebSocketServer {
    const server = containErrors(
      new WebSocketServer({
        noServer: true,
        clientTracking: false,
        maxPayload: longestMessageBytes,
        maxFragments: mostFragments,
        // There are none; ws else agrees to the first that is offered.
        handleProtocols: () => false,
        perMessageDeflate,
      }),
      (error) => this.#device.errors.report('events', error),
    );
    server.on('wsClientError', ({ message }, socket, request) => {
      const path = pathOf(request.url ?? '') === watchPath ? watchPath : eventsPath;
      this.#refuse(path, socket, { code: 400, reason: 'Bad Request', text: message });
    });
    return server;
  }

  /** Are WebSockets served at this path? */
  isAt(path: string): boolean {
    return path === watchPath || ((path === eventsPath || path === sameUnderApi) && hasEvents(this.#device));
  }

  /** Takes a connection over at a path that `isAt`. @param head what has come behind the request already */
  take(request: IncomingMessage, head: Buffer): void {
    if (pathOf(request.url ?? '') === watchPath) this.#watch(request, head);
    else this.#register(request, head);
  }

  /** A client that registers for events. */
  #register(request: IncomingMessage, head: Buffer): void {
    this.#open(eventsPath, request, head, (connection) => {
      new Subscriber({
        device: this.#device,
        feeds: this.#feeds,
        connection,
        counts: this.#counts,
        strict: this.#strict,
      });
    });
  }

  /** A client that watches the variables that `names` in the query of its address names, or all. */
  #watch(request: IncomingMessage, head: Buffer): void {
    const [, query = ''] = /\?(.*)$/s.exec(request.url ?? '') ?? [];
    const names = (new URLSearchParams(query).get('names') ?? '').split(',').filter((name) => name !== '');
    const unknown = this.#watches.unknown(names);
    if (unknown.length > 0) {
      const text = `No variable here is named ${encodeURIComponent(unknown.join(', ')).slice(0, 200)}`;
      this.#refuse(watchPath, request.socket, { code: 400, reason: 'Bad Request', text });
      return;
    }
    this.#open(watchPath, request, head, (connection) => {
      new Watcher(connection, this.#watches.of(names), this.#counts);
    });
  }

  #open(
    path: string,
    request: IncomingMessage,
    head: Buffer,
    serve: (connection: ClientConnection) => void,
  ): void {
    if (request.headers['sec-websocket-version'] !== version) {
      const text = `only WebSocket version ${version} is supported`;
      const headers = ['Upgrade: websocket', `Sec-WebSocket-Version: ${version}`];
      this.#refuse(path, request.socket, { code: 426, reason: 'Upgrade Required', text, headers });
      return;
    }
    const { errors, host } = this.#device;
    const failed = (error: unknown) => {
      errors.report('events', error);
      request.socket.destroy();
    };
    const offer = request.headers['sec-websocket-extensions'] ?? '';
    const server = smallerWindow.test(offer) ? this.#serverAsOffered : this.#server;
    server.handleUpgrade(request, containErrors(request.socket, failed), head, (socket) => {
      containErrors(socket, failed);
      this.#traffic.sent(path, 101);
      this.#count(socket);
      this.#heartbeat.add(socket);
      serve(new ClientConnection(socket, request.socket, host.log, this.#unsent));
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

/** Answers with the refusal, and closes. */
function refuse(socket: Duplex, { code, reason, text, headers = [] }: Refusal): void {
  socket.on('error', () => socket.destroy());
  const lines = [
    `HTTP/1.1 ${code} ${reason}`,
    'Connection: close',
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text) + 1}`,
    ...headers,
  ];
  socket.once('finish', () => socket.destroy());
  socket.end(`${lines.join('\r\n')}\r\n\r\n${text}\n`);
}
