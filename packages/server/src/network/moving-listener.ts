import { createServer, type Server } from 'node:net';
import { type HostAndPort, isEverywhere, listen, PortInUse } from './listen.js';

/** A server that can close its connections, as those of HTTP can. */
interface Listener extends Server {
  closeAllConnections(): void;
}

interface Options {
  /** Makes a listener that is not open yet. */
  readonly make: () => Listener;
  /** 0 for any free one; once chosen it stays the same. */
  readonly port: number;
  /** The option that chooses the port. */
  readonly flag: string;
}

interface Open extends HostAndPort {
  readonly server: Listener;
}

/** One listener that can change its address, and keeps its port. */
export class MovingListener {
  readonly #options: Options;
  #port: number;
  #open: Open | undefined;
  /** What it is to be, from `listenAt` until `close`. */
  #current: object | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#port = options.port;
  }

  /** Where it listens; undefined while it does not. */
  get listeningAt(): HostAndPort | undefined {
    return this.#open;
  }

  /** The port that it has, or is to have; 0 while none is chosen. */
  get port(): number {
    return this.#port;
  }

  /** Has this port from the next time on that it begins to listen. */
  set port(port: number) {
    this.#port = port;
  }

  /**
   * Chooses the port, where any free one is wanted, without opening it for longer than a moment.
   * @throws PortTaken where there is none at this address.
   */
  async choosePort(host: string): Promise<void> {
    if (this.#port !== 0) return;
    const server = createServer();
    this.#port = await listen(server, host, 0, this.#options.flag);
    server.close();
  }

  /**
   * Listens at this address from now on. The listener before is closed, with its connections, once the new one is
   * open: there is no moment without one, unless the one before is on all addresses and has to make way first.
   * @throws PortTaken; what listened before still does.
   */
  async listenAt(host: string): Promise<void> {
    const attempt = {};
    this.#current = attempt;
    const before = this.#open;
    try {
      await this.#openAt(host, attempt);
    } catch (error) {
      // While one on all addresses is open, its port is taken on each of them.
      const inOurWay = before !== undefined && before.port === this.#port && isEverywhere(before.host);
      if (!(error instanceof PortInUse) || !inOurWay || this.#current !== attempt) throw error;
      this.#shut();
      try {
        await this.#openAt(host, attempt);
      } catch (again) {
        await this.#openAt(before.host, attempt);
        throw again;
      }
    }
  }

  /** Closes the listener and every connection, at once; one that is being opened comes to nothing. */
  close(): void {
    this.#current = undefined;
    this.#shut();
  }

  async #openAt(host: string, attempt: object): Promise<void> {
    if (this.#current !== attempt) return;
    const server = this.#options.make();
    const port = await this.#listen(server, host);
    // Closed while the port was being opened: then it is not to be open.
    if (this.#current !== attempt) return shut(server);
    // A connection that the system cannot hand over is lost to its client alone.
    server.on('error', () => undefined);
    this.#shut();
    this.#port = port;
    const address = server.address();
    const opened = typeof address === 'object' && address !== null ? address.address : host;
    this.#open = { server, port, host: opened };
  }

  async #listen(server: Listener, host: string): Promise<number> {
    try {
      return await listen(server, host, this.#port, this.#options.flag);
    } catch (error) {
      shut(server);
      throw error;
    }
  }

  #shut(): void {
    if (this.#open !== undefined) shut(this.#open.server);
    this.#open = undefined;
  }
}

function shut(server: Listener): void {
  server.close();
  server.closeAllConnections();
}
