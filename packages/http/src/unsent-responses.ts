import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  mostUnsentBytes,
  mostUnsentBytesTogether,
  mostUnsentResponses,
  mostUnsentResponsesTogether,
} from './limits.js';
import type { SharedLimit } from './network/shared-limit.js';

interface QueuedResponse {
  readonly response: ServerResponse;
  /** Bytes of the response; undefined until it is built. */
  bytes: number | undefined;
}

interface Queue {
  unsent: number;
  bytes: number;
  last: QueuedResponse;
  /** True if its connection is closed. */
  isOver: boolean;
}

/**
 * Responses that wait behind others on their connection. If a client pipelines requests and reads nothing, only some of
 * its responses are built. The response that is sent next is always built: only one piece of a large response waits
 * (`endInPieces`).
 */
export class UnsentResponses {
  readonly #queues = new WeakMap<Duplex, Queue>();
  readonly #shared: SharedLimit | undefined;
  #unsent = 0;
  #bytes = 0;

  /** @param shared bytes of all scanners of the process */
  constructor(shared?: SharedLimit) {
    this.#shared = shared;
  }

  /**
   * Registers a response that cannot be sent yet because others come first. Returns the response to wait for before
   * this one is built; undefined if it may be built now.
   */
  before(response: ServerResponse): ServerResponse | undefined {
    const queued: QueuedResponse = { response, bytes: undefined };
    const { socket } = response.req;
    const queue = this.#queues.get(socket) ?? this.#begin(socket, queued);
    this.#recordSize(queue);
    const { last } = queue;
    if (this.#isFull(queue) && last.response !== response && !last.response.destroyed) return last.response;
    this.#add(queue, 1, 0);
    queue.last = queued;
    response.once('close', () => {
      if (queue.isOver) return;
      this.#add(queue, -1, -(queued.bytes ?? 0));
      queued.bytes = 0;
    });
    return undefined;
  }

  #isFull({ unsent, bytes }: Queue): boolean {
    if (unsent >= mostUnsentResponses || bytes >= mostUnsentBytes) return true;
    if (this.#unsent >= mostUnsentResponsesTogether || this.#bytes >= mostUnsentBytesTogether) return true;
    return this.#shared !== undefined && !this.#shared.hasRoom(1);
  }

  #begin(socket: Duplex, last: QueuedResponse): Queue {
    const queue: Queue = { unsent: 0, bytes: 0, last, isOver: false };
    this.#queues.set(socket, queue);
    // Node emits no event for responses that still wait then.
    socket.once('close', () => {
      queue.isOver = true;
      this.#add(queue, -queue.unsent, -queue.bytes);
    });
    return queue;
  }

  /** Records the size of the previous response: it has been built when the next request is handled. */
  #recordSize(queue: Queue): void {
    const { last } = queue;
    if (last.bytes !== undefined || last.response.socket !== null) return;
    const { writableLength } = last.response;
    if (writableLength === 0) return;
    last.bytes = writableLength;
    this.#add(queue, 0, writableLength);
  }

  #add(queue: Queue, count: number, bytes: number): void {
    queue.unsent += count;
    queue.bytes += bytes;
    this.#unsent += count;
    this.#bytes += bytes;
    this.#shared?.add(bytes);
  }
}
