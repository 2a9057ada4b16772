import { SendQueue, type Sink } from './send-queue.js';
import { Tally } from './tally.js';

/** The clients of a listener, each with a send queue of its own. */
export class ClientQueues {
  readonly tally = new Tally();
  readonly #queues = new Map<Sink, SendQueue>();

  get size(): number {
    return this.#queues.size;
  }

  /** Sends a telegram to each client, or queues it. */
  send(telegram: Uint8Array): void {
    for (const queue of this.#queues.values()) queue.send(telegram);
  }

  /** Adds a client. @returns to be called when its connection has ended */
  add(client: Sink): () => void {
    const queue = new SendQueue(client, this.tally);
    this.#queues.set(client, queue);
    return () => {
      queue.close();
      this.#queues.delete(client);
    };
  }

  /** Ends all connections at once. */
  closeAll(): void {
    for (const client of this.#queues.keys()) client.close();
  }
}
