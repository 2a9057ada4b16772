import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** As many answers may wait behind others that their client has not read. */
const most = 32;

/** Bytes of such answers of one connection, and of all; the one that comes to more is the last that is made. */
const mostBytes = 256 * 1024;
const mostTogether = 16 * 1024 * 1024;

interface Answer {
  readonly response: ServerResponse;
  /** Undefined until it is made. */
  bytes: number | undefined;
}

interface Queue {
  unsent: number;
  bytes: number;
  last: Answer;
}

/**
 * Answers that wait behind others on their connection: whoever pipelines requests and reads nothing must not have all
 * their answers made. Nothing is kept of connections on which one request follows another's answer. An answer whose
 * turn has come is always made: of a large one only a piece waits (pieces.ts).
 */
export class UnsentAnswers {
  readonly #queues = new WeakMap<Duplex, Queue>();
  #together = 0;

  /** Bytes of all answers that wait behind others. */
  get bytes(): number {
    return this.#together;
  }

  /** The answer to wait for before this request is answered; undefined where it need not wait. */
  before(response: ServerResponse): ServerResponse | undefined {
    // Node gives an answer its connection when its turn to be sent has come.
    if (response.socket !== null) return undefined;
    const answer: Answer = { response, bytes: undefined };
    const { socket } = response.req;
    const queue = this.#queues.get(socket) ?? this.#begin(socket, answer);
    this.#weigh(queue);
    const { last } = queue;
    const isFull = queue.unsent >= most || queue.bytes >= mostBytes || this.#together >= mostTogether;
    if (isFull && last.response !== response && !last.response.destroyed) return last.response;
    queue.unsent++;
    queue.last = answer;
    response.once('close', () => {
      queue.unsent--;
      this.#add(queue, -(answer.bytes ?? 0));
      answer.bytes = 0;
    });
    return undefined;
  }

  #begin(socket: Duplex, last: Answer): Queue {
    const queue = { unsent: 0, bytes: 0, last };
    this.#queues.set(socket, queue);
    // Answers that still wait then are told nothing.
    socket.once('close', () => this.#add(queue, -queue.bytes));
    return queue;
  }

  /** One request is looked at when the one before it has been answered: so its answer is there to be weighed. */
  #weigh(queue: Queue): void {
    const { last } = queue;
    if (last.bytes !== undefined || last.response.socket !== null) return;
    const { writableLength } = last.response;
    if (writableLength === 0) return;
    last.bytes = writableLength;
    this.#add(queue, writableLength);
  }

  #add(queue: Queue, bytes: number): void {
    queue.bytes += bytes;
    this.#together += bytes;
  }
}
