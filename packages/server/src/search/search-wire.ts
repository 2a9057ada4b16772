import type { RemoteInfo, Socket } from 'node:dgram';
import { networkInterfaces } from 'node:os';
import type { Device } from '@azimuth/device';
import { DeviceSearch } from '@azimuth/device/device-search';
import type { LinkFaults } from '@azimuth/device/faults';
import { containErrors, isEverywhere } from '@azimuth/http';
import { broadcastOf } from '@azimuth/telegrams/device-search';
import type { ListenerRegistry, ListeningAddress } from '../network/listening-address.js';
import { asIPv4, boundSocket, SenderLimit } from '../network/udp.js';
import type { Wire } from '../wire.js';

interface Options {
  readonly device: Device;
  readonly address: ListeningAddress;
  /** Port; 0 for any free one. Once chosen, it stays the same. */
  readonly port: number;
  /** Listeners of the scanner, as search responses state them. */
  readonly listeners: ListenerRegistry;
  /**
   * Distinguishes scanners with the same serial number: eight hex digits. Undefined for responses without what
   * devices do not send: this, and the port of the web server.
   */
  readonly instance: string | undefined;
  /** The network cable; undefined if it always stays in. */
  readonly link?: LinkFaults | undefined;
}

interface Listening {
  readonly host: string;
  readonly sockets: SearchSockets;
}

/**
 * | state       | listens              | `open`    | opened      | failed      | `close`  |
 * |-------------|----------------------|-----------|-------------|-------------|----------|
 * | `closed`    |                      | `opening` |             |             |          |
 * | `opening`   |                      | `opening` | `listening` | `failed`    | `closed` |
 * | `failed`    |                      | `opening` |             |             | `closed` |
 * | `listening` | at its address       | `moving`  |             |             | `closed` |
 * | `moving`    | at its address so far | `moving`  | `listening` | `listening` | `closed` |
 *
 * Work that began in an earlier state has no effect.
 */
type State =
  | { readonly kind: 'closed' | 'opening' | 'failed' }
  | { readonly kind: 'listening' | 'moving'; readonly at: Listening };

/** UDP port of the device search. If it cannot be opened, the scanner logs a warning and runs without it. */
export class SearchWire implements Wire {
  readonly #options: Options;
  readonly #search: DeviceSearch;
  readonly #limit: SenderLimit;
  #port: number;
  #state: State = { kind: 'closed' };
  #reported: string | undefined;

