import { isDeepStrictEqual } from 'node:util';
import { Mutex } from '@azimuth/async';
import type { Device } from '@azimuth/device';
import type { LinkFaults } from '@azimuth/device/faults';
import { cybersecurity, device as deviceGroup, type Variable } from '@azimuth/model';
import type { ListenerRegistry } from '../network/listening-address.js';
import { SenderLimit } from '../network/udp.js';
import { announcementOf, networkOf, type WebAccess } from './records.js';
import { Responder } from './responder.js';

/** Minimum interval (ms) of announcements: several writes are announced together. */
const announcementInterval = 1000;

export interface DnsSdOptions {
  readonly device: Device;
  /** Listeners of the scanner. */
  readonly listeners: ListenerRegistry;
  /** Distinguishes scanners with the same serial number. */
  readonly instance: string;
  /** The network cable; undefined if it always stays in. */
  readonly link?: LinkFaults | undefined;
}

/** Announced values that may change while the web server keeps its address. */
const announcedVariables: readonly Variable<unknown>[] = [
  deviceGroup.members.LocationName,
  cybersecurity.members.httpsStatus,
];

/** Announced state of the web server. */
interface Announced {
  readonly access: WebAccess;
  /** Suffix of the names, because others use them without it. */
  readonly distinct: string | undefined;
}

/**
 * Announces the web server of a scanner by DNS-SD (`_http._tcp`) while it listens, in its network. Errors are logged
 * once, and affect nothing else.
 */
export class DnsSd {
  readonly #options: DnsSdOptions;
  readonly #limit: SenderLimit;
  readonly #unsubscribe: () => void;
  #responder: Responder | undefined;
  #announced: Announced | undefined;
  readonly #updates = new Mutex();
  /** Cancels a delayed announcement. */
  #cancelChange: (() => void) | undefined;
  /** Start of the last announcement, on the monotonic clock (ms). */
  #lastAnnouncement = Number.NEGATIVE_INFINITY;
  #ended = false;

  constructor(options: DnsSdOptions) {
    this.#options = options;
    this.#limit = new SenderLimit(options.device.clock);
    this.#unsubscribe = options.device.announcements.subscribeTo(announcedVariables, () => this.#changed());
  }

  /**
   * Updates the announcement. Called when the web server may have been opened, moved or closed. Fulfilled when that is
   * announced; never rejects.
   */
  follow(): Promise<void> {
    if (this.#ended || this.#options.listeners.of('http') === undefined) this.#responder?.goOn();
    this.#lastAnnouncement = this.#options.device.clock.monotonic();
    return this.#updates.run(() =>
      this.#update().catch((error: unknown) => {
        this.#options.device.hardware.log.info('The scanner is not announced by DNS-SD', {
          reason: String(error),
        });
      }),
    );
  }

  /** Announces that the scanner is gone, and stops. */
  async close(): Promise<void> {
    this.#ended = true;
    this.#cancelChange?.();
    this.#unsubscribe();
    await this.follow();
  }

  /**
   * Announces a change with a delay: several changes together, at most once a second, and never within a request. The
   * second counts from the start of the last announcement, which may wait for objections: changes must not queue up
   * behind it.
   */
  #changed(): void {
    if (this.#cancelChange !== undefined) return;
    this.#cancelChange = this.#options.device.clock.after(Math.max(0, this.#wait), () => {
      this.#cancelChange = undefined;
      // Another announcement was made meanwhile, after this one was scheduled.
      if (this.#wait > 0) this.#changed();
      else void this.follow();
    });
  }

  /** Time (ms) until the next change may be announced. */
  get #wait(): number {
    return this.#lastAnnouncement + announcementInterval - this.#options.device.clock.monotonic();
  }

  async #update(): Promise<void> {
    const http = this.#ended ? undefined : this.#options.listeners.of('http');
    const network = http === undefined ? undefined : await networkOf(http.host);
    if (http === undefined || network === undefined) return this.#leave();
    const { addresses, at } = network;
    if (this.#responder?.at !== at) await this.#leave();
    const { device, listeners, instance, link } = this.#options;
    const failed = (error: unknown) => device.errors.report('dns_sd', error);
    this.#responder ??= new Responder({ at, limit: this.#limit, log: device.hardware.log, failed, link });
    await this.#announce(this.#responder, {
      addresses,
      http: http.port,
      https: listeners.of('https')?.port,
      instance,
    });
  }

  async #announce(responder: Responder, access: WebAccess): Promise<void> {
    const { device } = this.#options;
    if (!isDeepStrictEqual(access, this.#announced?.access)) {
      const { instance, host, port } = announcementOf(device, access);
      const isInUse = await responder.isNameInUse(instance, { host, port });
      this.#announced = { access, distinct: isInUse ? String(port) : undefined };
    }
    this.#lastAnnouncement = this.#options.device.clock.monotonic();
    await responder.announce(announcementOf(device, access, this.#announced?.distinct).records);
  }

  async #leave(): Promise<void> {
    const responder = this.#responder;
    this.#responder = undefined;
    this.#announced = undefined;
    await responder?.close();
  }
}
