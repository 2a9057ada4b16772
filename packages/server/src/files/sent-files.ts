import type { ServerResponse } from 'node:http';
import { endInPieces } from '../http/reply.js';

/** Bytes of files that may be on their way to clients, those that are the same counted once. */
const mostBytes = 40 * 1024 * 1024;

/**
 * Files that are sent out of memory, each shared by all who are sent it. Who has a file replaced and fetched again and
 * again, and reads none of them, must not have all of them kept.
 */
class SentFiles {
  readonly #readers = new Map<Uint8Array, number>();
  #bytes = 0;

  /** May this one be sent as well? One that is on its way already always may. */
  hasRoomFor(file: Uint8Array): boolean {
    return this.#readers.has(file) || this.#bytes + file.length <= mostBytes;
  }

  /** Ends an answer whose head is written with this file. */
  send(response: ServerResponse, file: Uint8Array): void {
    const { socket } = response.req;
    const before = this.#readers.get(file) ?? 0;
    if (before === 0) this.#bytes += file.length;
    this.#readers.set(file, before + 1);
    // An answer that waits behind others is not told when its connection goes.
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
