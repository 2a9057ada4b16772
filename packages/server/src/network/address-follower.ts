import { Mutex } from '@azimuth/async';
import type { Clock, Log, LogFields } from '@azimuth/device';
import { type HostAndPort, PortTaken } from '@azimuth/http';
import { reopenAfter } from './limits.js';
import type { ListeningAddress } from './listening-address.js';

/** A listener that can change its address, and keeps its port. */
export interface MovableListener {
  /** What it is, in words for the log. */
  readonly name: string;
  /** Where it listens; undefined while it does not. */
  readonly listeningAt: HostAndPort | undefined;
  readonly url: string | undefined;
  /** Does it listen at a port other than the configured one? If no port is configured, it keeps the present one. */
  readonly hasWrongPort?: boolean;
  /**
   * Moves to this address. Then it closes the previous listener with its connections. Cancelled by `close`.
   * @throws PortTaken; the previous listener stays open then
   */
  listenAt(host: string): Promise<void>;
  /** Closes the listener and every connection, at once. */
  close(): void;
}

interface Options {
  readonly listener: MovableListener;
  readonly address: ListeningAddress;
  readonly clock: Clock;
  readonly log: Log;
}

/** Keeps a listener at the scanner's address, from `open` or `reopen` until `close`. Moves are done one after the other. */
export class AddressFollower {
  readonly #options: Options;
  #session: object | undefined;
  readonly #moves = new Mutex();
  #cancelRetry: (() => void) | undefined;
  /** The address that was logged last; undefined if the log said that there is no address. */
  #reported: string | undefined;
  #reportedFailure: string | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#reported = options.address.fallback;
    options.address.onChange(() => {
      if (this.#session !== undefined) this.#follow();
    });
  }

  /** @throws PortTaken if neither the address nor the fallback can be opened */
  async open(): Promise<void> {
    this.#session = {};
    await this.#settle();
  }

  /** As `open`, but retries until the port is free. */
  reopen(): void {
    this.#session = {};
    this.#follow();
  }

  /** Fulfilled when all moves so far are done or have failed. */
  get settled(): Promise<void> {
    return this.#moves.idle();
  }

  /** Closes the listener at once, and cancels a move that is under way. */
  close(): void {
    this.#session = undefined;
    this.#cancelRetry?.();
    this.#options.listener.close();
  }

  #follow(): void {
    this.#reportedFailure = undefined;
    void this.#persist();
  }

  async #persist(): Promise<void> {
    const session = this.#session;
    this.#cancelRetry?.();
    try {
      await this.#settle();
    } catch (error) {
      if (session !== this.#session) return;
      const { listener, clock, log } = this.#options;
      log.error(`${listener.name} cannot open its port; trying again`, { reason: String(error) });
      this.#cancelRetry?.();
      this.#cancelRetry = clock.after(reopenAfter, () => void this.#persist());
    }
  }

  #settle(): Promise<void> {
    const session = this.#session;
    return this.#moves.run(() => (session === this.#session ? this.#goTo(session) : undefined));
  }

  async #goTo(session: object | undefined): Promise<void> {
    const { listener, address } = this.#options;
    const { wanted, fallback } = address;
    const before = listener.listeningAt?.host;
    if (wanted === undefined) return this.#goNowhere();
    if (wanted === before && listener.hasWrongPort !== true) return;
    try {
      if (address.openable === undefined) {
        throw new PortTaken(`${wanted} cannot be the address of a scanner`, 'Set another one.');
      }
      await listener.listenAt(wanted);
    } catch (error) {
      if (session !== this.#session) return;
      if (before === undefined && wanted === fallback) throw error;
      // The port is retried later; the previous listener stays open.
      if (wanted === before) throw error;
      try {
        if (before === undefined) await listener.listenAt(fallback);
      } finally {
        if (session === this.#session) this.#reportFailure(wanted, error);
      }
      return;
    }
    if (session === this.#session) this.#report(wanted);
  }

  #goNowhere(): void {
    const { listener, log } = this.#options;
    listener.close();
    if (this.#reported === undefined) return;
    this.#reported = undefined;
    log.warn(`${listener.name} does not listen: the scanner has no address until DHCP offers one`);
  }

  #report(host: string): void {
    const { listener, log } = this.#options;
    if (host !== this.#reported) log.info(`Listening at ${listener.url}`);
    this.#reported = host;
  }

  #reportFailure(wanted: string, error: unknown): void {
    const { listener, log } = this.#options;
    this.#reported = listener.listeningAt?.host;
    if (this.#reportedFailure === wanted) return;
    this.#reportedFailure = wanted;
    log.error(`${listener.name} cannot listen at ${wanted}, the address in force`, {
      reason: error instanceof PortTaken ? error.problem : String(error),
      listeningAt: listener.url ?? null,
    });
  }
}

/** A log for a follower that retries: it drops an error equal to the one before. */
export class DeduplicatedLog implements Log {
  readonly #log: Log;
  #last: string | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** The next error is logged even if it equals the last one. */
  again(): void {
    this.#last = undefined;
  }

  info(message: string, fields?: LogFields): void {
    this.#log.info(message, fields);
  }

  warn(message: string, fields?: LogFields): void {
    this.#log.warn(message, fields);
  }

  error(message: string, fields?: LogFields): void {
    const text = `${message}: ${fields?.reason}`;
    if (text === this.#last) return;
    this.#last = text;
    this.#log.error(message, fields);
  }
}
