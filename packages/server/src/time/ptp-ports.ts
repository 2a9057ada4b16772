import { isIPv4 } from 'node:net';
import type { Clock, PtpConnection, PtpDatagram, PtpListener, PtpNetwork } from '@azimuth/device';
import type { LinkFaults } from '@azimuth/device/faults';
import { ptpEventPort, ptpGeneralPort } from '@azimuth/telegrams/ptp/ports';
import type { ListeningAddress } from '../network/listening-address.js';
import { asIPv4, SenderLimit } from '../network/udp.js';
import { messagesPerSender, messagesTogether, reopenPtpAfter } from './limits.js';
import type { PtpPortNumbers, PtpSockets } from './ptp-sockets.js';

const defaultPorts: PtpPortNumbers = { event: ptpEventPort, general: ptpGeneralPort };

interface Options {
  readonly clock: Clock;
  /** Address of the scanner. */
  readonly address: Pick<ListeningAddress, 'openable' | 'fallback' | 'onChange'>;
  /** Ports; default 319 and 320. */
  readonly ports?: PtpPortNumbers | undefined;
  /** Called with unexpected errors. */
  readonly failed: (error: unknown) => void;
  /** The network cable; undefined if it always stays in. */
  readonly link?: LinkFaults | undefined;
}

/** PTP ports of a scanner, at the address at which it listens. Their modules are loaded when the ports are needed. */
export class PtpPorts implements PtpNetwork {
  readonly #options: Options;
  #connection: Connection | undefined;

  constructor(options: Options) {
    this.#options = options;
    options.address.onChange(() => this.#connection?.open());
  }

  open(listener: PtpListener): PtpConnection {
    const connection = new Connection(this.#options, listener, () => {
      if (this.#connection === connection) this.#connection = undefined;
    });
    this.#connection = connection;
    connection.open();
    return connection;
  }

  close(): void {
    this.#connection?.close();
  }
}

/**
 * The ports while they are used. `open` leads to `opening` from every state, also at another address, and `close` to `closed`. What
 * was begun before has no effect then.
 *
 * | state     | opened | failed    | after a pause |
 * |-----------|--------|-----------|---------------|
 * | `opening` | `open` | `waiting` |               |
 * | `waiting` |        |           | `opening`     |
 */
type State =
  | { readonly kind: 'closed' | 'opening' }
  | { readonly kind: 'open'; readonly sockets: PtpSockets }
  | { readonly kind: 'waiting'; readonly cancel: () => void };

class Connection implements PtpConnection {
  readonly #options: Options;
  readonly #listener: PtpListener;
  readonly #closed: () => void;
  readonly #limit: SenderLimit;
  #state: State = { kind: 'closed' };

  /** @param closed called at the end */
  constructor(options: Options, listener: PtpListener, closed: () => void) {
    this.#options = options;
    this.#listener = listener;
    this.#closed = closed;
    this.#limit = new SenderLimit(options.clock, messagesPerSender, messagesTogether);
  }

  sendEvent(bytes: Uint8Array, to: string | undefined): number | undefined {
    if (this.#options.link?.down !== undefined || this.#state.kind !== 'open') return undefined;
    return this.#state.sockets.sendEvent(bytes, to);
  }

  /** Opens them at the present address, and tries again if that fails. */
  open(): void {
    const opening = this.#enter({ kind: 'opening' });
    this.#sockets().then(
      (sockets) => {
        if (this.#state !== opening) {
          sockets.close();
          return;
        }
        this.#enter({ kind: 'open', sockets });
        this.#listener.opened();
      },
      (error: unknown) => {
        if (this.#state !== opening) return;
        const cancel = this.#options.clock.after(reopenPtpAfter, () => this.open());
        this.#enter({ kind: 'waiting', cancel });
        this.#listener.failed(this.#reasonOf(error));
      },
    );
  }

  /** Ends it for good. */
  close(): void {
    this.#enter({ kind: 'closed' });
    this.#closed();
  }

  #enter(next: State): State {
    const before = this.#state;
    this.#state = next;
    if (before.kind === 'open') before.sockets.close();
    if (before.kind === 'waiting') before.cancel();
    return next;
  }

  async #sockets(): Promise<PtpSockets> {
    const { address, clock, ports = defaultPorts, failed } = this.#options;
    const host = asIPv4(address.openable ?? address.fallback);
    if (!isIPv4(host)) throw new Error(`PTP needs an IPv4 address, and the scanner listens at ${host}`);
    const { PtpSockets } = await import('./ptp-sockets.js');
    return PtpSockets.open({ clock, host, ports, received: (datagram) => this.#receive(datagram), failed });
  }

  #reasonOf(error: unknown): string {
    const { event, general } = this.#options.ports ?? defaultPorts;
    const reason = error instanceof Error ? error.message : String(error);
    return `UDP ports ${event} and ${general}: ${reason}; see --ptp-event-port and --ptp-general-port`;
  }

  #receive(datagram: PtpDatagram): void {
    this.#options.clock.catchUp();
    if (this.#options.link?.down !== undefined) return;
    if (this.#limit.allows(datagram.from)) this.#listener.received(datagram);
  }
}
