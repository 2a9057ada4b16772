import type { Socket } from 'node:net';
import type { Clock, Motion } from '@azimuth/device';
import { ClockMapping } from './clock-mapping.js';
import { FloodGuard } from './flood-guard.js';
import {
  farewellTimeout,
  firstPings,
  helloTimeout,
  mostUnreadBytes,
  pingInterval,
  pingTimeout,
} from './limits.js';
import { decodeCoreMessage } from './protocol/decode.js';
import { encodeOrder, encodePing, encodeRefusal, encodeScannerHello, encodeStop } from './protocol/encode.js';
import { capability, mostMessageBytes, protocolVersion } from './protocol/layout.js';
import { MessageSplitter } from './protocol/message-splitter.js';
import { type CoreMessage, type Hello, type Order, ProtocolError, type Status } from './protocol/messages.js';

export type SegmentMessage = Extract<CoreMessage, { readonly kind: 'segment' }>;

/** Receives what a core sends. */
export interface CoreListenerEvents {
  /** The core may get orders: its name and its clock are known. */
  ready(): void;
  segment(segment: SegmentMessage): void;
  started(order: number): void;
  motion(motion: Motion): void;
  status(status: Status): void;
  /** One of the clocks was set. */
  clockSet(): void;
  /** @param problem what the core did wrong; undefined if it has ended */
  closed(problem: string | undefined): void;
}

interface Ping {
  readonly token: bigint;
  /** ms of the scanner's clock. */
  readonly sent: number;
}

/**
 * | state     | hello      | eighth pong | closed by either side |
 * |-----------|------------|-------------|-----------------------|
 * | greeting  | mapping    | closed      | closed                |
 * | mapping   | closed     | ready       | closed                |
 * | ready     | closed     | ready       | closed                |
 */
type State =
  | { readonly kind: 'greeting' }
  | { readonly kind: 'mapping'; readonly core: Hello; pongs: number }
  | { readonly kind: 'ready'; readonly core: Hello }
  | { readonly kind: 'closed' };

/** A connection of a core, from its first byte on. */
export class CoreConnection {
  readonly mapping = new ClockMapping();
  readonly #socket: Socket;
  readonly #clock: Clock;
  readonly #events: CoreListenerEvents;
  readonly #flood: FloodGuard;
  readonly #splitter = new MessageSplitter(mostMessageBytes, (message) => this.#receive(message));
  #state: State = { kind: 'greeting' };
  #ping: Ping | undefined;
  #pings = 0n;
  /** Time at which the bytes that are read now have come. */
  #received = 0;
  #cancelTimer: () => void;

  constructor(socket: Socket, clock: Clock, events: CoreListenerEvents) {
    this.#socket = socket;
    this.#clock = clock;
    this.#events = events;
    this.#flood = new FloodGuard(clock);
    this.#cancelTimer = clock.after(helloTimeout, () =>
      this.close(`it did not say hello and answer pings within ${helloTimeout / 1000} s`),
    );
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => this.#ended());
    this.#send(encodeScannerHello('Azimuth'));
  }

  /** What the core said of itself. Undefined before. */
  get core(): Hello | undefined {
    return this.#state.kind === 'mapping' || this.#state.kind === 'ready' ? this.#state.core : undefined;
  }

  get isReady(): boolean {
    return this.#state.kind === 'ready';
  }

  can(what: keyof typeof capability): boolean {
    return ((this.core?.capabilities ?? 0) & capability[what]) !== 0;
  }

  order(order: Order): void {
    this.#flood.ordered(order.geometry);
    this.#send(encodeOrder(order));
  }

  stop(order: number): void {
    this.#send(encodeStop(order));
  }

  /** Closes the connection. The core gets the reason. */
  close(problem: string): void {
    if (this.#state.kind === 'closed') return;
    refuse(this.#socket, this.#clock, problem);
    this.#leave(problem);
  }

  #ended(): void {
    if (this.#state.kind !== 'closed') this.#leave(undefined);
  }

  #leave(problem: string | undefined): void {
    this.#state = { kind: 'closed' };
    this.#cancelTimer();
    this.#events.closed(problem);
  }

  #read(chunk: Buffer): void {
    if (this.#state.kind === 'closed') return;
    this.#received = this.#clock.monotonic();
    if (!this.#flood.admitBytes(chunk.length)) {
      this.close('it sends too many bytes');
      return;
    }
    try {
      this.#splitter.push(chunk);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      this.close(`it sent ${error.message}`);
    }
  }

  #receive(bytes: Buffer): void {
    if (this.#state.kind === 'closed') return;
    if (!this.#flood.admitMessage()) {
      this.close('it sends too many messages');
      return;
    }
    const message = decodeCoreMessage(bytes);
    if (this.#state.kind === 'greeting' || message.kind === 'hello') this.#greet(message);
    else this.#handle(message);
  }

  #greet(message: CoreMessage): void {
    if (message.kind !== 'hello' || this.#state.kind !== 'greeting')
      throw new ProtocolError(`${message.kind} at the wrong time`);
    if (message.version !== protocolVersion) {
      this.close(
        `it speaks version ${message.version} of the protocol, and this scanner version ${protocolVersion}`,
      );
      return;
    }
    this.#state = { kind: 'mapping', core: message, pongs: 0 };
    this.#sendPing();
  }

  #handle(message: Exclude<CoreMessage, { readonly kind: 'hello' }>): void {
    if (message.kind === 'pong') this.#pong(message.token, message.time);
    else if (message.kind === 'status') this.#events.status(message);
    // Before it is ready, it has no order. What it measures belongs to none.
    else if (this.#state.kind !== 'ready') return;
    else if (message.kind === 'segment') this.#events.segment(message);
    else if (message.kind === 'motion') this.#events.motion(message.motion);
    else this.#events.started(message.order);
  }

  #pong(token: bigint, time: bigint): void {
    const ping = this.#ping;
    if (ping?.token !== token) throw new ProtocolError('a pong without a ping');
    this.#ping = undefined;
    if (!this.mapping.add(ping.sent, time, this.#received)) this.#events.clockSet();
    const state = this.#state;
    if (state.kind === 'mapping') {
      state.pongs += 1;
      if (state.pongs < firstPings) {
        this.#sendPing();
        return;
      }
      this.#state = { kind: 'ready', core: state.core };
      this.#events.ready();
    }
    this.#cancelTimer();
    this.#cancelTimer = this.#clock.after(pingInterval, () => this.#pingAgain());
  }

  #pingAgain(): void {
    this.#sendPing();
    this.#cancelTimer = this.#clock.after(pingTimeout, () =>
      this.close(`it did not answer a ping within ${pingTimeout / 1000} s`),
    );
  }

  #sendPing(): void {
    this.#pings += 1n;
    this.#ping = { token: this.#pings, sent: this.#clock.monotonic() };
    this.#send(encodePing(this.#pings));
  }

  #send(bytes: Uint8Array): void {
    if (this.#state.kind === 'closed') return;
    this.#socket.write(bytes);
    if (this.#socket.writableLength > mostUnreadBytes) this.close('it does not read what it gets');
  }
}

/** Sends the reason why a connection is closed, and closes it. What it still sends is not read. */
export function refuse(socket: Socket, clock: Clock, reason: string): void {
  socket.pause();
  // For a core that does not read.
  const cancel = clock.after(farewellTimeout, () => socket.destroy());
  socket.once('close', cancel);
  socket.end(encodeRefusal(reason), () => socket.destroy());
}
