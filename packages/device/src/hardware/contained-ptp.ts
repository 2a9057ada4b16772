import type { PtpConnection, PtpDatagram, PtpListener, PtpNetwork } from '../interfaces/time-sources.js';
import { errorMessage, RecurringError } from '../lifecycle/unexpected-errors.js';
import { type Containment, unusable } from './contained-sensor.js';

/**
 * The PTP network of the hardware. Messages without a usable time stamp are dropped, DeviceStatus is 7 until one has a
 * usable stamp, and the log gets one line.
 */
export class ContainedPtp implements PtpNetwork {
  readonly #network: PtpNetwork;
  readonly #error: RecurringError;

  constructor(network: PtpNetwork, containment: Containment) {
    this.#network = network;
    this.#error = new RecurringError(containment, 'PTP of the hardware');
  }

  open(listener: PtpListener): PtpConnection {
    /** False after a failure to open, and from the close on: what the hardware tells then is of no use. */
    let isOpen = true;
    const connection = this.#contain(() => {
      const opened = this.#network.open({
        opened: () => isOpen && listener.opened(),
        failed: (reason) => isOpen && listener.failed(errorMessage(reason)),
        received: (datagram) => {
          if (!isOpen) return;
          const usable = this.#contain(() => datagramIn(datagram));
          if (usable !== undefined) listener.received(usable);
        },
      });
      if (opened instanceof Promise) throw unusable('a connection', opened);
      return opened;
    });
    if (connection === undefined) {
      isOpen = false;
      // The caller does not have the connection yet.
      queueMicrotask(() => listener.failed('the hardware does not open its PTP ports'));
      return { sendEvent: () => undefined, close: () => undefined };
    }
    return {
      sendEvent: (bytes, to) => this.#stamp(() => connection.sendEvent(bytes, to)),
      close: () => {
        isOpen = false;
        const closed: unknown = this.#contain(() => connection.close());
        if (closed instanceof Promise) closed.catch((error: unknown) => this.#fails(error));
      },
    };
  }

  #stamp(send: () => ReturnType<PtpConnection['sendEvent']>): ReturnType<PtpConnection['sendEvent']> {
    const sent = this.#contain(send);
    if (!(sent instanceof Promise)) return this.#contain(() => stampIn(sent));
    return sent.then(
      (at) => this.#contain(() => stampIn(at)),
      (error: unknown) => {
        this.#fails(error);
        return undefined;
      },
    );
  }

  #contain<T>(act: () => T): T | undefined {
    try {
      const result = act();
      this.#error.works();
      return result;
    } catch (error) {
      this.#fails(error);
      return undefined;
    }
  }

  #fails(error: unknown): void {
    this.#error.failed('The PTP of the hardware does not work', errorMessage(error));
  }
}

function stampIn(value: unknown): number | undefined {
  if (value === undefined || (typeof value === 'number' && Number.isFinite(value))) return value;
  throw unusable('a time stamp in ms', value);
}

function datagramIn(datagram: PtpDatagram): PtpDatagram {
  const { bytes, received, from, isUnicast } = datagram;
  if (!(bytes instanceof Uint8Array)) throw unusable('the bytes of a message', bytes);
  if (typeof received !== 'number' || !Number.isFinite(received))
    throw unusable('a time stamp in ms', received);
  if (typeof from !== 'string') throw unusable('the address of the sender', from);
  return { bytes, received, from, isUnicast: isUnicast === true };
}
