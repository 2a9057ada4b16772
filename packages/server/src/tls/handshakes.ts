import type { Socket } from 'node:net';

/**
 * The connections of one listener whose TLS handshake is under way. Node tells of a connection twice, when it comes
 * and when it is encrypted, and not that the two are one: the addresses and ports of both ends do.
 */
export class Handshakes {
  readonly #begun = new Map<string, Socket>();
  readonly #done = new WeakSet<Socket>();

  begin(connection: Socket): void {
    const ends = endsOf(connection);
    this.#begun.set(ends, connection);
    connection.once('close', () => {
      if (this.#begun.get(ends) === connection) this.#begun.delete(ends);
    });
  }

  /** The connection that carries this encrypted one; undefined where it is gone. */
  end(encrypted: Socket): Socket | undefined {
    const ends = endsOf(encrypted);
    const connection = this.#begun.get(ends);
    this.#begun.delete(ends);
    if (connection !== undefined) this.#done.add(encrypted);
    return connection;
  }

  /** Has this encrypted connection come through its handshake? */
  isDone(encrypted: Socket): boolean {
    return this.#done.has(encrypted);
  }
}

function endsOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}
