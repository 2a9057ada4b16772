import { isDeepStrictEqual } from 'node:util';
import {
  device,
  ethernet,
  isFrom,
  LegacyScanMode,
  legacyProtocols,
  type Release,
  type Variable,
  versionTextOf,
} from '@azimuth/model';
import {
  type DeviceDescription,
  decodeChange,
  decodeSearchRequest,
  encodeSearchResponse,
  encodeTaggedResponse,
  encodeXmlConfirmation,
  encodeXmlResponse,
  everyScanner,
  type NetworkChange,
  type SearchRequest,
  SearchTelegram,
} from '@azimuth/telegrams/device-search';
import type { Device } from '../device.js';
import type { ParameterReader } from '../parameters/parameters.js';
import { leavesLoopback, parametersOf, problemOf, settable } from './configuration.js';

const { EnableColaScan, EtherLegacyScanMode } = legacyProtocols.members;

/** The datagrams of the response, and an action after they were sent. */
interface SearchResponse {
  readonly datagrams: readonly Uint8Array[];
  readonly afterwards?: () => void;
}

const noResponse: SearchResponse = { datagrams: [] };

/** Time limit (ms), from the start of the scanner on, for a new address in IP_CONFIG_TIME_LIMIT. */
const timeLimit = 60_000;

/** Rights of search tools. */
interface Permission {
  readonly find: boolean;
  readonly setAddress: boolean;
}

/** @param sinceUp ms since the scanner came up */
function permissionOf(active: ParameterReader, release: Release, sinceUp: number): Permission {
  switch (modeOf(active, release)) {
    case LegacyScanMode.ENABLED:
      return { find: true, setAddress: true };
    case LegacyScanMode.IP_CONFIG_DISABLED:
      return { find: true, setAddress: false };
    case LegacyScanMode.IP_CONFIG_TIME_LIMIT:
      return { find: true, setAddress: sinceUp < timeLimit };
    default:
      return { find: false, setAddress: false };
  }
}

function modeOf(active: ParameterReader, release: Release): number {
  if (isFrom(release, '2.1.0')) return active.read(EtherLegacyScanMode);
  return active.read(EnableColaScan) ? LegacyScanMode.ENABLED : LegacyScanMode.DISABLED;
}

/**
 * Responds to tools that search for scanners, and sets the address on their request, without a login, which these tools
 * do not have. It ignores invalid requests, and requests that the active EtherLegacyScanMode (EnableColaScan below
 * 2.1.0) forbids.
 */
export class DeviceSearch {
  readonly #device: Device;
  readonly #ports: () => ListeningPorts;
  /** True while a change is being stored. */
  #changing = false;
  readonly #loopbackOnly: boolean;
  /** The last refusal in the log: its reason, and the start of the scanner at that time. */
  #reported: { readonly reason: string; readonly upSince: number } | undefined;

  /** @param bounds `loopbackOnly`: tools may set static addresses of loopback only */
  constructor(device: Device, ports: () => ListeningPorts, bounds: { readonly loopbackOnly?: boolean } = {}) {
    this.#device = device;
    this.#ports = ports;
    this.#loopbackOnly = bounds.loopbackOnly === true;
  }

  /** True if search tools can find the scanner with the active settings. */
  get isSearchable(): boolean {
    return this.#permission.find;
  }

  /** True if this is a request to this scanner. A quick check. */
  isRequest(datagram: Uint8Array): boolean {
    return this.#requestIn(datagram) !== undefined;
  }

  /** Never rejects. */
  async respond(datagram: Uint8Array): Promise<SearchResponse> {
    const request = this.#requestIn(datagram);
    if (request === undefined) return noResponse;
    const permission = this.#permission;
    if (!permission.find) return noResponse;
    return request.telegram === SearchTelegram.search
      ? this.#describe(request, permission)
      : this.#change(request, permission);
  }

