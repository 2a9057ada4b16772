import { isDeepStrictEqual } from 'node:util';
import type { Clock, Device, Log } from '@azimuth/device';
import { cybersecurity, device as deviceGroup, type Variable } from '@azimuth/model';
import type { HostAndPort } from '../network/listen.js';
import { AnswerLimit } from '../network/rate-limit.js';
import { announcementOf, networkOf, type WebAccess } from './records.js';
import { Responder } from './responder.js';

interface Options {
  readonly device: Device;
  /** Where the web server listens; undefined while it does not. */
  readonly http: () => HostAndPort | undefined;
  readonly https: () => HostAndPort | undefined;
  /** Tells it apart from other scanners of its serial number. */
  readonly instance: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** What is announced, and may change while the web server stays where it is. */
const announcedVariables: readonly Variable<unknown>[] = [
  deviceGroup.members.LocationName,
  cybersecurity.members.httpsStatus,
];

/** At least so long (ms) after an announcement the next change is announced: writes must not be sent on one by one. */
const announcementInterval = 1000;

/**
 * Announces the web server of a scanner by DNS-SD (`_http._tcp`) while it listens, in the network in which it does. What
 * goes wrong there is logged once, and keeps nothing else from working.
 */
export class DnsSd {
  readonly #options: Options;
  readonly #limit: AnswerLimit;
  readonly #unsubscribe: () => void;
  #responder: Responder | undefined;
  #announced: WebAccess | undefined;
  /** Put into the names where others have them. */
  #distinct: string | undefined;
  #lastUpdate: Promise<void> = Promise.resolve();
  /** Calls off the announcement of a change that waits for its time. */
  #cancelChange: (() => void) | undefined;
  /** When the last one was made or begun, on the monotonic clock (ms). */
  #lastAnnouncement = Number.NEGATIVE_INFINITY;
  #ended = false;

  constructor(options: Options) {
    this.#options = options;
    this.#limit = new AnswerLimit(options.clock);
    this.#unsubscribe = options.device.announcements.subscribeTo(announcedVariables, () => this.#changed());
  }

  /** The web server may have been opened, moved or closed. Fulfilled when that is announced; never rejects. */
  follow(): Promise<void> {
    if (this.#ended || this.#options.http() === undefined) this.#responder?.goOn();
    this.#lastAnnouncement = this.#options.clock.monotonic();
    this.#lastUpdate = this.#lastUpdate
      .then(() => this.#settle())
      .catch((error: unknown) => {
        this.#options.log.info('The scanner is not announced by DNS-SD', { reason: String(error) });
      });
    return this.#lastUpdate;
  }

  /** Says goodbye, and nothing any more. */
  async close(): Promise<void> {
    this.#ended = true;
    this.#cancelChange?.();
    this.#unsubscribe();
    await this.follow();
  }

  /**
   * Announces a change later: the last one of several, at most once a second, and never within a request. That counts
   * from the begin of the last announcement, which may wait for objections: changes must not queue up behind it.
   */
  #changed(): void {
    if (this.#cancelChange !== undefined) return;
    this.#cancelChange = this.#options.clock.after(Math.max(0, this.#wait), () => {
      this.#cancelChange = undefined;
      // It has been made meanwhile, later than it was begun.
      if (this.#wait > 0) this.#changed();
      else void this.follow();
    });
  }

  /** In so many ms the next change may be announced. */
  get #wait(): number {
    return this.#lastAnnouncement + announcementInterval - this.#options.clock.monotonic();
  }

  async #settle(): Promise<void> {
    const http = this.#ended ? undefined : this.#options.http();
    const network = http === undefined ? undefined : await networkOf(http.host);
    if (http === undefined || network === undefined) return this.#leave();
    const { addresses, at } = network;
    if (this.#responder?.at !== at) await this.#leave();
    const failed = (error: unknown) => this.#options.device.errors.report('dns_sd', error);
    this.#responder ??= new Responder({ at, limit: this.#limit, log: this.#options.log, failed });
    const { https, instance } = this.#options;
    await this.#announce(this.#responder, { addresses, http: http.port, https: https()?.port, instance });
  }

  async #announce(responder: Responder, access: WebAccess): Promise<void> {
    const { device } = this.#options;
    if (!isDeepStrictEqual(access, this.#announced)) {
      const { instance, host, port } = announcementOf(device, access);
      const isInUse = await responder.isNameInUse(instance, { host, port });
      this.#distinct = isInUse ? String(port) : undefined;
      this.#announced = access;
    }
    this.#lastAnnouncement = this.#options.clock.monotonic();
    await responder.announce(announcementOf(device, access, this.#distinct).records);
  }

  async #leave(): Promise<void> {
    const responder = this.#responder;
    this.#responder = undefined;
    this.#announced = undefined;
    await responder?.close();
  }
}
