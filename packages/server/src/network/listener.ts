import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';
import { Mutex } from '@azimuth/async';
import type { Clock, Log, LogFields } from '@azimuth/device';
import {
  type Closable,
  type HostAndPort,
  isEverywhere,
  listen,
  type OpenPorts,
  PortInUse,
  PortTaken,
  urlOf,
} from '@azimuth/http';
import { firstReservedPort, lastReservedPort, mostPortAttempts, reopenAfter } from './limits.js';
import type { ListeningAddress } from './listening-address.js';

type ClosableServer = Server & Closable;

interface Options {
  /** Name of the listener, in words for the log. */
  readonly name: string;
  /** Scheme of its URL. */
  readonly scheme: 'http' | 'https' | 'tcp';
  /** Creates a server that is not open yet. */
  readonly make: () => ClosableServer;
  /** Returns the configured port, which may change; 0 for any free port, which then stays the same. */
  readonly port: () => number;
  /** Option that chooses the port. */
  readonly flag: string;
  /** Advice if the port is in use, in place of choosing another one by the option. */
  readonly advice?: string;
  /** Ports that are open before it listens. */
  readonly openPorts?: OpenPorts | undefined;
  readonly address: ListeningAddress;
  readonly clock: Clock;
  readonly log: Log;
  /** Called when it may have been opened, moved or closed, with the error if it could not be opened. */
  readonly stateChanged?: (problem?: unknown) => void;
}

interface Open extends HostAndPort {
  readonly server: ClosableServer;
}

/** Time from `open` or `reopen` until `close`. Work that began in an earlier session has no effect. */
interface Session {
  /** Cancels the next attempt; undefined while none is scheduled. */
  cancelRetry: (() => void) | undefined;
}

/**
 * | state       | `open`, `reopen` | opened, or moved | no address | `close`  |
 * |-------------|------------------|------------------|------------|----------|
 * | `closed`    | `nowhere`        |                  |            | `closed` |
 * | `nowhere`   | `nowhere`        | `listening`      | `nowhere`  | `closed` |
 * | `listening` | `listening`      | `listening`      | `nowhere`  | `closed` |
 */
type State =
  | { readonly kind: 'closed' }
  | { readonly kind: 'nowhere'; readonly session: Session }
  | { readonly kind: 'listening'; readonly session: Session; readonly at: Open };

/**
 * TCP listener at the scanner's address, from `open` or `reopen` until `close`. It follows the address, and its port
 * stays the same. Moves are done one after the other.
 */
export class Listener {
  readonly #options: Options;
  #port = 0;
  #state: State = { kind: 'closed' };
  readonly #moves = new Mutex();
  /** Address that was logged last; undefined if the log said that there is no address. */
  #reported: string | undefined;
  #reportedFailure: string | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#reported = options.address.fallback;
    options.address.onChange(() => {
      if (this.#session !== undefined) this.#follow(this.#session);
    });
  }

  get name(): string {
    return this.#options.name;
  }

  /** Address at which it listens; undefined while it does not. */
  get listeningAt(): HostAndPort | undefined {
    // Returns a copy, because others send it: the object itself also has the server, with the private key of HTTPS.
    return this.#open && { host: this.#open.host, port: this.#open.port };
  }

  get url(): string | undefined {
    return this.#open === undefined ? undefined : urlOf(this.#open, this.#options.scheme);
  }

  /** Present or future port; 0 until one is chosen. */
  get port(): number {
    return this.#port === 0 ? this.#options.port() : this.#port;
  }

  /** True if it listens at a port other than the configured one. */
  get hasWrongPort(): boolean {
    const configured = this.#options.port();
    return configured !== 0 && this.#open !== undefined && this.#open.port !== configured;
  }

  /** Fulfilled when all moves so far are done or have failed. */
  get idle(): Promise<void> {
    return this.#moves.idle();
  }

  /** @throws PortTaken if neither the address nor the fallback can be opened */
  async open(): Promise<void> {
    await this.#applyMoves(this.#begin());
  }

  /** Opens it, and retries until the port is free. */
  reopen(): void {
    this.#follow(this.#begin());
  }

  /** Closes it and every connection at once, and cancels an unfinished move. */
  close(): void {
    this.#session?.cancelRetry?.();
    this.#shut();
    this.#state = { kind: 'closed' };
    this.#options.stateChanged?.();
  }

  /** Forgets its port: if none is configured, it opens any free one next. */
  forgetPort(): void {
    this.#port = 0;
  }

  /**
   * Chooses a free port if none is configured. The port is opened only for a moment. So it is outside the range from
   * which systems choose free ports: another program would have it before this listener opens.
   * @throws PortTaken if no port is free
   */
  async choosePort(): Promise<void> {
    if (this.port !== 0) return;
    for (let attempts = 0; this.#port === 0; attempts++) {
      const candidate = attempts < mostPortAttempts ? randomInt(firstReservedPort, lastReservedPort + 1) : 0;
      const server = createServer();
      try {
        this.#port = await listen(server, this.#options.address.fallback, candidate, this.#options.flag);
      } catch (error) {
        if (candidate === 0 || !(error instanceof PortInUse)) throw error;
      } finally {
        server.close();
      }
    }
  }

