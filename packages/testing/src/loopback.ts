import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';

const compress = promisify(deflateRaw);
const nothing = Buffer.alloc(0);

/**
 * Delivers datagrams over loopback to the sockets of this process. A datagram of its own shows when the system has
 * passed on everything that was sent before.
 */
export class Loopback {
  #probe: Promise<Socket> | undefined;
  #arrived: () => void = () => undefined;
  #isClosed = false;

  /** Passes everything that was sent before, over any socket, to the reading sockets of this process. */
  async pass(): Promise<void> {
    if (this.#isClosed) return;
    this.#probe ??= this.#open();
    const probe = await this.#probe;
    // Datagrams of streams leave at the end of a pass of the event loop.
    await setImmediate();
    if (this.#isClosed) return;
    const arrived = new Promise<void>((resolve) => {
      this.#arrived = resolve;
    });
    // Keeps the process alive until the datagram arrives. While the power is off, nothing else may do so.
    probe.ref();
    probe.send(nothing, () => undefined);
    await arrived;
    probe.unref();
    // The other sockets that became readable with it run before this.
    await setImmediate();
  }

  /** Does the same as `pass`, and gives other threads time to compress or decompress messages. */
  async passAll(): Promise<void> {
    await compress(nothing);
    await this.pass();
  }

  /** Ends all waiting calls of `pass`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const probe = await this.#probe;
    this.#arrived();
    if (probe === undefined) return;
    const closed = once(probe, 'close');
    probe.close();
    await closed;
  }

  async #open(): Promise<Socket> {
    const socket = createSocket('udp4');
    socket.on('error', () => this.#arrived());
    socket.on('message', () => this.#arrived());
    socket.bind({ address: '127.0.0.1', port: 0, exclusive: true });
    await once(socket, 'listening');
    socket.connect(socket.address().port, '127.0.0.1');
    await once(socket, 'connect');
    return socket.unref();
  }
}
