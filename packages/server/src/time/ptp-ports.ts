import { isIPv4 } from 'node:net';
import type { Clock, LinkFaults, PtpConnection, PtpDatagram, PtpListener, PtpNetwork } from '@azimuth/device';
import { ptpEventPort, ptpGeneralPort } from '@azimuth/telegrams/ptp/ports';
import type { ListeningAddress } from '../network/listening-address.js';
import { asIPv4, SenderLimit } from '../network/udp.js';
import { messagesPerSender, messagesTogether, reopenPtpAfter } from './limits.js';
import type { PtpPortNumbers, PtpSockets } from './ptp-sockets.js';

const usualPorts: PtpPortNumbers = { event: ptpEventPort, general: ptpGeneralPort };

interface Options {
  readonly clock: Clock;
  /** Default 319 and 320. */
  readonly ports?: PtpPortNumbers | undefined;
  /** Gets unexpected errors. */
  readonly failed: (error: unknown) => void;
  /** The network cable; undefined if it always stays in. */
  readonly link?: LinkFaults | undefined;
}

type Place = Pick<ListeningAddress, 'openable' | 'fallback' | 'onChange'>;

/** The PTP ports of a scanner, at the address at which it listens. Nothing is loaded before they are needed. */
export class PtpPorts implements PtpNetwork {
  readonly #options: Options;
  #address: Place | undefined;
  #connection: Connection | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  open(listener: PtpListener): PtpConnection {
    const closed = () => {
      if (this.#connection === connection) this.#connection = undefined;
    };
    const connection = new Connection(this.#options, { listener, host: () => this.#host, closed });
    this.#connection = connection;
    if (this.#address !== undefined) connection.reopen();
    return connection;
  }

  /** Tells the address, as soon as it is known: before that, nothing is opened. */
  listenAt(address: Place): void {
    this.#address = address;
    this.#connection?.reopen();
    address.onChange(() => this.#connection?.reopen());
  }

  close(): void {
    this.#connection?.close();
  }

  get #host(): string {
    const address = this.#address;
    return asIPv4(address?.openable ?? address?.fallback ?? '');
  }
}

interface Use {
  readonly listener: PtpListener;
  /** The address at which the scanner listens now. */
  readonly host: () => string;
  /** Called at the end. */
  readonly closed: () => void;
}

/** The ports while they are used: opened, opened again if that fails, and moved. */
class Connection implements PtpConnection {
  readonly #options: Options;
  readonly #use: Use;
  readonly #limit: SenderLimit;
  #sockets: PtpSockets | undefined;
  /** Set from `reopen` until `shut`; replaced by every attempt. */
  #attempt: object | undefined;
  #cancelRetry: (() => void) | undefined;

  constructor(options: Options, use: Use) {
    this.#options = options;
    this.#use = use;
    this.#limit = new SenderLimit(options.clock, messagesPerSender, messagesTogether);
  }

  sendEvent(bytes: Uint8Array, to: string | undefined): number | undefined {
    if (this.#options.link?.down !== undefined) return undefined;
    return this.#sockets?.sendEvent(bytes, to);
  }

  reopen(): void {
    this.#shut();
    const attempt = {};
    this.#attempt = attempt;
    this.#open(attempt).catch((error: unknown) => this.#failed(attempt, error));
  }

  /** Ends it for good. */
  close(): void {
    this.#shut();
    this.#use.closed();
  }

  #shut(): void {
    this.#attempt = undefined;
    this.#cancelRetry?.();
    this.#cancelRetry = undefined;
    this.#sockets?.close();
    this.#sockets = undefined;
  }

  async #open(attempt: object): Promise<void> {
    const host = this.#use.host();
    const { clock, ports = usualPorts, failed } = this.#options;
    if (!isIPv4(host)) throw new Error(`PTP needs an IPv4 address, and the scanner listens at ${host}`);
    const { PtpSockets } = await import('./ptp-sockets.js');
    const received = (datagram: PtpDatagram) => this.#take(datagram);
    const sockets = await PtpSockets.open({ clock, host, ports, received, failed });
    if (attempt !== this.#attempt) {
      sockets.close();
      return;
    }
    this.#sockets = sockets;
    this.#use.listener.opened();
  }

  #failed(attempt: object, error: unknown): void {
    if (attempt !== this.#attempt) return;
    const { event, general } = this.#options.ports ?? usualPorts;
    const reason = error instanceof Error ? error.message : String(error);
    const advice = 'see --ptp-event-port and --ptp-general-port';
    this.#cancelRetry = this.#options.clock.after(reopenPtpAfter, () => this.reopen());
    this.#use.listener.failed(`UDP ports ${event} and ${general}: ${reason}; ${advice}`);
  }

  #take(datagram: PtpDatagram): void {
    this.#options.clock.catchUp();
    if (this.#options.link?.down !== undefined) return;
    if (this.#limit.allows(datagram.from)) this.#use.listener.received(datagram);
  }
}
