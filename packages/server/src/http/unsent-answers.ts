import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** As many answers may wait behind others that their client has not read. */
const most = 32;

interface Queue {
  unsent: number;
  last: ServerResponse;
}

/**
 * Answers that wait behind others on their connection: whoever pipelines requests and reads nothing must not have all
 * their answers made. Nothing is kept of connections on which one request follows another's answer.
 */
export class UnsentAnswers {
  readonly #queues = new WeakMap<Duplex, Queue>();

  /** The answer to wait for before this request is answered; undefined where it need not wait. */
  before(response: ServerResponse): ServerResponse | undefined {
    // Node gives an answer its connection when its turn to be sent has come.
    if (response.socket !== null) return undefined;
    const { socket } = response.req;
    const queue = this.#queues.get(socket) ?? this.#begin(socket, response);
    const { last } = queue;
    if (queue.unsent >= most && !last.destroyed) return last;
    queue.unsent++;
    queue.last = response;
    response.once('close', () => {
      queue.unsent--;
    });
    return undefined;
  }

  #begin(socket: Duplex, last: ServerResponse): Queue {
    const queue = { unsent: 0, last };
    this.#queues.set(socket, queue);
    return queue;
  }
}
