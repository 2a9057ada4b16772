import type { Socket } from 'node:net';
import type { Wire } from '../network/address-follower.js';
import { ClosableServer } from '../network/closable-server.js';
import { MovingListener } from '../network/moving-listener.js';
import { type Place, urlOf } from '../network/place.js';

interface ListenerOptions {
  readonly name: string;
  /** The port that it is to have; 0 for any free one, which it keeps. May be another one each time it is asked. */
  readonly port: () => number;
  /** The option that chooses the port. */
  readonly flag: string;
  /** Told when it listens at another port than before. */
  readonly moved: (place: Place) => void;
  readonly connected: (socket: Socket) => void;
  /** Told of an error that nobody expected, of a connection. */
  readonly failed: (error: unknown) => void;
}

/** The listener of one of the two legacy interfaces. */
export class LegacyListener implements Wire {
  readonly name: string;
  readonly #options: ListenerOptions;
  readonly #listener: MovingListener;
  #lastPort = 0;
  /** The port that any free one takes the place of, for as long as it is the wanted one. */
  #replaced = 0;

  constructor(options: ListenerOptions) {
    this.name = options.name;
    this.#options = options;
    this.#listener = new MovingListener({ make: () => this.#server(), port: 0, flag: options.flag });
  }

  get place(): Place | undefined {
    return this.#listener.place;
  }

  get url(): string | undefined {
    return this.place === undefined ? undefined : urlOf(this.place, 'tcp');
  }

  get hasWrongPort(): boolean {
    const wanted = this.wantedPort;
    return wanted !== 0 && this.place !== undefined && this.place.port !== wanted;
  }

  /** 0 for the one that it has. */
  get wantedPort(): number {
    const port = this.#options.port();
    return port === this.#replaced ? 0 : port;
  }

  /** Any free port takes the place of the wanted one, until another one is wanted. */
  replacePort(): void {
    this.#replaced = this.#options.port();
    this.#listener.port = 0;
  }

  async listenAt(host: string): Promise<void> {
    const port = this.wantedPort;
    if (port !== 0) {
      this.#replaced = 0;
      this.#listener.port = port;
    }
    await this.#listener.listenAt(host);
    const { place } = this;
    if (place === undefined) return;
    if (this.#lastPort !== 0 && this.#lastPort !== place.port) this.#options.moved(place);
    this.#lastPort = place.port;
  }

  close(): void {
    this.#listener.close();
  }

  /** A client may say that it sends no more and still wait for its answers; node's types do not know the property. */
  #server(): ClosableServer {
    return Object.assign(new ClosableServer(this.#options.connected, this.#options.failed), {
      allowHalfOpen: true,
    });
  }
}
