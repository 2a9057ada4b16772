import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock, Device, Log } from '@azimuth/device';
import type { Caller } from '@azimuth/device/network-interface';
import { asDeclared, endInPieces, type RequestContext, refuse, setDetail } from '@azimuth/http';
import { longestDrain, retryAfter } from '@azimuth/http/limits';
import { type FileEndpoint, Refusal } from '@azimuth/model';
import { mostSentFileBytes } from './limits.js';

/** A request for a file, under a verb that the file has and with the session token that it needs. */
export interface Transfer {
  readonly device: Device;
  readonly file: FileEndpoint;
  readonly context: RequestContext;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Owner of its session token; undefined if the release requires none. */
  readonly caller: Caller | undefined;
  /** Log of this request: its lines carry the correlation. */
  readonly log: Log;
}

/** Responds to a transfer, and reads the request to its end or closes the connection. */
export type Handler = (transfer: Transfer) => Promise<void>;

/**
 * Reads and drops the rest of a body, so that the client receives its refusal and can reuse the connection. The
 * connection is closed if the body does not end in time.
 */
export function drain(request: IncomingMessage, clock: Clock): void {
  request.on('data', () => clock.catchUp());
  if (request.complete || request.destroyed) return;
  const cancel = clock.after(longestDrain, () => request.destroy());
  request.once('close', cancel);
}

/** Refuses a transfer without a valid session token: HTTP 403 with the envelope of status 4, and the detail in a header. */
export function refuseWithoutToken(
  clock: Clock,
  request: IncomingMessage,
  response: ServerResponse,
  refusal: Refusal,
): void {
  drain(request, clock);
  setDetail(response, refusal.message);
  refuse(response, refusal, 403);
}

/**
 * Files that are sent from memory. Clients that get the same file share its bytes. The limit protects the memory from a
 * client that replaces and requests files but never reads them.
 */
class SentFiles {
  readonly #readers = new Map<Uint8Array, number>();
  #bytes = 0;

  /** Returns true if this file can be sent now. A file that is already being sent always can. */
  hasRoomFor(file: Uint8Array): boolean {
    return this.#readers.has(file) || this.#bytes + file.length <= mostSentFileBytes;
  }

  /** Ends a response with this file. The head must be written already. */
  send(response: ServerResponse, file: Uint8Array): void {
    const { socket } = response.req;
    const before = this.#readers.get(file) ?? 0;
    if (before === 0) this.#bytes += file.length;
    this.#readers.set(file, before + 1);
    // A response that waits behind others gets no event when its connection closes.
    const release = () => {
      response.off('close', release);
      socket.off('close', release);
      this.#release(file);
    };
    response.once('close', release);
    socket.once('close', release);
    endInPieces(response, file);
  }

  #release(file: Uint8Array): void {
    const readers = (this.#readers.get(file) ?? 1) - 1;
    if (readers > 0) {
      this.#readers.set(file, readers);
      return;
    }
    this.#readers.delete(file);
    this.#bytes -= file.length;
  }
}

/** Files of all scanners of the process. */
const sentFiles = new SentFiles();

/** Sends a file. HTTP 503 while too many bytes of files are being sent. */
export function sendFile(
  response: ServerResponse,
  file: Uint8Array,
  facts: { readonly type: string; readonly disposition: string },
): void {
  if (!sentFiles.hasRoomFor(file)) {
    response.setHeader('Retry-After', retryAfter);
    refuse(response, new Refusal('internalServerError', '', 'too many files are being sent; try again'), 503);
    return;
  }
  response.writeHead(200, {
    'Content-Type': facts.type,
    'Content-Length': file.length,
    'Content-Disposition': facts.disposition,
    'Cache-Control': 'no-store',
    ...asDeclared,
  });
  sentFiles.send(response, file);
}