  get #session(): Session | undefined {
    return this.#state.kind === 'closed' ? undefined : this.#state.session;
  }

  get #open(): Open | undefined {
    return this.#state.kind === 'listening' ? this.#state.at : undefined;
  }

  #begin(): Session {
    if (this.#state.kind !== 'closed') return this.#state.session;
    const session: Session = { cancelRetry: undefined };
    this.#state = { kind: 'nowhere', session };
    return session;
  }

  #follow(session: Session): void {
    this.#reportedFailure = undefined;
    void this.#persist(session);
  }

  async #persist(session: Session): Promise<void> {
    session.cancelRetry?.();
    try {
      await this.#applyMoves(session);
    } catch (error) {
      if (session !== this.#session) return;
      const { name, clock, log } = this.#options;
      log.error(`${name} cannot open its port; trying again`, { reason: String(error) });
      session.cancelRetry?.();
      session.cancelRetry = clock.after(reopenAfter, () => void this.#persist(session));
    }
  }

  #applyMoves(session: Session): Promise<void> {
    return this.#moves.run(() => (session === this.#session ? this.#goTo(session) : undefined));
  }

  async #goTo(session: Session): Promise<void> {
    const { inForce, fallback, openable } = this.#options.address;
    const before = this.#open?.host;
    if (inForce === undefined) return this.#goNowhere();
    if (inForce === before && !this.hasWrongPort) return;
    try {
      if (openable === undefined) {
        throw new PortTaken(`${inForce} cannot be the address of a scanner`, 'Set another one.');
      }
      await this.#listenAt(inForce, session);
    } catch (error) {
      if (session !== this.#session) return;
      if (before === undefined && inForce === fallback) throw error;
      // The port is retried later; the previous listener stays open.
      if (inForce === before) throw error;
      try {
        if (before === undefined) await this.#listenAt(fallback, session);
      } finally {
        if (session === this.#session) this.#reportFailure(inForce, error);
      }
      return;
    }
    if (session === this.#session) this.#report(inForce);
  }

  #goNowhere(): void {
    const { name, log } = this.#options;
    this.#shut();
    this.#options.stateChanged?.();
    if (this.#reported === undefined) return;
    this.#reported = undefined;
    log.warn(`${name} does not listen: the scanner has no address until DHCP offers one`);
  }

  /** @throws PortTaken; the previous server stays open then */
  async #listenAt(host: string, session: Session): Promise<void> {
    const { port, advice, stateChanged } = this.#options;
    const configured = port();
    if (configured !== 0) this.#port = configured;
    try {
      await this.#moveTo(host, session);
    } catch (error) {
      const known = error instanceof PortTaken && advice !== undefined;
      const advised = known ? new PortTaken(error.problem, advice) : error;
      stateChanged?.(advised);
      throw advised;
    }
    stateChanged?.();
  }

  /**
   * The new server is opened before the previous one and its connections are closed, so there is no gap. Only a server on
   * all addresses has to close first.
   */
  async #moveTo(host: string, session: Session): Promise<void> {
    const before = this.#open;
    try {
      await this.#openAt(host, session);
    } catch (error) {
      // A server on all addresses occupies its port on each of them.
      const inOurWay = before !== undefined && before.port === this.#port && isEverywhere(before.host);
      if (!(error instanceof PortInUse) || !inOurWay || this.#session !== session) throw error;
      this.#shut();
      try {
        await this.#openAt(host, session);
      } catch (again) {
        await this.#openAt(before.host, session);
        throw again;
      }
    }
  }

  async #openAt(host: string, session: Session): Promise<void> {
    if (this.#session !== session) return;
    const { make, openPorts, flag } = this.#options;
    const server = make();
    const before = openPorts?.claim({ host, port: this.#port });
    let port: number;
    try {
      port = await listen(server, host, this.#port, flag, before?.server);
    } catch (error) {
      shut(server);
      throw error;
    }
    // The listener was closed while the port was being opened.
    if (this.#session !== session) return shut(server);
    for (const socket of before?.waiting ?? []) {
      server.emit('connection', socket);
      socket.resume();
    }
    this.#shut();
    this.#port = port;
    const address = server.address();
    const opened = typeof address === 'object' && address !== null ? address.address : host;
    this.#state = { kind: 'listening', session, at: { server, port, host: opened } };
  }

  #shut(): void {
    if (this.#state.kind !== 'listening') return;
    const { at, session } = this.#state;
    this.#state = { kind: 'nowhere', session };
    shut(at.server);
  }

  #report(host: string): void {
    if (host !== this.#reported) this.#options.log.info(`Listening at ${this.url}`);
    this.#reported = host;
  }

  #reportFailure(address: string, error: unknown): void {
    const { name, log } = this.#options;
    this.#reported = this.#open?.host;
    if (this.#reportedFailure === address) return;
    this.#reportedFailure = address;
    log.error(`${name} cannot listen at ${address}, the address in force`, {
      reason: error instanceof PortTaken ? error.problem : String(error),
      listeningAt: this.url ?? null,
    });
  }
}

function shut(server: ClosableServer): void {
  server.close();
  server.closeAllConnections();
}

/** Log for a listener that retries. It drops an error equal to the one before. */
export class DeduplicatedLog implements Log {
  readonly #log: Log;
  #last: string | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Logs the next error even if it equals the last one. */
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
