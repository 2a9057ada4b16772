import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * Forwards connections to a port of loopback. On demand, it loses a response: the request is carried out, and its
 * client gets nothing. It can also let all connections fall silent, as a network that has lost a machine.
 */
export class FailingProxy {
  readonly port: number;
  readonly #server: Server;
  /** The two ends of each connection that is not silent. */
  readonly #ends = new Map<Socket, Socket>();
  readonly #all = new Set<Socket>();
  #isLosing = false;
  #lost = 0;

  private constructor(server: Server, port: number, target: number) {
    this.#server = server;
    this.port = port;
    server.on('connection', (near) => this.#passOn(near, connect(target, '127.0.0.1')));
  }

  static async to(target: number): Promise<FailingProxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return new FailingProxy(server, address.port, target);
  }

  /** Connections that are not silent. */
  get connections(): number {
    return this.#ends.size;
  }

  /** Answers that were lost. */
  get lost(): number {
    return this.#lost;
  }

  /** Loses the next response: its connection ends instead. */
  loseNextResponse(): void {
    this.#isLosing = true;
  }

  /** Silences the present connections: their requests reach nobody. Later connections work. */
  silence(): void {
    for (const [near, far] of this.#ends) {
      near.unpipe(far).resume();
      far.removeAllListeners('data').resume();
    }
    this.#ends.clear();
  }

  async close(): Promise<void> {
    for (const socket of this.#all) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #passOn(near: Socket, far: Socket): void {
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#all.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.#all.delete(socket);
        this.#ends.delete(near);
        other.destroy();
      });
    }
    this.#ends.set(near, far);
    near.pipe(far);
    far.on('data', (response) => {
      if (!this.#isLosing) {
        near.write(response);
        return;
      }
      this.#isLosing = false;
      this.#lost++;
      near.destroy();
    });
  }
}
