import type { IWebSocket } from '@foxglove/ws-protocol';
import type { RawData } from 'ws';
import {
  closeTime,
  mostNames,
  mostOpenRequests,
  mostUnansweredPings,
  mostUnsentBytes,
  mostWaitingBytes,
  mostWrongMessages,
  pingInterval,
} from './limits.js';
import { subscriptionOf } from './protocol.js';
import { checkedMessage, type Subscription, type ViewerMessage, WrongMessage } from './viewer-message.js';

export interface ViewerHooks {
  /** True for channels whose messages must not get lost. */
  keeps(channelId: number): boolean;
  /** Called before the library handles a message. False if the library must not see it. */
  received(viewer: Viewer, message: ViewerMessage): boolean;
  /** Called after the library has handled the subscriptions. */
  subscribed(viewer: Viewer, subscriptions: readonly Subscription[]): void;
  wrong(viewer: Viewer, why: string): void;
  closed(viewer: Viewer, why: string): void;
}

/** What a viewer needs of its socket: a part of the WebSocket of `ws`. */
export interface ViewerSocket {
  readonly protocol: string;
  /** Bytes that the other side has not taken yet. */
  readonly bufferedAmount: number;
  send(data: string | Uint8Array, options: { readonly compress: boolean }, written: () => void): void;
  close(code: number, reason: string): void;
  ping(): void;
  terminate(): void;
  on(event: 'message', listener: (data: RawData, isBinary: boolean) => void): unknown;
  on(event: 'close', listener: (code: number, reason: Buffer) => void): unknown;
  on(event: 'pong' | 'error', listener: () => void): unknown;
}

/** Code of the WebSocket for a connection that the server ends because of a rule of its own (RFC 6455, 7.4.1). */
const againstTheRules = 1008;
const tryAgainLater = 1013;

/**
 * A viewer, between its socket and the library that speaks the protocol. What the viewer sends is checked here, and what it
 * is sent waits here if it reads slowly: of each subscription only the newest message, in turn, so a slow viewer loses
 * frames. Messages of the protocol, parameters, and messages of channels that are kept wait all, in order, up to
 * `mostWaitingBytes`; then the viewer is disconnected, with the reason.
 */
