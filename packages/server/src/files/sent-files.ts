import type { ServerResponse } from 'node:http';
import { endInPieces } from '@azimuth/http';
import { mostSentFileBytes } from './limits.js';

/**
 * Files that are sent from memory. Clients that get the same file share its bytes. The limit keeps a client that
 * replaces and requests files but never reads them from filling the memory.
 */
class SentFiles {
  readonly #readers = new Map<Uint8Array, number>();
  #bytes = 0;

  /** May this file be sent now? A file that is already being sent always may. */
  hasRoomFor(file: Uint8Array): boolean {
    return this.#readers.has(file) || this.#bytes + file.length <= mostSentFileBytes;
  }

  /** Ends an answer with this file. The head must be written already. */
  send(response: ServerResponse, file: Uint8Array): void {
    const { socket } = response.req;
    const before = this.#readers.get(file) ?? 0;
    if (before === 0) this.#bytes += file.length;
    this.#readers.set(file, before + 1);
    // An answer that waits behind others gets no event when its connection closes.
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

/** Of all scanners of the process. */
export const sentFiles = new SentFiles();
