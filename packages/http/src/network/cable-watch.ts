import type { Server, Socket } from 'node:net';
import type { SharedConnectionLimit } from './shared-limit.js';

/** The network cable of a scanner. */
export interface Link {
  /** What connections do while it is out; undefined while it is in. */
  readonly down: 'silent' | 'reset' | undefined;
  /** Calls `listener` when the cable is pulled out or put in. Returns a function that ends this. */
  onChange(listener: () => void): () => void;
}

/** The part of a connection that is used here: of TCP, or of TLS above it. */
type Connection = Socket;

/**
 * What the connections of a scanner do while its network cable is out: they are silent, and go on afterwards, or they are
 * reset. If many scanners of a process share a limit for connections, one too many is closed at once.
 */
export class CableWatch {
  readonly #link: Link;
  readonly #shared: SharedConnectionLimit | undefined;
  readonly #connections = new Set<Connection>();
  readonly #silenced = new Map<Connection, () => void>();
  readonly #end: () => void;

  constructor(link: Link, shared?: SharedConnectionLimit) {
    this.#shared = shared;
    this.#link = link;
    this.#end = link.onChange(() => this.#follow());
  }

  /** Includes the connections of this listener. Call it before the listener is opened. */
  watch(listener: Server): void {
    listener.on('connection', (connection: Socket) => {
      if (this.#isAdmitted(connection)) this.#add(connection);
    });
  }

  /** The same for a listener of TLS, whose handshakes cannot be silent: while the cable is out, they are reset. */
  watchSecure(listener: Server): void {
    listener.on('connection', (connection: Socket) => {
      if (this.#link.down !== undefined) reset(connection);
      else this.#isAdmitted(connection);
    });
    listener.on('secureConnection', (connection: Socket) => this.#add(connection));
  }

  close(): void {
    this.#end();
  }

  #isAdmitted(connection: Connection): boolean {
    if (this.#shared === undefined || this.#shared.admit(connection)) return true;
    connection.destroy();
    return false;
  }

  #add(connection: Connection): void {
    this.#connections.add(connection);
    connection.once('close', () => {
      this.#connections.delete(connection);
      this.#silenced.delete(connection);
    });
    if (this.#link.down === undefined) return;
    // What a new connection is to read begins to be read behind all that follows now, and never before this.
    setImmediate(() => {
      if (this.#link.down !== undefined && !connection.destroyed) this.#pull(connection);
    });
  }

  #follow(): void {
    if (this.#link.down !== undefined) {
      for (const connection of this.#connections) this.#pull(connection);
      return;
    }
    const silenced = [...this.#silenced.values()];
    this.#silenced.clear();
    for (const release of silenced) release();
  }

  #pull(connection: Connection): void {
    if (this.#link.down === 'reset') reset(connection);
    else if (!this.#silenced.has(connection)) this.#silenced.set(connection, silence(connection));
  }
}

/** Neither reads nor writes, whatever its owner does. Returns a function that ends this. */
export function silence(connection: Connection): () => void {
  let isWanted = !connection.isPaused();
  const pause = () => {
    isWanted = true;
    connection.pause();
  };
  const uncork = connection.uncork.bind(connection);
  connection.cork();
  // At the end of an answer, node:http takes back what others have corked, too.
  connection.uncork = () => {
    if (connection.writableCorked > 1) uncork();
  };
  connection.pause();
  connection.on('resume', pause);
  return () => {
    connection.off('resume', pause);
    connection.uncork = uncork;
    uncork();
    if (isWanted) connection.resume();
  };
}

/** Resets a connection (RST), as far as that is possible through TLS. */
export function reset(connection: Connection): void {
  try {
    connection.resetAndDestroy();
  } catch {
    connection.destroy();
  }
}
