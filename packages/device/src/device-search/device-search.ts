import { isDeepStrictEqual } from 'node:util';
import type { Variable } from '@azimuth/model';
import type { Device } from '../device.js';
import { answerTo, type Request, requestIn, Telegram } from './datagram.js';
import { faultOf, leavesLoopback } from './fault.js';
import { type ListeningPorts, presenceOf } from './presence.js';
import { type Permission, permissionOf } from './search-mode.js';
import { taggedPresence } from './tagged-answer.js';
import { parametersOf, settable, type Wish, wishIn } from './wish.js';
import { xmlDone, xmlPresence } from './xml-answer.js';

/** What is to be sent back, and what is to be done once that is out. */
export interface SearchAnswer {
  readonly datagrams: readonly Uint8Array[];
  readonly afterwards?: () => void;
}

/** Host address and mask of whoever searches. */
const searchBytes = 8;
/** Who asks so reads the older form alone. */
const xmlAlone = 2;

const everybody = new Uint8Array(6).fill(0xff);
const silence: SearchAnswer = { datagrams: [] };

/**
 * Answers tools that search for scanners, and sets the address where they may: without a login, as these tools have
 * none. What the active EtherLegacyScanMode (EnableColaScan below 2.1.0) forbids gets no answer, as does everything
 * that is not quite a request.
 */
export class DeviceSearch {
  readonly #device: Device;
  readonly #ports: () => ListeningPorts;
  #upSince: number;
  /** A change is being stored. */
  #changing = false;
  readonly #loopbackAlone: boolean;
  #told: string | undefined;

  /**
   * To be made when the scanner has come up.
   * @param bounds with `loopbackAlone` tools may set static addresses of loopback, and nothing else
   */
  constructor(
    device: Device,
    ports: () => ListeningPorts,
    bounds: { readonly loopbackAlone?: boolean } = {},
  ) {
    this.#device = device;
    this.#ports = ports;
    this.#loopbackAlone = bounds.loopbackAlone === true;
    this.#upSince = device.clock.monotonic();
    device.lifecycle.onUp(() => {
      this.#upSince = device.clock.monotonic();
      this.#told = undefined;
    });
  }

  /** Do search tools find the scanner, by the settings in force? */
  get isFound(): boolean {
    return this.#permission.find;
  }

  /** Is this a request that this scanner may have something to say to? A quick look. */
  hears(datagram: Uint8Array): boolean {
    return this.#requestIn(datagram) !== undefined;
  }

  /** Never rejects. */
  async answer(datagram: Uint8Array): Promise<SearchAnswer> {
    const request = this.#requestIn(datagram);
    if (request === undefined) return silence;
    const permission = this.#permission;
    if (!permission.find) return silence;
    return request.telegram === Telegram.search
      ? this.#present(request, permission)
      : this.#change(request, permission);
  }

  #requestIn(datagram: Uint8Array): Request | undefined {
    const request = requestIn(datagram);
    if (request === undefined) return undefined;
    const { telegram, macAddress, body, stated } = request;
    const isMeant = Buffer.compare(macAddress, Uint8Array.from(this.#device.identity.macAddress)) === 0;
    if (telegram === Telegram.change) return isMeant ? request : undefined;
    if (telegram !== Telegram.search || body.length !== searchBytes || stated !== searchBytes)
      return undefined;
    return isMeant || Buffer.compare(macAddress, everybody) === 0 ? request : undefined;
  }

  get #permission(): Permission {
    const { network, edition, clock } = this.#device;
    return permissionOf(network.active, edition.release, clock.monotonic() - this.#upSince);
  }

  #present(request: Request, { setAddress }: Permission): SearchAnswer {
    const presence = presenceOf(this.#device, this.#ports(), setAddress);
    const own = presence.macAddress;
    const xml = answerTo(request, Telegram.foundXml, own, Buffer.from(xmlPresence(presence), 'utf8'));
    if (request.kind === xmlAlone) return { datagrams: [xml] };
    return { datagrams: [answerTo(request, Telegram.foundTagged, own, taggedPresence(presence)), xml] };
  }

  async #change(request: Request, { setAddress }: Permission): Promise<SearchAnswer> {
    const wish = wishIn(request, this.#device.identity.macAddress);
    if (wish === undefined) return silence;
    if (!setAddress) return this.#refuse('EtherLegacyScanMode does not allow it, or not any more');
    if (this.#changing) return silence;
    this.#changing = true;
    try {
      return await this.#carryOut(wish, request);
    } catch (error) {
      return this.#refuse(error instanceof Error ? error.message : String(error));
    } finally {
      this.#changing = false;
    }
  }

  async #carryOut(wish: Wish, request: Request): Promise<SearchAnswer> {
    const { saving, network, identity, host, parameters } = this.#device;
    const values = parametersOf(wish);
    const { active } = network;
    const fault =
      faultOf(values, active) ?? (this.#loopbackAlone ? leavesLoopback(values, active) : undefined);
    if (fault !== undefined) return this.#refuse(fault);
    const named = settable.filter(({ name }) => Object.hasOwn(values, name));
    const isAlready = (read: (variable: Variable<unknown>) => unknown) =>
      named.every((variable) => isDeepStrictEqual(read(variable), values[variable.name]));
    const isKept =
      isAlready((variable) => parameters.read(variable)) &&
      isAlready((variable) => parameters.stored(variable));
    if (!isKept) {
      await saving.restore(values);
      host.log.info('A search tool has set the network configuration', { ...values });
    }
    const done = wish.form === 'xml' ? Buffer.from(xmlDone(identity.macAddress), 'utf8') : Uint8Array.of(0);
    const datagrams = [answerTo(request, Telegram.changed, identity.macAddress, done)];
    if (isAlready((variable) => active.read(variable))) return { datagrams };
    // What somebody else has written, and not put into force, is not the tool's to put there.
    return { datagrams, afterwards: () => network.activate(named) };
  }

  /** Tools take any answer for success: there is none. The log is told once, however often it is tried. */
  #refuse(reason: string): SearchAnswer {
    if (reason !== this.#told) {
      this.#device.host.log.warn('A search tool may not set the network configuration', { reason });
    }
    this.#told = reason;
    return silence;
  }
}
