import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** As many answers may wait behind others that their client has not read. */
const most = 32;

/**
 * Bytes of such answers of one connection, and of all; the one that comes to more is the last that is made. With a piece of
 * it and one of the answer whose turn has come, no connection has 1 MiB waiting.
 */
const mostBytes = 896 * 1024;
const mostBytesTogether = 8 * 1024 * 1024;

/** Such answers of all connections: each takes memory of its own beside its bytes. */
const mostTogether = 1024;

interface Answer {
  readonly response: ServerResponse;
  /** Undefined until it is made. */
  bytes: number | undefined;
}

interface Queue {
  unsent: number;
  bytes: number;
  last: Answer;
  /** Is its connection gone? */
  isOver: boolean;
}

/**
 * Answers that wait behind others on their connection: whoever pipelines requests and reads nothing must not have all
 * their answers made. Nothing is kept of connections on which one request follows another's answer. An answer whose
 * turn has come is always made: of a large one only a piece waits (reply.ts).
 */
export class UnsentAnswers {
  readonly #queues = new WeakMap<Duplex, Queue>();
  #unsent = 0;
  #bytes = 0;

  /** The answer to wait for before this request is answered; undefined where it need not wait. */
  before(response: ServerResponse): ServerResponse | undefined {
    // Node gives an answer its connection when its turn to be sent has come.
    if (response.socket !== null) return undefined;
    const answer: Answer = { response, bytes: undefined };
    const { socket } = response.req;
    const queue = this.#queues.get(socket) ?? this.#begin(socket, answer);
    this.#weigh(queue);
    const { last } = queue;
    if (this.#isFull(queue) && last.response !== response && !last.response.destroyed) return last.response;
    this.#add(queue, 1, 0);
    queue.last = answer;
    response.once('close', () => {
      if (queue.isOver) return;
      this.#add(queue, -1, -(answer.bytes ?? 0));
      answer.bytes = 0;
    });
    return undefined;
  }

  #isFull({ unsent, bytes }: Queue): boolean {
    if (unsent >= most || bytes >= mostBytes) return true;
    return this.#unsent >= mostTogether || this.#bytes >= mostBytesTogether;
  }

  #begin(socket: Duplex, last: Answer): Queue {
    const queue: Queue = { unsent: 0, bytes: 0, last, isOver: false };
    this.#queues.set(socket, queue);
    // Answers that still wait then are told nothing.
    socket.once('close', () => {
      queue.isOver = true;
      this.#add(queue, -queue.unsent, -queue.bytes);
    });
    return queue;
  }

  /** One request is looked at when the one before it has been answered: so its answer is there to be weighed. */
  #weigh(queue: Queue): void {
    const { last } = queue;
    if (last.bytes !== undefined || last.response.socket !== null) return;
    const { writableLength } = last.response;
    if (writableLength === 0) return;
    last.bytes = writableLength;
    this.#add(queue, 0, writableLength);
  }

  #add(queue: Queue, answers: number, bytes: number): void {
    queue.unsent += answers;
    queue.bytes += bytes;
    this.#unsent += answers;
    this.#bytes += bytes;
  }
}
