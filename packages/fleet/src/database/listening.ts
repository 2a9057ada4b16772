import { pause } from '@azimuth/async';
import type { Client } from 'pg';
import { pauseBeforeAttempt } from './database-errors.js';

/**
 * One connection that waits for notifications of all channels. When it ends, a new one is opened. It also calls back each
 * time that it subscribes to a channel again: earlier notifications were missed.
 */
export class Listening {
  readonly #connection: () => Client;
  readonly #signal: AbortSignal;
  readonly #notified = new Map<string, Set<() => void>>();
  /** Channels to which the connection is subscribed. */
  readonly #subscribed = new Set<string>();
  #client: Client | undefined;
  #hearing: Promise<void> = Promise.resolve();
  #isRunning = false;

  /** @param signal stops it */
  constructor(connection: () => Client, signal: AbortSignal) {
    this.#connection = connection;
    this.#signal = signal;
  }

  /** @returns a function that stops it */
  listen(channel: string, notified: () => void): () => void {
    const listeners = this.#notified.get(channel) ?? new Set();
    this.#notified.set(channel, listeners.add(notified));
    this.#subscribed.delete(channel);
    if (!this.#isRunning) void this.#run();
    else if (this.#client !== undefined) this.#subscribe(this.#client).catch(() => undefined);
    return () => {
      listeners.delete(notified);
    };
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    const signal = this.#signal;
    let failures = 0;
    while (!signal.aborted) {
      const isConnected = await this.#connect(signal);
      failures = isConnected ? 0 : failures + 1;
      await pause(pauseBeforeAttempt(failures), signal, { keepsAlive: false });
    }
  }

  /** @returns whether it was connected, after the connection has ended */
  async #connect(signal: AbortSignal): Promise<boolean> {
    const client = this.#connection();
    let isConnected = false;
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    client.on('end', end);
    client.on('error', end);
    client.on('notification', ({ channel }) => this.#notify(channel));
    signal.addEventListener('abort', end);
    const hearing = client
      .connect()
      .then(() => this.#subscribe(client))
      .then(() => {
        isConnected = true;
        this.#client = client;
        // Channels may have come in between.
        return this.#subscribe(client);
      });
    // The log of statements reports that the database does not respond.
    hearing.catch(end);
    await ended;
    signal.removeEventListener('abort', end);
    this.#client = undefined;
    this.#subscribed.clear();
    client.end().catch(() => undefined);
    return isConnected;
  }

  /** Subscribes to channels, one after another. */
  #subscribe(client: Client): Promise<void> {
    this.#hearing = this.#hearing
      .catch(() => undefined)
      .then(async () => {
        for (const channel of this.#notified.keys()) {
          if (this.#subscribed.has(channel)) continue;
          this.#subscribed.add(channel);
          await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
          this.#notify(channel);
        }
      });
    return this.#hearing;
  }

  #notify(channel: string): void {
    for (const notified of this.#notified.get(channel) ?? []) notified();
  }
}
