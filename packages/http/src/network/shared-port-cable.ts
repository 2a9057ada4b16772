import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Link, reset, silence } from './cable-watch.js';

/** Unfinished work of a scanner at a port that it shares with others. */
export interface PendingWork {
  /** Responses that are not complete, also to requests that are held. */
  readonly responses: Iterable<ServerResponse>;
  /** Connections of WebSockets, also those that are still to be opened. They carry nothing else. */
  readonly sockets: Iterable<Socket>;
}

/** A connection on which something waits until the cable is in. */
interface Held {
  /** Acts that wait, in the order in which they came. */
  readonly acts: (() => void)[];
  /** Ends its silence; undefined while responses of others are sent first. */
  endSilence?: () => void;
  readonly forget: () => void;
}

/**
 * The network cable of a scanner at a port that it shares with others. While the cable is out, its requests and WebSockets
 * wait or are reset, as at ports of its own. A connection may carry requests of several scanners. Responses before the first
 * one of this scanner are sent; later ones wait with it.
 */
export class SharedPortCable {
  readonly #link: Link;
  readonly #pending: PendingWork;
  readonly #held = new Map<Socket, Held>();
  #isClosed = false;
  readonly #stopWatching: () => void;

  constructor(link: Link, pending: PendingWork) {
    this.#link = link;
    this.#pending = pending;
    this.#stopWatching = link.onChange(() => this.#follow());
  }

  /** True if the cable is out, so that requests and WebSockets are to be held. */
  get isDown(): boolean {
    return !this.#isClosed && this.#link.down !== undefined;
  }

  /** Calls `serve` when the cable is in again, unless the connection ends first. */
  holdRequest(response: ServerResponse, serve: () => void): void {
    this.#hold(response.req.socket, serve);
    this.#pullAtTurn(response);
  }

  /** Calls `open` when the cable is in again, unless the connection ends first. */
  holdUpgrade(connection: Socket, open: () => void): void {
    this.#hold(connection, open);
    this.#pull(connection);
  }

  /** Ends the hold because the scanner ends. The caller ends the unfinished work. */
  close(): void {
    this.#isClosed = true;
    this.#stopWatching();
    this.#held.clear();
  }

  #hold(connection: Socket, act: () => void): void {
    if (!connection.destroyed) this.#heldOnConnection(connection).acts.push(act);
  }

  #heldOnConnection(connection: Socket): Held {
    const known = this.#held.get(connection);
    if (known !== undefined) return known;
    const held = { acts: [], forget: () => void this.#held.delete(connection) };
    this.#held.set(connection, held);
    connection.once('close', held.forget);
    return held;
  }

  #follow(): void {
    if (this.#link.down === undefined) {
      this.#release();
      return;
    }
    const { responses, sockets } = this.#pending;
    for (const socket of sockets) this.#pull(socket);
    for (const response of responses) this.#pullAtTurn(response);
  }

  #release(): void {
    const all = [...this.#held];
    this.#held.clear();
    for (const [connection, { acts, endSilence, forget }] of all) {
      connection.off('close', forget);
      endSilence?.();
      for (const act of acts) act();
    }
  }

  /** Pulls the connection of a response, at once or when all responses before it are sent. */
  #pullAtTurn(response: ServerResponse): void {
    // Node assigns the connection to the response that is sent next.
    if (response.socket === null) response.once('socket', (connection: Socket) => this.#pull(connection));
    else this.#pull(response.socket);
  }

  #pull(connection: Socket): void {
    if (this.#isClosed || connection.destroyed) return;
    const { down } = this.#link;
    if (down === 'reset') reset(connection);
    else if (down === 'silent') {
      const held = this.#heldOnConnection(connection);
      held.endSilence ??= silence(connection);
    }
  }
}
