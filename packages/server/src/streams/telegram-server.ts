import type { Socket } from 'node:net';
import type { Wire } from '../network/address-follower.js';
import { ClosableServer } from '../network/closable-server.js';
import { PortTaken } from '../network/listen.js';
import { MovingListener } from '../network/moving-listener.js';
import { type Place, urlOf } from '../network/place.js';

interface TcpServerOptions {
  /** May be another one each time that it begins to listen. */
  readonly port: () => number;
  /** Told when it listens, at another place than before where it did. */
  readonly opened: () => void;
  readonly connected: (socket: Socket) => void;
  /** Told of an error that nobody expected, of a connection. */
  readonly failed: (error: unknown) => void;
}

/** The listener that receivers of data streams connect to. */
export class TelegramServer implements Wire {
  readonly name = 'The TCP server of data streams';
  readonly #options: TcpServerOptions;
  readonly #listener: MovingListener;

  constructor(options: TcpServerOptions) {
    this.#options = options;
    this.#listener = new MovingListener({
      make: () => new ClosableServer(options.connected, options.failed),
      port: 0,
      flag: '',
    });
  }

  get place(): Place | undefined {
    return this.#listener.place;
  }

  get url(): string | undefined {
    return this.place === undefined ? undefined : urlOf(this.place, 'tcp');
  }

  async listenAt(host: string): Promise<void> {
    this.#listener.port = this.#options.port();
    try {
      await this.#listener.listenAt(host);
    } catch (error) {
      throw advised(error);
    }
    if (this.place !== undefined) this.#options.opened();
  }

  close(): void {
    this.#listener.close();
  }
}

function advised(error: unknown): unknown {
  if (!(error instanceof PortTaken)) return error;
  return new PortTaken(error.problem, 'Write another port to the settings of the stream, or free this one.');
}
