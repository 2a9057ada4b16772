import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';

/** Most datagrams that wait to be taken, and their bytes: a scan in the finest profile has 10 of 16 KB. */
const mostWaiting = 4096;
const mostBytes = 32 * 1024 * 1024;

/** Rounds of the event loop without a datagram after which none is on its way inside this computer. */
const quietRounds = 3;

/** A UDP port of this computer that receives telegrams. What is not taken is dropped from a limit on. */
export class UdpReceiver {
  readonly #socket: Socket;
  #waiting: Buffer[] = [];
  #bytes = 0;
  #received = 0;
  #latest: Buffer | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('message', (datagram) => this.#keep(datagram));
    // A datagram that could not be received: the next one may be.
    socket.on('error', () => undefined);
  }

  /** Opens a free port. @param address of this computer @throws Error if it is not an address of this computer */
  static async open(address: string): Promise<UdpReceiver> {
    const socket = createSocket({ type: 'udp4', recvBufferSize: mostBytes / 8 });
    socket.bind(0, address);
    try {
      await once(socket, 'listening');
    } catch (error) {
      socket.close();
      throw error;
    }
    return new UdpReceiver(socket);
  }

  get port(): number {
    return this.#socket.address().port;
  }

  /** Number of datagrams that have come. */
  get received(): number {
    return this.#received;
  }

  /** The last datagram that was taken. */
  get latest(): Buffer | undefined {
    return this.#latest;
  }

  /** Returns what has come since the last call. */
  take(): readonly Buffer[] {
    const taken = this.#waiting;
    this.#latest = taken.at(-1) ?? this.#latest;
    this.#waiting = [];
    this.#bytes = 0;
    return taken;
  }

  /** Waits until what has reached this computer is here. */
  async settled(): Promise<void> {
    for (let quiet = 0; quiet < quietRounds; quiet++) {
      const before = this.#received;
      await setImmediate();
      if (this.#received > before) quiet = 0;
    }
  }

  close(): void {
    this.#socket.close();
  }

  #keep(datagram: Buffer): void {
    this.#received += 1;
    if (this.#waiting.length >= mostWaiting || this.#bytes + datagram.length > mostBytes) return;
    this.#waiting.push(datagram);
    this.#bytes += datagram.length;
  }
}
