import type { Clock, Log } from '@azimuth/device';
import type { Place } from './listen.js';
import { PortTaken } from './listen.js';
import type { ListeningAddress } from './listening-address.js';

/** A listener that can change its address, and keeps its port. */
export interface Wire {
  /** What it is, in words for the log. */
  readonly name: string;
  /** Where it listens; undefined while it does not. */
  readonly place: Place | undefined;
  readonly url: string | undefined;
  /** Is the port another one than it is to have? Where nothing is stated, it keeps the one that it has. */
  readonly hasWrongPort?: boolean;
  /**
   * Listens at this address from now on; what listened before is closed then, with its connections. Called off by
   * `close`.
   * @throws PortTaken; what listened before still does.
   */
  listenAt(host: string): Promise<void>;
  /** Closes the listener and every connection, at once. */
  close(): void;
}

interface Options {
  readonly wire: Wire;
  readonly address: ListeningAddress;
  readonly clock: Clock;
  readonly log: Log;
}

/** How long (ms) until a port that could not be opened at all is asked for again. */
const reopenAfter = 1000;

/** Keeps a wire at the scanner's address, from `open` or `reopen` until `close`. One move is done after the other. */
export class AddressFollower {
  readonly #options: Options;
  #session: object | undefined;
  #turn: Promise<void> = Promise.resolve();
  #cancelRetry: (() => void) | undefined;
  /** The address that a person takes it to be at; undefined when told that there is none. */
  #told: string | undefined;
  #complaint: string | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#told = options.address.otherwise;
    options.address.onChange(() => {
      if (this.#session !== undefined) this.#follow();
    });
  }

  /** @throws PortTaken where neither the address nor the one in its place can be opened. */
  async open(): Promise<void> {
    this.#session = {};
    await this.#settle();
  }

  /** As `open`; a port that cannot be opened is asked for again until it is free. */
  reopen(): void {
    this.#session = {};
    this.#follow();
  }

  /** Is fulfilled when all moves up to now are done, or have failed. */
  get settled(): Promise<void> {
    return this.#turn;
  }

  /** Closes the wire at once; a move that is under way comes to nothing. */
  close(): void {
    this.#session = undefined;
    this.#cancelRetry?.();
    this.#options.wire.close();
  }

  #follow(): void {
    this.#complaint = undefined;
    void this.#persist();
  }

  async #persist(): Promise<void> {
    const session = this.#session;
    this.#cancelRetry?.();
    try {
      await this.#settle();
    } catch (error) {
      if (session !== this.#session) return;
      const { wire, clock, log } = this.#options;
      log.error(`${wire.name} cannot open its port; trying again`, { reason: String(error) });
      this.#cancelRetry?.();
      this.#cancelRetry = clock.after(reopenAfter, () => void this.#persist());
    }
  }

  #settle(): Promise<void> {
    const session = this.#session;
    const settled = this.#turn.then(() => (session === this.#session ? this.#goTo(session) : undefined));
    this.#turn = settled.catch(() => undefined);
    return settled;
  }

  async #goTo(session: object | undefined): Promise<void> {
    const { wire, address } = this.#options;
    const { wanted, otherwise } = address;
    const before = wire.place?.host;
    if (wanted === undefined) return this.#goNowhere();
    if (wanted === before && wire.hasWrongPort !== true) return;
    try {
      if (address.openable === undefined) {
        throw new PortTaken(`${wanted} is no address that a scanner can have`, 'Set another one.');
      }
      await wire.listenAt(wanted);
    } catch (error) {
      if (session !== this.#session) return;
      if (before === undefined && wanted === otherwise) throw error;
      // A port is asked for again; what listened before still does.
      if (wanted === before) throw error;
      try {
        if (before === undefined) await wire.listenAt(otherwise);
      } finally {
        if (session === this.#session) this.#complain(wanted, error);
      }
      return;
    }
    if (session === this.#session) this.#tell(wanted);
  }

  #goNowhere(): void {
    const { wire, log } = this.#options;
    wire.close();
    if (this.#told === undefined) return;
    this.#told = undefined;
    log.warn(`${wire.name} does not listen: the scanner has no address until DHCP offers one`);
  }

  #tell(host: string): void {
    const { wire, log } = this.#options;
    if (host !== this.#told) log.info(`Listening at ${wire.url}`);
    this.#told = host;
  }

  #complain(wanted: string, error: unknown): void {
    const { wire, log } = this.#options;
    this.#told = wire.place?.host;
    if (this.#complaint === wanted) return;
    this.#complaint = wanted;
    log.error(`${wire.name} cannot listen at ${wanted}, the address in force`, {
      reason: error instanceof PortTaken ? error.problem : String(error),
      listeningAt: wire.url ?? null,
    });
  }
}