  #requestIn(datagram: Uint8Array): SearchRequest | undefined {
    const request = decodeSearchRequest(datagram);
    if (request === undefined) return undefined;
    const { telegram, macAddress } = request;
    const isAddressee = Buffer.compare(macAddress, Uint8Array.from(this.#device.identity.macAddress)) === 0;
    if (isAddressee) return request;
    const isForAll = Buffer.compare(macAddress, Uint8Array.from(everyScanner)) === 0;
    return telegram === SearchTelegram.search && isForAll ? request : undefined;
  }

  /** An XML document repeats the address of its scanner. */
  #isFor({ macAddress }: NetworkChange): boolean {
    return macAddress === undefined || isDeepStrictEqual(macAddress, [...this.#device.identity.macAddress]);
  }

  get #permission(): Permission {
    const { features, served, clock, lifecycle } = this.#device;
    return permissionOf(
      features.network.active,
      served.edition.release,
      clock.monotonic() - lifecycle.upSince,
    );
  }

  #describe(request: SearchRequest, { setAddress }: Permission): SearchResponse {
    const description = descriptionOf(this.#device, this.#ports(), setAddress);
    const { macAddress } = description;
    const { xmlResponse, taggedResponse } = SearchTelegram;
    const xml = encodeSearchResponse(request, xmlResponse, macAddress, encodeXmlResponse(description));
    if (request.wantsXmlOnly) return { datagrams: [xml] };
    const tagged = encodeSearchResponse(
      request,
      taggedResponse,
      macAddress,
      encodeTaggedResponse(description),
    );
    return { datagrams: [tagged, xml] };
  }

  async #change(request: SearchRequest, { setAddress }: Permission): Promise<SearchResponse> {
    const change = decodeChange(request);
    if (change === undefined || !this.#isFor(change)) return noResponse;
    if (!setAddress) return this.#refuse('EtherLegacyScanMode does not allow it, or not any more');
    if (this.#changing) return noResponse;
    this.#changing = true;
    try {
      return await this.#carryOut(change, request);
    } catch (error) {
      return this.#refuse(error instanceof Error ? error.message : String(error));
    } finally {
      this.#changing = false;
    }
  }

  async #carryOut(change: NetworkChange, request: SearchRequest): Promise<SearchResponse> {
    const { identity, hardware, parameters } = this.#device;
    const { saving, network } = this.#device.features;
    const values = parametersOf(change);
    const { active } = network;
    const problem =
      problemOf(values, active) ?? (this.#loopbackOnly ? leavesLoopback(values, active) : undefined);
    if (problem !== undefined) return this.#refuse(problem);
    const named = settable.filter(({ name }) => Object.hasOwn(values, name));
    const isAlready = (read: (variable: Variable<unknown>) => unknown) =>
      named.every((variable) => isDeepStrictEqual(read(variable), values[variable.name]));
    const isUnchanged =
      isAlready((variable) => parameters.read(variable)) &&
      isAlready((variable) => parameters.stored(variable));
    if (!isUnchanged) {
      await saving.restore(values);
      hardware.log.info('A search tool has set the network configuration', { ...values });
    }
    const { macAddress } = identity;
    const done =
      change.form === 'xml' ? encodeXmlConfirmation({ macAddress, configurationTime }) : Uint8Array.of(0);
    const datagrams = [encodeSearchResponse(request, SearchTelegram.changeResponse, macAddress, done)];
    if (isAlready((variable) => active.read(variable))) return { datagrams };
    // Activates only the settings of the tool, not others that were written and are not active yet.
    return { datagrams, afterwards: () => network.activate(named) };
  }

  /**
   * Sends no response, because tools count any response as success. Between two boots, the log gets the same reason
   * once.
   */
  #refuse(reason: string): SearchResponse {
    const { hardware, lifecycle } = this.#device;
    const { upSince } = lifecycle;
    if (reason !== this.#reported?.reason || upSince !== this.#reported.upSince) {
      hardware.log.warn('A search tool may not set the network configuration', { reason });
    }
    this.#reported = { reason, upSince };
    return noResponse;
  }
}

const { EtherAddressingMode } = ethernet.members;
const { EtherAuxIPPort, EtherHostIPPort } = legacyProtocols.members;

/** Time (ms) that a tool should wait for the scanner after setting its address. */
export const configurationTime = 1000;

/** The TCP ports that listen. null: a port does not listen. Undefined: the port is unknown. */
export interface ListeningPorts {
  /** Port of the web server, if it listens at the address that sends the response. */
  readonly http?: number | null;
  readonly legacyA?: number | null;
  readonly legacyB?: number | null;
  /** Eight hex digits. They differ between scanners with the same serial number. */
  readonly instance?: string | undefined;
}

/** The address of a scanner without an address. */
const noAddress = [0, 0, 0, 0];

/** The description of a scanner for search tools. */
export function descriptionOf(scanner: Device, ports: ListeningPorts, settable: boolean): DeviceDescription {
  const { identity, served, features } = scanner;
  const { release } = served.edition;
  const { reachable, active } = features.network;
  const own =
    reachable.source === 'none'
      ? { address: noAddress, mask: noAddress, gateway: noAddress }
      : { ...reachable };
  return {
    macAddress: identity.macAddress,
    address: own.address,
    mask: own.mask,
    gateway: own.gateway,
    dhcp: active.read(EtherAddressingMode) === 1,
    name: identity.name,
    deviceType: identity.deviceType,
    release,
    firmwareVersion: versionTextOf(served.edition),
    serialNumber: identity.serialNumber,
    orderNumber: identity.orderNumber,
    locationName: scanner.read(device.members.LocationName),
    status: features.deviceStatus.conditions.deviceStatus,
    legacyA: ports.legacyA ?? active.read(EtherAuxIPPort),
    legacyB: ports.legacyB ?? active.read(EtherHostIPPort),
    http: ports.http === null ? 0 : ports.http,
    instance: ports.instance,
    settable,
    configurationTime,
  };
}
