import { type Receiver, receiveUdp } from '@azimuth/client/node';
import { senderIdOf } from '@azimuth/telegrams';
import type { MonitorClock } from '../clock.js';
import { ScanCount } from './scan-count.js';

/** Telegrams that may wait: they are counted as soon as they come. */
const queue = 256;

interface OpenPort {
  readonly receiver: Promise<Receiver>;
  /** By the number that telegrams state: 32 bits made of the serial number. */
  readonly senders: Map<number, ScanCount>;
}

/** The UDP ports at which scan data arrives. Several scanners may send to one port. */
export class ScanPorts {
  readonly #clock: MonitorClock;
  readonly #reportError: (error: unknown) => void;
  readonly #ports = new Map<number, OpenPort>();
  readonly #closed = new Set<number>();

  constructor(clock: MonitorClock, reportError: (error: unknown) => void) {
    this.#clock = clock;
    this.#reportError = reportError;
  }

  /** Counts the scan data of a scanner at a port. It opens the port if no other scanner sends there. */
  open(port: number, serial: string): ScanCount {
    const open = this.#ports.get(port) ?? this.#listen(port);
    const sender = senderIdOf(serial);
    const count = open.senders.get(sender) ?? new ScanCount();
    open.senders.set(sender, count);
    return count;
  }

  /** False if the port could not be opened, for example because another program has it. */
  isOpen(port: number): boolean {
    return !this.#closed.has(port);
  }

  /** Counts no longer. It closes the port after the last scanner. */
  async close(port: number, serial: string): Promise<void> {
    const open = this.#ports.get(port);
    open?.senders.delete(senderIdOf(serial));
    if (open === undefined || open.senders.size > 0) return;
    this.#ports.delete(port);
    const receiver = await open.receiver.catch(() => undefined);
    receiver?.close();
  }

  #listen(port: number): OpenPort {
    const open: OpenPort = { receiver: receiveUdp({ port, queue }), senders: new Map() };
    this.#ports.set(port, open);
    this.#count(port, open).catch((error: unknown) => {
      // The next look at a scanner tries again. It is reported once.
      if (this.#ports.get(port) === open) this.#ports.delete(port);
      if (!this.#closed.has(port)) this.#reportError(error);
      this.#closed.add(port);
    });
    return open;
  }

  async #count(port: number, { receiver, senders }: OpenPort): Promise<void> {
    const telegrams = await receiver;
    this.#closed.delete(port);
    for await (const { telegram } of telegrams) {
      if (telegram.kind !== 'scan') continue;
      const sender = telegram.telegram.modules[0]?.sender;
      if (sender !== undefined) senders.get(sender)?.count(telegram.telegram, this.#clock.now());
    }
  }
}
