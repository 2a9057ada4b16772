import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** Passes connections on to a port of loopback. It can lose an answer: what was asked is done, and nobody hears of it. */
export class LosingProxy {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isLosing = false;
  #lost = 0;

  private constructor(server: Server, port: number, target: number) {
    this.#server = server;
    this.port = port;
    server.on('connection', (near) => this.#passOn(near, connect(target, '127.0.0.1')));
  }

  static async to(target: number): Promise<LosingProxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return new LosingProxy(server, address.port, target);
  }

  /** Answers that were lost. */
  get lost(): number {
    return this.#lost;
  }

  /** The next answer does not come: its connection ends instead. */
  loseNextAnswer(): void {
    this.#isLosing = true;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #passOn(near: Socket, far: Socket): void {
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
    near.pipe(far);
    far.on('data', (answer) => {
      if (!this.#isLosing) {
        near.write(answer);
        return;
      }
      this.#isLosing = false;
      this.#lost++;
      near.destroy();
    });
  }
}
