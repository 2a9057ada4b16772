import { once } from 'node:events';
import type { Socket } from 'node:net';
import { type JsonObject, object, parse } from '@azimuth/test-support/json';
import { onTestFinished } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';

/** End of a connection: the code of its close frame, 1006 if there was none. */
export type Ending = Promise<number>;

/** A client of events over `ws`. Messages are stored until a test reads them. */
export class EventClient {
  readonly socket: WebSocket;
  readonly ending: Ending;
  /** Code of the TCP connection. */
  connection: Socket | undefined;
  /** Frames with RSV1, that is, compressed ones. */
  readonly #inbox: JsonObject[] = [];
  #wake: () => void = () => undefined;

  private constructor(url: string, options: ClientOptions) {
    this.socket = new WebSocket(url, options);
    this.ending = new Promise((resolve) => {
      this.socket.once('close', (code) => {
        resolve(code);
        this.#wake();
      });
    });
    this.socket.on('upgrade', ({ socket }) => {
      this.connection = socket;
    });
    this.socket.on('message', (data) => {
      this.#inbox.push(object(parse(String(data))));
      this.#wake();
    });
  }

  static async open(port: number, path = '/apievents', options: ClientOptions = {}): Promise<EventClient> {
    const scheme = options.ca === undefined ? 'ws' : 'wss';
    const client = new EventClient(`${scheme}://127.0.0.1:${port}${path}`, options);
    onTestFinished(() => client.socket.terminate());
    await once(client.socket, 'open');
    client.socket.on('error', () => undefined);
    return client;
  }

  /** Returns the HTTP status with which a handshake is refused. */
  static async refused(port: number, path: string, options: ClientOptions = {}): Promise<number> {
    const { socket } = new EventClient(`ws://127.0.0.1:${port}${path}`, options);
    return new Promise((resolve, reject) => {
      socket.once('open', () => reject(new Error('the handshake was taken')));
      socket.on('error', () => undefined);
      socket.once('unexpected-response', (_, response) => {
        resolve(response.statusCode ?? 0);
        response.resume();
      });
    });
  }

  say(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  register(event: string, clientId = 1, options?: object): Promise<JsonObject> {
    this.say({ type: 'register', event, clientId, options });
    return this.next();
  }

  /** Returns the next message. */
  async next(): Promise<JsonObject> {
    for (;;) {
      const first = this.#inbox.shift();
      if (first !== undefined) return first;
      if (this.socket.readyState === WebSocket.CLOSED) throw new Error('closed');
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Returns all messages that were sent before the scanner responds to a ping. */
  async all(): Promise<JsonObject[]> {
    this.socket.ping();
    await once(this.socket, 'pong');
    return this.#inbox.splice(0);
  }
}
