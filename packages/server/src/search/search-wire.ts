import type { RemoteInfo } from 'node:dgram';
import type { Clock, Device, Log } from '@azimuth/device';
import { DeviceSearch, type ListeningPorts } from '@azimuth/device/device-search';
import { isEverywhere, type Place } from '../network/listen.js';
import type { ListeningAddress } from '../network/listening-address.js';
import { AnswerLimit } from '../network/rate-limit.js';
import { Ears } from './search-sockets.js';

interface Options {
  readonly device: Device;
  readonly address: ListeningAddress;
  /** 0 for any free one; once chosen it stays the same. */
  readonly port: number;
  /** The legacy ports of the scanner, as they are told to whoever searches. */
  readonly legacy: () => Pick<ListeningPorts, 'legacyA' | 'legacyB'>;
  /** Where the web server listens; undefined while it does not. */
  readonly http: () => Place | undefined;
  /** Tells it apart from other scanners of its serial number: eight hex digits. */
  readonly instance: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** The UDP port of the device search. One that cannot be opened is a warning, and the scanner goes on without. */
export class SearchWire {
  readonly #options: Options;
  readonly #search: DeviceSearch;
  readonly #limit: AnswerLimit;
  #port: number;
  #ears: Ears | undefined;
  #host: string | undefined;
  /** From `open` until `close`; another one for every move. */
  #session: object | undefined;
  #told: string | undefined;

  constructor(options: Options) {
    this.#options = options;
    const { device, legacy, instance, address } = options;
    this.#search = new DeviceSearch(device, () => ({ ...legacy(), http: this.#http, instance }), {
      loopbackAlone: address.isBoundToLoopback,
    });
    this.#limit = new AnswerLimit(options.clock);
    this.#port = options.port;
    address.onChange(() => {
      if (this.#session !== undefined && this.#hosts[0] !== this.#host) void this.open();
    });
  }

  /** The port that it listens at; null while it does not. */
  get port(): number | null {
    return this.#ears === undefined ? null : this.#port;
  }

  /** Does whoever searches at this port get an answer? */
  get answers(): boolean {
    return this.#ears !== undefined && this.#search.isFound;
  }

  /**
   * Listens at the scanner's address. Where that cannot be opened it stays where it is, as all listeners do, or
   * begins where they do. Never rejects.
   */
  async open(): Promise<void> {
    const session = {};
    this.#session = session;
    const problems: string[] = [];
    for (const host of this.#hosts) {
      if (this.#ears !== undefined && host === this.#host) return;
      try {
        if (this.#port === 0) this.#port = await Ears.freePort(host);
        const { errors } = this.#options.device;
        const ears = await Ears.open(
          host,
          this.#port,
          (datagram, from) => errors.contain('search', () => this.#take(datagram, from)),
          (error) => errors.tell('search', error),
        );
        if (session !== this.#session) ears.close();
        else this.#listenWith(ears, host);
        return;
      } catch (error) {
        problems.push(error instanceof Error ? error.message : String(error));
      }
    }
    if (session === this.#session) this.#tell(problems.join('; '));
  }

  /** Closes it at once. */
  close(): void {
    this.#session = undefined;
    this.#host = undefined;
    this.#ears?.close();
    this.#ears = undefined;
  }

  /** Where to listen, the best place first: a scanner that has no address can be found all the same. */
  get #hosts(): readonly string[] {
    const { wanted, openable, otherwise } = this.#options.address;
    if (wanted === undefined) return [otherwise];
    return [openable, this.#host, otherwise].filter((host) => host !== undefined);
  }

  /** The port of the web server, where whoever is answered from here reaches it under the address that answers. */
  get #http(): number | null {
    const place = this.#options.http();
    if (place === undefined) return null;
    return isEverywhere(place.host) || place.host === this.#ears?.address ? place.port : null;
  }

  #listenWith(ears: Ears, host: string): void {
    this.#ears?.close();
    this.#ears = ears;
    this.#host = host;
    this.#told = undefined;
    if (ears.deafTo.length === 0) return;
    this.#options.log.info('The device search may not hear broadcasts on this system', { to: ears.deafTo });
  }

  #tell(reason: string): void {
    if (reason === this.#told) return;
    this.#told = reason;
    this.#options.log.warn(
      `The device search cannot listen at UDP port ${this.#port}: search tools do not find the scanner`,
      {
        reason,
        option: '--search-port',
      },
    );
  }

  async #take(datagram: Buffer, from: RemoteInfo): Promise<void> {
    this.#options.clock.catchUp();
    const ears = this.#ears;
    if (ears === undefined || !this.#search.hears(datagram) || !this.#limit.allows(from.address)) return;
    const { datagrams, afterwards } = await this.#search.answer(datagram);
    await Promise.all(datagrams.map((answer) => ears.send(answer, from)));
    afterwards?.();
  }
}
