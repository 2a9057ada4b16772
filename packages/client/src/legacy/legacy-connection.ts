import type { Socket } from 'node:net';
import { inTime, Mutex } from '@azimuth/async';
import {
  errorCodeOf,
  type Framing,
  type LegacyCommand,
  LegacySplitter,
  type LegacyTelegram,
  parseCommand,
  responseWords,
} from '@azimuth/telegrams/legacy';
import { type ClientError, UnreachableError } from '../errors.js';
import { connectedSocket, socketErrorText } from '../receive/connected-socket.js';
import { type LegacyAddress, legacyUrl } from './legacy-address.js';
import type { Request } from './request.js';
import { LegacyError } from './request.js';

/** The bytes after a name, and their framing. */
export interface Body {
  readonly framing: Framing;
  readonly payload: Uint8Array;
}

/** Receiver of the events of one name. */
export interface EventSink {
  receive(event: Body): void;
  /** Called when the connection is over, without an error if it was closed here. */
  end(error?: ClientError): void;
}

interface Pending {
  readonly request: Request;
  readonly resolve: (response: LegacyCommand & Body) => void;
  readonly reject: (error: ClientError) => void;
}

/** Limit for the bytes of a telegram; the largest scans stay below 64 KiB. */
const maxTelegramBytes = 1024 * 1024;

/** Idle time after which TCP keep-alive probes the connection (ms). */
const keepAliveDelay = 10_000;

/**
 * One connection. A request waits until the one before is answered. A response is recognised by its command and name. If
 * a response does not arrive in time, the connection is closed: otherwise, a late response could be taken for the response to
 * the next request.
 */
export class LegacyConnection {
  readonly url: string;
  readonly framing: Framing;
  readonly #socket: Socket;
  readonly #timeoutMs: number;
  readonly #splitter = new LegacySplitter(maxTelegramBytes);
  readonly #sinks = new Map<string, Set<EventSink>>();
  #pending: Pending | undefined;
  readonly #requests = new Mutex();
  #over: UnreachableError | undefined;

  /** @param socket connected */
  constructor(socket: Socket, facts: { url: string; framing: Framing; timeoutMs: number }) {
    this.#socket = socket;
    this.url = facts.url;
    this.framing = facts.framing;
    this.#timeoutMs = facts.timeoutMs;
    socket.setNoDelay(true).setKeepAlive(true, keepAliveDelay);
    socket.on('data', (piece: Uint8Array) => {
      for (const telegram of this.#splitter.push(piece)) this.#receive(telegram);
    });
    socket.on('error', (error) => this.#end(`the connection failed (${socketErrorText(error)})`, error));
    socket.on('end', () => this.#end('the scanner closed the connection'));
    socket.on('close', () => this.#end('the connection is lost'));
  }

  /** True if the connection is over. */
  get isOver(): boolean {
    return this.#over !== undefined;
  }

  /**
   * Sends a request and returns the response. Requests are sent one after the other.
   * @throws LegacyError for an error, UnreachableError if no response arrives in time or the connection is closed.
   */
  request(request: Request): Promise<LegacyCommand & Body> {
    return this.#requests.run(() => this.#send(request));
  }

  /** Passes the events of a name to a sink from now on. */
  attach(name: string, sink: EventSink): void {
    const sinks = this.#sinks.get(name) ?? new Set();
    this.#sinks.set(name, sinks.add(sink));
  }

  /** Stops passing events to a sink. @returns true if no sink is left for this name */
  detach(name: string, sink: EventSink): boolean {
    const sinks = this.#sinks.get(name);
    sinks?.delete(sink);
    if (sinks === undefined || sinks.size > 0) return false;
    return this.#sinks.delete(name);
  }

  /** Closes the connection. Everything that waits for data of it ends. */
  close(): void {
    this.#end('the connection was closed here', undefined, true);
  }

  #send(request: Request): Promise<LegacyCommand & Body> {
    if (this.#over !== undefined) return Promise.reject(this.#over);
    const response = new Promise<LegacyCommand & Body>((resolve, reject) => {
      this.#pending = { request, resolve, reject };
      this.#socket.write(request.frame);
    });
    return inTime(this.#timeoutMs, response, () => {
      throw this.#end(`no answer to ${request.command} ${request.name} within ${this.#timeoutMs / 1000} s`);
    });
  }

  #receive(telegram: LegacyTelegram): void {
    const command = parseCommand(telegram);
    const pending = this.#pending;
    if (command?.command === 'sSN') {
      const event = { framing: telegram.framing, payload: command.payload };
      for (const sink of this.#sinks.get(command.name) ?? []) sink.receive(event);
      return;
    }
    // Unexpected responses are ignored, as by all clients.
    if (command === undefined || pending === undefined) return;
    const { command: requested, name } = pending.request;
    const code = errorCodeOf(telegram);
    if (code !== undefined) this.#takePending()?.reject(new LegacyError(name, code));
    else if (command.command === responseWords[requested] && command.name === name) {
      this.#takePending()?.resolve({ ...command, framing: telegram.framing });
    }
  }

  #takePending(): Pending | undefined {
    const pending = this.#pending;
    this.#pending = undefined;
    return pending;
  }

  #end(reason: string, cause?: unknown, isIntended = false): UnreachableError {
    if (this.#over !== undefined) return this.#over;
    const error = new UnreachableError(this.url, reason, cause);
    this.#over = error;
    this.#socket.destroy();
    this.#takePending()?.reject(error);
    const sinks = [...this.#sinks.values()].flatMap((all) => [...all]);
    this.#sinks.clear();
    for (const sink of sinks) {
      if (isIntended) sink.end();
      else sink.end(error);
    }
    return error;
  }
}

/**
 * Connects once to a legacy interface.
 * @param timeoutMs for connecting, and later for each response
 * @throws UnreachableError if nothing answers; the reason of the signal if it aborts
 */
export async function connectLegacy(
  address: LegacyAddress,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<LegacyConnection> {
  const url = legacyUrl(address);
  const { host, port, framing } = address;
  const socket = await connectedSocket({ host, port, label: url, timeoutMs, signal });
  return new LegacyConnection(socket, { url, framing, timeoutMs });
}