  constructor(options: Options) {
    this.#options = options;
    const { device, listeners, instance, address } = options;
    const ports = () => ({
      ...{ legacyA: listeners.portOf('legacyA'), legacyB: listeners.portOf('legacyB') },
      ...(instance === undefined ? {} : { http: this.#http, instance }),
    });
    this.#search = new DeviceSearch(device, ports, { loopbackOnly: address.isBoundToLoopback });
    this.#limit = new SenderLimit(device.clock);
    this.#port = options.port;
    address.onChange(() => {
      if (this.#state.kind !== 'closed' && this.#hosts[0] !== this.#at?.host) void this.open();
    });
  }

  /** Port that it listens at; null while it does not. */
  get port(): number | null {
    return this.#at === undefined ? null : this.#port;
  }

  /** True if a search at this port gets a response. */
  get isOpen(): boolean {
    return this.#at !== undefined && this.#search.isSearchable;
  }

  /**
   * Listens at the scanner's address. If that cannot be opened, it stays at its present address, or starts at the
   * fallback address, as all listeners do. Never rejects.
   */
  async open(): Promise<void> {
    const before = this.#at;
    const begun: State = before === undefined ? { kind: 'opening' } : { kind: 'moving', at: before };
    this.#state = begun;
    const problems: string[] = [];
    for (const host of this.#hosts) {
      if (this.#state !== begun) return;
      if (host === before?.host) {
        this.#state = { kind: 'listening', at: before };
        return;
      }
      try {
        const sockets = await this.#socketsAt(host);
        if (this.#state !== begun) sockets.close();
        else this.#listenAt({ host, sockets });
        return;
      } catch (error) {
        problems.push(error instanceof Error ? error.message : String(error));
      }
    }
    if (this.#state !== begun) return;
    this.#state = before === undefined ? { kind: 'failed' } : { kind: 'listening', at: before };
    this.#reportFailure(problems.join('; '));
  }

  down(): void {
    this.close();
  }

  up(): void {
    this.#options.device.errors.contain('search', () => this.open());
  }

  /** Closes it at once. */
  close(): void {
    this.#at?.sockets.close();
    this.#state = { kind: 'closed' };
  }

  /** Address at which it listens; undefined while it does not. */
  get #at(): Listening | undefined {
    return 'at' in this.#state ? this.#state.at : undefined;
  }

  /** Returns the addresses to try, best first. A scanner without an address can still be found. */
  get #hosts(): readonly string[] {
    const { inForce, openable, fallback } = this.#options.address;
    if (inForce === undefined) return [fallback];
    return [openable, this.#at?.host, fallback].filter((host) => host !== undefined);
  }

  /**
   * Returns the port of the web server, if clients reach it under the address from which responses are sent; otherwise
   * null.
   */
  get #http(): number | null {
    const listeningAt = this.#options.listeners.of('http');
    if (listeningAt === undefined) return null;
    return isEverywhere(listeningAt.host) || listeningAt.host === this.#at?.sockets.address
      ? listeningAt.port
      : null;
  }

  async #socketsAt(host: string): Promise<SearchSockets> {
    if (this.#port === 0) this.#port = await SearchSockets.freePort(host);
    const { errors } = this.#options.device;
    return SearchSockets.open(
      host,
      this.#port,
      (datagram, from) => errors.contain('search', () => this.#receive(datagram, from)),
      (error) => errors.report('search', error),
    );
  }

  #listenAt(at: Listening): void {
    this.#at?.sockets.close();
    this.#state = { kind: 'listening', at };
    this.#reported = undefined;
    const { sockets } = at;
    if (sockets.unheardBroadcasts.length === 0) return;
    this.#options.device.hardware.log.info('On this system, broadcasts may not reach the device search', {
      to: sockets.unheardBroadcasts,
    });
  }

  #reportFailure(reason: string): void {
    if (reason === this.#reported) return;
    this.#reported = reason;
    this.#options.device.hardware.log.warn(
      `The device search cannot listen at UDP port ${this.#port}: search tools do not find the scanner`,
      {
        reason,
        option: '--search-port',
      },
    );
  }

  async #receive(datagram: Buffer, from: RemoteInfo): Promise<void> {
    this.#options.device.clock.catchUp();
    if (this.#options.link?.down !== undefined) return;
    const sockets = this.#at?.sockets;
    if (sockets === undefined || !this.#search.isRequest(datagram) || !this.#limit.allows(from.address))
      return;
    const { datagrams, afterwards } = await this.#search.respond(datagram);
    await Promise.all(datagrams.map((response) => sockets.send(response, from)));
    afterwards?.();
  }
}

type Received = (datagram: Buffer, from: RemoteInfo) => void;

/**
 * Sockets of the device search: one at the scanner's address, which also sends the responses, and one for each broadcast
 * address whose datagrams the first one does not get. Several scanners of a machine share a port, and each gets every
 * broadcast.
 */
class SearchSockets {
  /** Broadcast addresses at which it could not listen. */
  readonly unheardBroadcasts: readonly string[];
  readonly #sockets: readonly Socket[];
  readonly #main: Socket;

  /** Address that responses are sent from; 0.0.0.0 for the address that the request was sent to. */
  readonly address: string;

  private constructor(main: Socket, others: readonly Socket[], unheardBroadcasts: readonly string[]) {
    this.#main = main;
    this.address = main.address().address;
    this.#sockets = [main, ...others];
    this.unheardBroadcasts = unheardBroadcasts;
  }

  /** Finds a free port at this address. */
  static async freePort(host: string): Promise<number> {
    const socket = await boundSocket(0, asIPv4(host), false);
    const { port } = socket.address();
    socket.close();
    return port;
  }

  /**
   * Opens the sockets. Rejects if the address or the port is not available.
   * @param failed called with errors thrown by `received`
   */
  static async open(
    host: string,
    port: number,
    received: Received,
    failed: (error: unknown) => void,
  ): Promise<SearchSockets> {
    const main = await boundSocket(port, asIPv4(host), true);
    const others: Socket[] = [];
    const unheardBroadcasts: string[] = [];
    for (const address of broadcastsFor(main.address().address)) {
      try {
        others.push(await boundSocket(port, address, true));
      } catch {
        // Some systems do not allow this. Some of these deliver broadcasts to the address itself.
        unheardBroadcasts.push(address);
      }
    }
    const sockets = new SearchSockets(main, others, unheardBroadcasts);
    for (const socket of sockets.#sockets) containErrors(socket, failed).on('message', received);
    return sockets;
  }

  /** Fulfilled when the system has accepted or refused the datagram: a datagram may always get lost. */
  send(datagram: Uint8Array, { port, address }: RemoteInfo): Promise<void> {
    return new Promise((resolve) => {
      try {
        this.#main.send(datagram, port, address, () => resolve());
      } catch {
        // The sockets were closed meanwhile.
        resolve();
      }
    });
  }

  close(): void {
    for (const socket of this.#sockets) socket.close();
  }
}

/**
 * Returns the broadcast addresses for a listener at this address. On most systems a socket at one address gets no
 * broadcasts; a socket at 0.0.0.0 gets all.
 */
function broadcastsFor(address: string): readonly string[] {
  if (address === '0.0.0.0') return [];
  if (address.startsWith('127.')) return ['127.255.255.255'];
  const directed = Object.values(networkInterfaces())
    .flatMap((interfaces) => interfaces ?? [])
    .filter((at) => at.family === 'IPv4' && at.address === address)
    .map((at) => broadcastOf(bytesOf(at.address), bytesOf(at.netmask)).join('.'));
  return [...new Set([...directed, '255.255.255.255'])];
}

function bytesOf(address: string): readonly number[] {
  return address.split('.').map(Number);
}
