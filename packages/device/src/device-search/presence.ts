import { device, ethernet, firmwareVersion, legacyProtocols } from '@azimuth/model';
import type { Device } from '../device.js';

const { EtherAddressingMode } = ethernet.members;
const { EtherAuxIPPort, EtherHostIPPort } = legacyProtocols.members;

/** How long (ms) a tool is to wait for a scanner whose address it has set. */
export const configurationTime = 1000;

/** TCP ports that really listen; null for what does not, left out for what is not known. */
export interface ListeningPorts {
  /** Of the web server, where it is reached at the address that the answer comes from. */
  readonly http?: number | null;
  readonly legacyA?: number | null;
  readonly legacyB?: number | null;
  /** Eight hex digits that no other scanner of the same serial number has. */
  readonly instance?: string;
}

/** What a scanner tells of itself to whoever searches. Addresses have four bytes. */
export interface Presence {
  readonly macAddress: readonly number[];
  /** 0.0.0.0 while it has none. */
  readonly address: readonly number[];
  readonly mask: readonly number[];
  readonly gateway: readonly number[];
  readonly dhcp: boolean;
  readonly name: string;
  readonly deviceType: string;
  readonly release: string;
  readonly firmwareVersion: string;
  readonly serialNumber: string;
  readonly orderNumber: string;
  readonly locationName: string;
  /** DeviceStatus. */
  readonly status: number;
  /** The legacy interfaces, where they listen or would. */
  readonly legacyA: number;
  readonly legacyB: number;
  /** 0 for none; undefined where it is not told. */
  readonly http: number | undefined;
  readonly instance: string | undefined;
  /** May its address be set now? */
  readonly settable: boolean;
}

/** Where a scanner is that has no address. */
const nowhere = [0, 0, 0, 0];

export function presenceOf(scanner: Device, ports: ListeningPorts, settable: boolean): Presence {
  const { identity, edition, network, conditions } = scanner;
  const { reachable, active } = network;
  const at =
    reachable.source === 'none' ? { address: nowhere, mask: nowhere, gateway: nowhere } : { ...reachable };
  return {
    macAddress: identity.macAddress,
    address: at.address,
    mask: at.mask,
    gateway: at.gateway,
    dhcp: active.read(EtherAddressingMode) === 1,
    name: identity.name,
    deviceType: identity.deviceType,
    release: edition.release,
    firmwareVersion: firmwareVersion(edition.release),
    serialNumber: identity.serialNumber,
    orderNumber: identity.orderNumber,
    locationName: scanner.read(device.members.LocationName),
    status: conditions.deviceStatus,
    legacyA: ports.legacyA ?? active.read(EtherAuxIPPort),
    legacyB: ports.legacyB ?? active.read(EtherHostIPPort),
    http: ports.http === null ? 0 : ports.http,
    instance: ports.instance,
    settable,
  };
}
