import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { isObject } from '@azimuth/model';
import { onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { AsyncQueue } from './waiting.js';

interface Tls {
  readonly key: string;
  readonly cert: string;
}

/** A message of the client. */
export type ClientMessage = Readonly<Record<string, unknown>>;

/** One WebSocket of a client. */
export class FakeConnection {
  /** Messages of the client, to be read one by one. */
  readonly messages = new AsyncQueue<ClientMessage>();
  /** The close code. */
  readonly closed: Promise<number>;
  readonly #ids = new Map<unknown, unknown>();

  constructor(
    readonly socket: WebSocket,
    respond: (message: ClientMessage) => unknown,
  ) {
    this.closed = once(socket, 'close').then(([code]) => Number(code));
    socket.on('error', () => undefined);
    socket.on('message', (data) => {
      const message: unknown = JSON.parse(data.toString());
      if (!isObject(message)) throw new Error('the client sent no object');
      this.#ids.set(message.event, message.clientId);
      const response = respond(message);
      if (response !== undefined) this.send(response);
      this.messages.push(message);
    });
  }

  /** The events that the client asks for next, in order. */
  async registered(count: number): Promise<unknown[]> {
    const events: unknown[] = [];
    while (events.length < count) events.push((await this.messages.next()).event);
    return events;
  }

  push(event: string, data: unknown): void {
    this.send({ type: 'event', event, clientId: this.#ids.get(event), status: 0, data });
  }

  /** @param message a string goes out as it is */
  send(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }
}

/** A device with events: it demands compression, and otherwise responds as a test decides. */
export class FakeEvents {
  /** Content of `data` for each event. */
  readonly data = new Map<unknown, unknown>([
    ['DeviceStatus', { DeviceStatus: 3 }],
    ['SCdevicestate', { SCdevicestate: 1 }],
    ['CurrentTempDev', { CurrentTempDev: 31.5 }],
  ]);
  /** Values of variables for GET. */
  readonly values = new Map<string, unknown>();
  /** The HTTP statuses of plain GETs, by their paths; 200 by default. */
  readonly httpStatuses = new Map<string, number>();
  /** Complete HTTP responses in place of the next handshakes; undefined for no response. */
  readonly refusals: (string | undefined)[] = [];
  endsRefusals = true;
  readonly connections = new AsyncQueue<FakeConnection>();
  /** The paths of all handshakes. */
  readonly attempts: (string | undefined)[] = [];
  readonly #scheme: string;
  readonly #server: Server;
  readonly #sockets = new WebSocketServer({ noServer: true, perMessageDeflate: true });
  /** Connections from the asking for a WebSocket on. */
  readonly #wires = new Set<Duplex>();
  #port = 0;

  private constructor(tls: Tls | undefined) {
    this.#scheme = tls === undefined ? 'http' : 'https';
    this.#server = tls === undefined ? createServer() : createTlsServer(tls);
    this.#server.on('request', (request, response) => this.#serve(request, response));
    this.#server.on('upgrade', (request: IncomingMessage, socket, head) => {
      this.attempts.push(request.url);
      socket.on('error', () => undefined);
      this.#wires.add(socket);
      socket.once('close', () => this.#wires.delete(socket));
      if (this.refusals.length > 0) {
        const refusal = this.refusals.shift();
        if (refusal === undefined) return;
        socket.write(refusal);
        if (this.endsRefusals) socket.end();
      } else this.#sockets.handleUpgrade(request, socket, head, (webSocket) => this.#welcome(webSocket));
    });
  }

  /** Of the connections to come. */
  set respondsToPings(responds: boolean) {
    this.#sockets.options.autoPong = responds;
  }

  /** A device on a free port, gone with the test. */
  static async start(tls?: Tls): Promise<FakeEvents> {
    const device = new FakeEvents(tls);
    await device.up();
    onTestFinished(() => device.down());
    return device;
  }

  get url(): string {
    return `${this.#scheme}://127.0.0.1:${this.#port}`;
  }

  /** Returns the response to a message; undefined for no response. */
  respond = ({ type, event, clientId }: ClientMessage): unknown => {
    const data = this.data.get(event);
    if (type !== 'register') return undefined;
    if (data !== undefined) return { type, event, clientId, status: 0, data };
    return { type, event, clientId, status: 1, error: `Failed to register event ${event}. Does it exist?` };
  };

  /** Listens, on the same port as before. */
  async up(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    if (isObject(address)) this.#port = Number(address.port);
  }

  /** Ends all connections as a loss of power does, and listens no more. */
  async down(): Promise<void> {
    for (const wire of this.#wires) wire.destroy();
    this.#server.closeAllConnections();
    if (!this.#server.listening) return;
    this.#server.close();
    await once(this.#server, 'close');
  }

  #welcome(socket: WebSocket): void {
    if (socket.extensions !== 'permessage-deflate') socket.close(1002);
    else this.connections.push(new FakeConnection(socket, (message) => this.respond(message)));
  }

  #serve({ url = '' }: IncomingMessage, response: ServerResponse): void {
    const name = url.replace('/api/', '');
    const value = this.values.get(name);
    const body =
      value === undefined ? { header: { status: 5 } } : { header: { status: 0 }, data: { [name]: value } };
    response.statusCode = this.httpStatuses.get(url) ?? 200;
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(body));
  }
}

/** Returns a complete HTTP response. */
export function httpResponse(status: number, body = '', headers: readonly string[] = []): string {
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  return [`HTTP/1.1 ${status} Refused`, ...headers, length, 'Connection: close', '', body].join('\r\n');
}
