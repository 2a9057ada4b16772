import { expect, onTestFinished } from 'vitest';
import { type JsonObject, object, string } from './json.js';
import { WebSocketClient, type WebSocketOptions } from './web-socket.js';

/** A connection for events that ends with the test. */
export async function openSocket(port: number, options: WebSocketOptions = {}): Promise<WebSocketClient> {
  const socket = await WebSocketClient.open(port, options);
  onTestFinished(() => socket.destroy());
  return socket;
}

/** A client for events that checks every message completely. */
export class Subscriber {
  #inbox: JsonObject[] = [];

  constructor(readonly socket: WebSocketClient) {}

  static async connect(port: number, options: WebSocketOptions = {}): Promise<Subscriber> {
    return new Subscriber(await openSocket(port, options));
  }

  send(message: unknown): void {
    this.socket.send(JSON.stringify(message));
  }

  /** Registers for an event, and returns the response. */
  async register(event: string, clientId = 1, options?: unknown): Promise<JsonObject> {
    this.send({ type: 'register', event, clientId, options });
    const response = await this.#receive((message) => message.type === 'register', `an answer for ${event}`);
    expect(response).toMatchObject({ type: 'register', event, clientId });
    return response;
  }

  /** Registers for an existing event. Returns its current value. */
  async follow(event: string, clientId = 1, options?: unknown): Promise<JsonObject> {
    const response = await this.register(event, clientId, options);
    expect(response).toEqual({ type: 'register', event, clientId, status: 0, data: response.data });
    return object(response.data);
  }

  /** Expects that a registration is refused. Returns the reason. */
  async refused(event: string, clientId = 1, options?: unknown): Promise<string> {
    const response = await this.register(event, clientId, options);
    expect(response).toEqual({ type: 'register', event, clientId, status: 1, error: response.error });
    expect(response.error).not.toBe('');
    return string(response.error);
  }

  deregister(event: string, clientId = 1): void {
    this.send({ type: 'deregister', event, clientId });
  }

  /** The data of the next push of an event. */
  async push(event: string, clientId = 1, timeoutMs?: number): Promise<JsonObject> {
    const push = await this.#receive(
      (message) => message.type === 'event' && message.event === event && message.clientId === clientId,
      `a push of ${event}`,
      timeoutMs,
    );
    expect(push).toEqual({ type: 'event', event, clientId, status: 0, data: push.data });
    return object(push.data);
  }

  /** All messages that were not taken, after the scanner has processed everything that was sent. */
  async rest(): Promise<readonly JsonObject[]> {
    await this.socket.pingPong();
    while (this.socket.unread > 0) this.#inbox.push(object(await this.socket.nextJson()));
    return this.#inbox.splice(0);
  }

  /** The data of all pushes of one event that were not taken. */
  async pushes(event: string, clientId = 1): Promise<readonly JsonObject[]> {
    const messages = await this.rest();
    const strangers = messages.filter(({ type }) => type !== 'event');
    expect(strangers).toEqual([]);
    return messages
      .filter((message) => message.event === event && message.clientId === clientId)
      .map(({ data }) => object(data));
  }

  async #receive(
    is: (message: JsonObject) => boolean,
    what: string,
    timeoutMs = 20_000,
  ): Promise<JsonObject> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const index = this.#inbox.findIndex(is);
      const [message] = index < 0 ? [] : this.#inbox.splice(index, 1);
      if (message !== undefined) return message;
      try {
        const left = Math.max(0, deadline - performance.now());
        this.#inbox.push(object(await this.socket.nextJson(left)));
      } catch (error) {
        throw new Error(`${what}: ${JSON.stringify(this.#inbox).slice(0, 500)}`, { cause: error });
      }
    }
  }
}
