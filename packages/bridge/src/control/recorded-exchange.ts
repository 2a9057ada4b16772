import type { IncomingMessage } from 'node:http';
import { SharedLimit } from '@azimuth/http';
import { timeNow } from '../timeline/clock.js';
import type { TimelineEntry } from '../timeline/timeline-entry.js';
import { KeptBody } from './kept-body.js';
import { mostKept } from './limits.js';
import { headersWithoutSecrets } from './passed-headers.js';
import { requestBody, responseBody } from './without-secrets.js';

/** What an exchange tells of itself. */
export interface Recording {
  readonly tell: (entry: TimelineEntry) => void;
  /** Bytes of all bodies that are kept at the same time. */
  readonly room: SharedLimit;
  /** Number of the next request. */
  readonly nextId: () => number;
  /** Number of the next WebSocket or connection of the legacy protocol. */
  readonly nextConnection: () => number;
}

/** Returns a recording whose numbers begin with 1. */
export function recordingOn(tell: (entry: TimelineEntry) => void): Recording {
  let requests = 0;
  let connections = 0;
  return {
    tell,
    room: new SharedLimit(mostKept),
    nextId: () => ++requests,
    nextConnection: () => ++connections,
  };
}

/** One request with its response, on their way to the timeline. */
export class RecordedExchange {
  readonly id: number;
  readonly #recording: Recording;
  readonly #method: string;
  readonly #path: string;
  readonly #requestHeaders: readonly string[];
  readonly #begun = timeNow();
  readonly #request: KeptBody;
  readonly #response: KeptBody;
  #isRequested = false;
  #isOver = false;
  #head: { readonly statusCode?: number | undefined; readonly rawHeaders: readonly string[] } | undefined;

  /** @param path the requested path, with its query */
  constructor(recording: Recording, { method = '', rawHeaders }: IncomingMessage, path: string) {
    this.#recording = recording;
    this.id = recording.nextId();
    this.#method = method;
    this.#path = path;
    this.#requestHeaders = headersWithoutSecrets(rawHeaders);
    this.#request = new KeptBody(recording.room);
    this.#response = new KeptBody(recording.room);
  }

  /** Follows the body of the request. Call it just before the body is passed on. */
  follow(request: IncomingMessage): void {
    request.on('data', (piece: Buffer) => this.#request.add(piece));
    request.once('end', () => this.requested());
  }

  /** The request is complete, or nothing more of it matters. */
  requested(): void {
    if (this.#isRequested) return;
    this.#isRequested = true;
    this.#recording.tell({
      ...{ kind: 'request', at: this.#begun, id: this.id, method: this.#method, path: this.#path },
      headers: this.#requestHeaders,
      ...requestBody(this.#method, this.#path, this.#request),
    });
  }

  /** Follows a response of the scanner to its end. */
  responds(incoming: IncomingMessage): void {
    this.requested();
    this.#head = incoming;
    incoming.on('data', (piece: Buffer) => this.#response.add(piece));
    incoming.once('close', () => this.#end(!incoming.complete));
  }

  /** The connection is a WebSocket from now on. */
  upgrades(incoming: IncomingMessage): void {
    this.#head = incoming;
    this.#end(false);
  }

  /** The program has got this response, which the scanner did not send. */
  answered(status: number | undefined, headers: readonly string[], body: Uint8Array): void {
    this.#head = { statusCode: status, rawHeaders: [...headers] };
    this.#response.add(body);
    this.#end(false);
  }

  /** There will be no response of the scanner, or no further one. */
  end(): void {
    if (this.#head === undefined) this.#end(false);
  }

  /** @param isBrokenOff true if the response is not complete */
  #end(isBrokenOff: boolean): void {
    this.requested();
    if (this.#isOver) return;
    this.#isOver = true;
    const { statusCode, rawHeaders = [] } = this.#head ?? {};
    this.#recording.tell({
      ...{ kind: 'response', at: timeNow(), id: this.id, status: statusCode },
      headers: headersWithoutSecrets(rawHeaders),
      ...responseBody(this.#path, this.#response),
      ...(isBrokenOff ? { isBrokenOff } : {}),
    });
  }
}
