import type { Socket } from 'node:net';
import { inTime, Mutex } from '@azimuth/async';
import {
  answerWords,
  errorCodeOf,
  type Framing,
  type LegacyCommand,
  LegacySplitter,
  type LegacyTelegram,
  parseCommand,
} from '@azimuth/telegrams/legacy';
import { type ClientError, UnreachableError } from '../errors.js';
import { connectedSocket, reasonOf } from '../receive/connected-socket.js';
import { type LegacyAddress, legacyUrl } from './legacy-address.js';
import type { Request } from './request.js';
import { LegacyError } from './request.js';

/** The bytes after a name, and their framing. */
export interface Body {
  readonly framing: Framing;
  readonly payload: Uint8Array;
}

/** Where the events of one name go. */
export interface EventSink {
  take(event: Body): void;
  /** The connection is over, without an error if it was closed here. */
  end(error?: ClientError): void;
}

interface Pending {
  readonly request: Request;
  readonly resolve: (answer: LegacyCommand & Body) => void;
  readonly reject: (error: ClientError) => void;
}

/** Bytes that a telegram may have; the largest scans stay below 64 KiB. */
const longestTelegram = 1024 * 1024;

/** Idle time after which TCP keep-alive probes the connection (ms). */
const keepAlive = 10_000;

/**
 * One connection. Requests wait until the one before is answered; an answer is known by its command and name. One that
 * does not come in time ends the connection: a late answer could be taken for the answer to the next request.
 */
export class LegacyConnection {
  readonly url: string;
  readonly framing: Framing;
  readonly #socket: Socket;
  readonly #timeoutMs: number;
  readonly #splitter = new LegacySplitter(longestTelegram);
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
    socket.setNoDelay(true).setKeepAlive(true, keepAlive);
    socket.on('data', (piece: Uint8Array) => {
      for (const telegram of this.#splitter.push(piece)) this.#take(telegram);
    });
    socket.on('error', (error) => this.#end(`the connection failed (${reasonOf(error)})`, error));
    socket.on('end', () => this.#end('the scanner closed the connection'));
    socket.on('close', () => this.#end('the connection is lost'));
  }

  /** Is the connection over? */
  get isOver(): boolean {
    return this.#over !== undefined;
  }

  /**
   * The answer to a request; requests are sent one after the other.
   * @throws LegacyError for an error, UnreachableError if no answer arrives in time or the connection is closed.
   */
  ask(request: Request): Promise<LegacyCommand & Body> {
    return this.#requests.run(() => this.#send(request));
  }

  /** Hands the events of a name on, from now on. */
  attach(name: string, sink: EventSink): void {
    const sinks = this.#sinks.get(name) ?? new Set();
    this.#sinks.set(name, sinks.add(sink));
  }

  /** Stops handing them on. @returns whether no sink is left for this name */
  detach(name: string, sink: EventSink): boolean {
    const sinks = this.#sinks.get(name);
    sinks?.delete(sink);
    if (sinks === undefined || sinks.size > 0) return false;
    return this.#sinks.delete(name);
  }

  /** Ends the connection, and all that wait for something of it. */
  close(): void {
    this.#end('the connection was closed here', undefined, true);
  }

  #send(request: Request): Promise<LegacyCommand & Body> {
    if (this.#over !== undefined) return Promise.reject(this.#over);
    const answer = new Promise<LegacyCommand & Body>((resolve, reject) => {
      this.#pending = { request, resolve, reject };
      this.#socket.write(request.frame);
    });
    return inTime(this.#timeoutMs, answer, () => {
      throw this.#end(`no answer to ${request.word} ${request.name} within ${this.#timeoutMs / 1000} s`);
    });
  }

  #take(telegram: LegacyTelegram): void {
    const command = parseCommand(telegram);
    const pending = this.#pending;
    if (command?.command === 'sSN') {
      const event = { framing: telegram.framing, payload: command.payload };
      for (const sink of this.#sinks.get(command.name) ?? []) sink.take(event);
      return;
    }
    // Answers that were not asked for are ignored, as all clients do.
    if (command === undefined || pending === undefined) return;
    const { word, name } = pending.request;
    const code = errorCodeOf(telegram);
    if (code !== undefined) this.#settled()?.reject(new LegacyError(name, code));
    else if (command.command === answerWords[word] && command.name === name) {
      this.#settled()?.resolve({ ...command, framing: telegram.framing });
    }
  }

  #settled(): Pending | undefined {
    const pending = this.#pending;
    this.#pending = undefined;
    return pending;
  }

  #end(reason: string, cause?: unknown, isWanted = false): UnreachableError {
    if (this.#over !== undefined) return this.#over;
    const error = new UnreachableError(this.url, reason, cause);
    this.#over = error;
    this.#socket.destroy();
    this.#settled()?.reject(error);
    const sinks = [...this.#sinks.values()].flatMap((all) => [...all]);
    this.#sinks.clear();
    for (const sink of sinks) {
      if (isWanted) sink.end();
      else sink.end(error);
    }
    return error;
  }
}

/**
 * Connects to a legacy interface, once.
 * @param timeoutMs for connecting, and later for each answer
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
