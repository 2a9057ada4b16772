import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';

/** Time between two tries to connect, in ms. It doubles up to the longest one. */
const shortestPause = 25;
const longestPause = 400;

/**
 * A connection of its own that waits for notifications of one channel, and is made anew when it ends. It also calls back each
 * time that it has connected: what was notified before was missed.
 */
export class Listening {
  readonly #connection: () => Client;
  readonly #channel: string;
  readonly #notified: () => void;
  readonly #ending = new AbortController();

  constructor(connection: () => Client, channel: string, notified: () => void) {
    this.#connection = connection;
    this.#channel = channel;
    this.#notified = notified;
    void this.#run();
  }

  end(): void {
    this.#ending.abort();
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending;
    let wait = shortestPause;
    while (!signal.aborted) {
      const isConnected = await this.#listen(signal);
      wait = isConnected ? shortestPause : Math.min(2 * wait, longestPause);
      await pause(wait, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** @returns whether it was connected, when the connection has ended */
  async #listen(signal: AbortSignal): Promise<boolean> {
    const client = this.#connection();
    let isConnected = false;
    try {
      await new Promise<void>((resolve, reject) => {
        client.on('end', resolve);
        client.on('error', reject);
        client.on('notification', this.#notified);
        signal.addEventListener('abort', () => resolve(), { once: true });
        client
          .connect()
          .then(() => client.query(`LISTEN ${client.escapeIdentifier(this.#channel)}`))
          .then(() => {
            isConnected = true;
            this.#notified();
          })
          .catch(reject);
      });
    } catch {
      // Whoever runs statements says that the database is away.
    }
    client.on('error', () => undefined);
    await client.end().catch(() => undefined);
    return isConnected;
  }
}
