import type { Server } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers';
import type { BrokenRequests } from './broken-requests.js';
import type { Connections } from './connections.js';
import type { ErrorReport, ErrorSource, PortClock } from './interfaces.js';
import type { Traffic } from './traffic.js';

/**
 * The connections of one listener during their TLS handshake. Node reports a connection twice, when it is opened and
 * when it is encrypted, and does not link the two. They are matched by the addresses and ports of both ends.
 */
class Handshakes {
  readonly #begun = new Map<string, Socket>();
  readonly #done = new WeakSet<Socket>();

  begin(connection: Socket): void {
    const ends = endsOf(connection);
    this.#begun.set(ends, connection);
    connection.once('close', () => {
      if (this.#begun.get(ends) === connection) this.#begun.delete(ends);
    });
  }

  /** Returns the connection that carries this encrypted one; undefined if it is closed. */
  end(encrypted: Socket): Socket | undefined {
    const ends = endsOf(encrypted);
    const connection = this.#begun.get(ends);
    this.#begun.delete(ends);
    if (connection !== undefined) this.#done.add(encrypted);
    return connection;
  }

  /** Returns true if this encrypted connection has completed its handshake. */
  isDone(encrypted: Socket): boolean {
    return this.#done.has(encrypted);
  }
}

function endsOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}

interface Options {
  readonly clock: Pick<PortClock, 'catchUp'> | undefined;
  readonly counts: Traffic | undefined;
  readonly connections: Connections;
  readonly broken: BrokenRequests;
  readonly errors: ErrorReport;
  readonly source: ErrorSource;
}

/** Registers the connections of all listeners: counts them, and refuses those that do not speak HTTP. */
export class NewConnections {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  watch(server: Server): void {
    server.on('connection', (socket) =>
      this.#contain(socket, () => {
        this.#admit(socket);
        this.#watchEnd(socket);
      }),
    );
    server.on('clientError', (error, socket) => this.#contain(socket, () => this.#refuse(error, socket)));
  }

  /**
   * Registers the connections of a listener with TLS. Until its handshake is done, a connection is half-open. If the
   * handshake fails, it is closed.
   */
  watchSecure(server: SecureServer): void {
    const handshakes = new Handshakes();
    server.on('connection', (connection: Socket) =>
      this.#contain(connection, () => {
        this.#admit(connection);
        handshakes.begin(connection);
      }),
    );
    server.on('secureConnection', (socket) =>
      this.#contain(socket, () => {
        this.#options.clock?.catchUp();
        const connection = handshakes.end(socket);
        if (connection === undefined) {
          socket.destroy();
          return;
        }
        this.#options.connections.encrypted(connection, socket);
        this.#watchEnd(socket);
      }),
    );
    // Node also reports failed handshakes here.
    server.on('clientError', (error, socket: Socket) =>
      this.#contain(socket, () => {
        if (handshakes.isDone(socket)) {
          this.#refuse(error, socket);
          return;
        }
        this.#options.counts?.countRefusal('handshake');
        socket.destroy();
      }),
    );
  }

  /** Runs an act. If it fails, only its connection is closed. */
  #contain(connection: Duplex, act: () => void): void {
    this.#options.errors.contain(this.#options.source, act, () => connection.destroy());
  }

  #admit(socket: Socket): void {
    const { clock, counts, connections } = this.#options;
    clock?.catchUp();
    if (counts !== undefined) counts.connections++;
    socket.once('close', () => {
      // Node aborts all waiting requests of the connection, and hundreds of connections may close at the same time.
      clock?.catchUp();
      if (counts !== undefined) counts.connections--;
    });
    connections.add(socket);
  }

  #watchEnd(socket: Socket): void {
    // Runs after node has handled the data that came with the end.
    socket.once('end', () =>
      setImmediate(() => this.#contain(socket, () => this.#options.broken.ended(socket))),
    );
  }

  #refuse(error: Error, socket: Duplex): void {
    const { counts, broken } = this.#options;
    if (broken.excuses(error, socket)) return;
    counts?.countRefusal('broken');
    broken.refuse(error, socket);
  }
}