export class Viewer implements IWebSocket {
  binaryType = 'arraybuffer';
  readonly protocol: string;
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;
  onclose: ((event: { code: number; reason: string; wasClean: boolean }) => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  /** Names of the parameters that it follows. */
  readonly parameterNames = new Set<string>();
  /** True while it follows the graph of connections. */
  followsGraph = false;

  readonly #socket: ViewerSocket;
  readonly #hooks: ViewerHooks;
  /** Messages that must not get lost, the oldest first. */
  readonly #kept: (string | Uint8Array)[] = [];
  #keptBytes = 0;
  /** The newest message of each subscription that waits, by its number. */
  readonly #newest = new Map<number, Uint8Array>();
  /** Subscriptions of channels whose messages are kept, by the number of the channel. */
  readonly #keptSubscriptions = new Map<number, number>();
  readonly #pings: NodeJS.Timeout;
  #unansweredPings = 0;
  #wrongMessages = 0;
  #openRequests = 0;
  #dropped = 0;
  #isEnding = false;

  constructor(
    /** Address of the viewer, for people. */
    readonly address: string,
    socket: ViewerSocket,
    hooks: ViewerHooks,
  ) {
    this.#socket = socket;
    this.#hooks = hooks;
    this.protocol = socket.protocol;
    this.#pings = setInterval(() => this.#ping(), pingInterval).unref();
    socket.on('message', (data, isBinary) => this.#receive(isBinary ? undefined : String(data)));
    socket.on('pong', () => {
      this.#unansweredPings = 0;
    });
    // A message above the limit or a broken frame: the library of the socket closes it with the code for that.
    socket.on('error', () => undefined);
    socket.on('close', (code, reason) => this.#closed(code, String(reason)));
  }

  /** Number of messages that the viewer was too slow for. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Bytes that wait for the viewer here. */
  get waitingBytes(): number {
    return [...this.#newest.values()].reduce((sum, { length }) => sum + length, this.#keptBytes);
  }

  /** Sends a message of the protocol, or data of a subscription. */
  send(data: string | ArrayBuffer | ArrayBufferView): void {
    if (this.#isEnding) return;
    const message = typeof data === 'string' ? data : bytesOf(data);
    const subscription = typeof message === 'string' ? undefined : subscriptionOf(message);
    if (typeof message === 'string' || subscription === undefined || this.#isKept(subscription)) {
      this.#keep(message);
    } else {
      if (this.#newest.has(subscription)) this.#dropped++;
      this.#newest.set(subscription, message);
    }
    this.#sendNext();
  }

  /** Ends the connection. The viewer gets the reason if it still reads. */
  close(code = 1000, reason = ''): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#forget();
    this.#socket.close(code, reason);
    setTimeout(() => this.#socket.terminate(), closeTime).unref();
  }

  /** Counts a request that is answered later. False if there are too many. */
  beginRequest(): boolean {
    if (this.#openRequests >= mostOpenRequests) return false;
    this.#openRequests++;
    return true;
  }

  endRequest(): void {
    this.#openRequests--;
  }

  #isKept(subscription: number): boolean {
    return [...this.#keptSubscriptions.values()].includes(subscription);
  }

  #keep(message: string | Uint8Array): void {
    const bytes = typeof message === 'string' ? Buffer.byteLength(message) : message.length;
    if (this.#keptBytes + bytes > mostWaitingBytes) {
      this.close(tryAgainLater, 'this viewer reads too slowly: messages that must not get lost wait for it');
      return;
    }
    this.#kept.push(message);
    this.#keptBytes += bytes;
  }

  /** Sends what waits while the socket takes it: first what must not get lost. */
  #sendNext(): void {
    while (!this.#isEnding && this.#socket.bufferedAmount < mostUnsentBytes) {
      const message = this.#nextKept() ?? this.#nextOfNewest();
      if (message === undefined) return;
      this.#socket.send(message, { compress: false }, () => this.#sendNext());
    }
  }

  #nextKept(): string | Uint8Array | undefined {
    const message = this.#kept.shift();
    if (message !== undefined) {
      this.#keptBytes -= typeof message === 'string' ? Buffer.byteLength(message) : message.length;
    }
    return message;
  }

  #nextOfNewest(): Uint8Array | undefined {
    for (const [subscription, message] of this.#newest) {
      this.#newest.delete(subscription);
      return message;
    }
    return undefined;
  }

  #receive(data: string | undefined): void {
    if (this.#isEnding) return;
    try {
      const message = checkedMessage(data);
      this.#note(message);
      if (data !== undefined && this.#hooks.received(this, message)) this.onmessage?.({ data });
      if (message.op === 'subscribe') this.#hooks.subscribed(this, message.subscriptions);
    } catch (error) {
      if (!(error instanceof WrongMessage)) throw error;
      this.#hooks.wrong(this, error.message);
      if (++this.#wrongMessages >= mostWrongMessages) this.close(againstTheRules, 'too many wrong messages');
    }
  }

  /** Remembers what the message subscribes to. */
  #note(message: ViewerMessage): void {
    if (message.op === 'subscribe') {
      for (const { id, channelId } of message.subscriptions) {
        if (this.#hooks.keeps(channelId) && !this.#keptSubscriptions.has(channelId))
          this.#keptSubscriptions.set(channelId, id);
      }
    } else if (message.op === 'unsubscribe') {
      for (const [channelId, id] of this.#keptSubscriptions)
        if (message.subscriptionIds.includes(id)) this.#keptSubscriptions.delete(channelId);
      for (const id of message.subscriptionIds) this.#newest.delete(id);
    } else if (message.op === 'subscribeParameterUpdates') {
      for (const name of message.parameterNames) {
        if (this.parameterNames.size >= mostNames && !this.parameterNames.has(name))
          throw new WrongMessage('parameterNames', `at most ${mostNames} names in all`, 'more');
        this.parameterNames.add(name);
      }
    } else if (message.op === 'unsubscribeParameterUpdates') {
      for (const name of message.parameterNames) this.parameterNames.delete(name);
    }
  }

  #ping(): void {
    if (++this.#unansweredPings > mostUnansweredPings) this.#socket.terminate();
    else this.#socket.ping();
  }

  #forget(): void {
    this.#kept.length = 0;
    this.#keptBytes = 0;
    this.#newest.clear();
  }

  #closed(code: number, reason: string): void {
    clearInterval(this.#pings);
    this.#isEnding = true;
    this.#forget();
    this.onclose?.({ code, reason, wasClean: code === 1000 });
    this.#hooks.closed(this, `${code}${reason === '' ? '' : `, ${reason}`}`);
  }
}

function bytesOf(data: ArrayBuffer | ArrayBufferView): Uint8Array {
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}
