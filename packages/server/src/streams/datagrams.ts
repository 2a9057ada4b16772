import type { Socket } from 'node:dgram';
import { lossOf } from './loss.js';
import type { Sending } from './sending.js';

/** As many datagrams may wait for the network: three turns of ten segments can come at once. */
const most = 32;
const smallest = 256;

/** Memory for one datagram; it belongs to the socket until that calls back. */
interface Place {
  bytes: Uint8Array;
  readonly done: (error: Error | null, bytes: number) => void;
}

/** Sends datagrams out of memory that is used again and again. */
export class Datagrams {
  readonly #sending: Sending;
  readonly #failed: (error: Error) => void;
  readonly #free: Place[] = [];
  #made = 0;

  /** @param failed is told what a socket says that did not send, beside its being counted. */
  constructor(sending: Sending, failed: (error: Error) => void) {
    this.#sending = sending;
    this.#failed = failed;
  }

  /** Memory for a telegram of up to so many bytes; undefined while all that there is waits for the network. */
  room(bytes: number): Uint8Array | undefined {
    const place = this.#free.at(-1) ?? this.#make();
    if (place === undefined) {
      this.#sending.failed('congested');
      return undefined;
    }
    if (place.bytes.length < bytes) place.bytes = new Uint8Array(roundUp(bytes));
    return place.bytes;
  }

  /** Sends what has been written into the room that was given last. */
  send(telegram: Uint8Array, socket: Socket): void {
    const place = this.#free.pop();
    if (place !== undefined) socket.send(telegram, place.done);
  }

  #make(): Place | undefined {
    if (this.#made >= most) return undefined;
    this.#made += 1;
    const place: Place = {
      bytes: new Uint8Array(smallest),
      done: (error, bytes) => {
        this.#free.push(place);
        if (error === null) {
          this.#sending.sent(bytes);
          return;
        }
        this.#sending.failed(lossOf(error), error);
        this.#failed(error);
      },
    };
    this.#free.push(place);
    return place;
  }
}

function roundUp(bytes: number): number {
  return 2 ** Math.ceil(Math.log2(bytes));
}
