import type { Server, Socket } from 'node:net';
import { setImmediate } from 'node:timers';
import type { SharedConnectionLimit } from './shared-limit.js';

/** The network cable of a scanner. */
export interface Link {
  /** Behaviour of connections while the cable is out; undefined while it is in. */
  readonly down: 'silent' | 'reset' | undefined;
  /** Calls `listener` when the cable is pulled out or put in. Returns a function that ends this. */
  onChange(listener: () => void): () => void;
}

/** Part of a connection that is used here: of TCP, or of TLS above it. */
type Connection = Socket;

/**
 * Connections of a scanner while its network cable is out. They are silent and go on afterwards, or they are reset. If
 * many scanners of a process share a limit for connections, a connection above it is closed at once.
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

  /**
   * Includes the connections of a listener with TLS. A handshake cannot be silent, so it is reset while the cable is
   * out.
   */
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
    // The owner of the new connection starts to read after the listeners that follow now, and never before this one.
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

/** Stops reading and writing, whatever the owner of the connection does. Returns a function that ends this. */
export function silence(connection: Connection): () => void {
  let shouldRead = !connection.isPaused();
  const pause = () => {
    shouldRead = true;
    connection.pause();
  };
  const uncork = connection.uncork.bind(connection);
  connection.cork();
  // At the end of a response, node:http also uncorks what others have corked.
  connection.uncork = () => {
    if (connection.writableCorked > 1) uncork();
  };
  connection.pause();
  connection.on('resume', pause);
  return () => {
    connection.off('resume', pause);
    connection.uncork = uncork;
    uncork();
    if (shouldRead) connection.resume();
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
