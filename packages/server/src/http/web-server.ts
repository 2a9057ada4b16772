import type { Server } from 'node:http';
import type { Wire } from '../network/address-follower.js';
import { MovingListener } from '../network/moving-listener.js';
import { type Place, urlOf } from '../network/place.js';

interface Facts {
  /** What it is, in words for the log. */
  readonly name: string;
  readonly scheme: 'http' | 'https';
  /** 0 for any free one; once chosen it stays the same over reboots and moves. */
  readonly port: number;
  /** The option that chooses the port. */
  readonly flag: string;
  /** Makes a listener that is not open yet. */
  readonly make: () => Server;
  /** Told whenever it may be open or closed now, with what kept it from opening where something did. */
  readonly settled?: (problem?: unknown) => void;
}

/** One of the ways into everything that is served over HTTP. */
export class WebServer implements Wire {
  readonly name: string;
  readonly #facts: Facts;
  readonly #listener: MovingListener;

  constructor(facts: Facts) {
    this.name = facts.name;
    this.#facts = facts;
    this.#listener = new MovingListener(facts);
  }

  get place(): Place | undefined {
    return this.#listener.place;
  }

  /** The port that it has, or is to have; 0 while none is chosen. */
  get port(): number {
    return this.#listener.port;
  }

  get url(): string | undefined {
    return this.place === undefined ? undefined : urlOf(this.place, this.#facts.scheme);
  }

  /**
   * Chooses the port where any free one is wanted, and opens nothing.
   * @throws PortTaken
   */
  choosePort(host: string): Promise<void> {
    return this.#listener.choosePort(host);
  }

  /** @throws PortTaken */
  async listenAt(host: string): Promise<void> {
    try {
      await this.#listener.listenAt(host);
    } catch (error) {
      this.#facts.settled?.(error);
      throw error;
    }
    this.#facts.settled?.();
  }

  /** Closes the listener and every connection, at once. */
  close(): void {
    this.#listener.close();
    this.#facts.settled?.();
  }
}
