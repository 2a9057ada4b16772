import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Link, reset, silence } from './cable-watch.js';

/** What a scanner has under way at a port that it shares with others. */
export interface UnderWay {
  /** Responses that are not complete, also those of requests that are held. */
  readonly responses: Iterable<ServerResponse>;
  /** Connections of WebSockets, also of those that are still to be opened. They carry nothing else. */
  readonly sockets: Iterable<Socket>;
}

/** A connection on which something waits until the cable is in. */
interface Held {
  /** What has come by it, in this order. */
  readonly acts: (() => void)[];
  /** Ends its silence; undefined while responses of others are sent first. */
  goOn?: () => void;
  readonly forget: () => void;
}

/**
 * What a scanner does at a port that it shares with others while its network cable is out: its requests and WebSockets wait,
 * or are reset, as at ports of its own. A connection may carry requests of several scanners: what comes on it before a response
 * of this one is sent, what comes behind it waits with it.
 */
export class SharedConnections {
  readonly #link: Link;
  readonly #underWay: UnderWay;
  readonly #held = new Map<Socket, Held>();
  #isOver = false;
  readonly #end: () => void;

  constructor(link: Link, underWay: UnderWay) {
    this.#link = link;
    this.#underWay = underWay;
    this.#end = link.onChange(() => this.#follow());
  }

  /** Is the cable out? Then requests and WebSockets are to be held. */
  get isDown(): boolean {
    return !this.#isOver && this.#link.down !== undefined;
  }

  /** Calls `answer` when the cable is in again, unless the connection ends first. */
  holdRequest(response: ServerResponse, answer: () => void): void {
    this.#hold(response.req.socket, answer);
    this.#pullAtTurn(response);
  }

  /** Calls `open` when the cable is in again, unless the connection ends first. */
  holdUpgrade(connection: Socket, open: () => void): void {
    this.#hold(connection, open);
    this.#pull(connection);
  }

  /** The scanner ends. The caller ends what it has under way. */
  close(): void {
    this.#isOver = true;
    this.#end();
    this.#held.clear();
  }

  #hold(connection: Socket, act: () => void): void {
    if (!connection.destroyed) this.#heldOn(connection).acts.push(act);
  }

  #heldOn(connection: Socket): Held {
    const there = this.#held.get(connection);
    if (there !== undefined) return there;
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
    const { responses, sockets } = this.#underWay;
    for (const socket of sockets) this.#pull(socket);
    for (const response of responses) this.#pullAtTurn(response);
  }

  #release(): void {
    const all = [...this.#held];
    this.#held.clear();
    for (const [connection, { acts, goOn, forget }] of all) {
      connection.off('close', forget);
      goOn?.();
      for (const act of acts) act();
    }
  }

  /** Acts on the connection of a response, at once or when all responses before it are sent. */
  #pullAtTurn(response: ServerResponse): void {
    // Node assigns the connection to the response that is sent next.
    if (response.socket === null) response.once('socket', (connection: Socket) => this.#pull(connection));
    else this.#pull(response.socket);
  }

  #pull(connection: Socket): void {
    if (this.#isOver || connection.destroyed) return;
    const { down } = this.#link;
    if (down === 'reset') reset(connection);
    else if (down === 'silent') {
      const held = this.#heldOn(connection);
      held.goOn ??= silence(connection);
    }
  }
}
