import { device, ethernet, firmwareVersion, legacyProtocols } from '@azimuth/model';
import type { DeviceDescription } from '@azimuth/telegrams/device-search';
import type { Device } from '../device.js';

const { EtherAddressingMode } = ethernet.members;
const { EtherAuxIPPort, EtherHostIPPort } = legacyProtocols.members;

/** How long (ms) a tool should wait for the scanner after setting its address. */
export const configurationTime = 1000;

/** The TCP ports that listen; null if one does not, undefined if it is unknown. */
export interface ListeningPorts {
  /** Of the web server, if it listens at the address that sends the answer. */
  readonly http?: number | null;
  readonly legacyA?: number | null;
  readonly legacyB?: number | null;
  /** Eight hex digits that differ between scanners with the same serial number. */
  readonly instance?: string;
}

/** The address of a scanner that has none. */
const noAddress = [0, 0, 0, 0];

/** The description of a scanner for search tools. */
export function descriptionOf(scanner: Device, ports: ListeningPorts, settable: boolean): DeviceDescription {
  const { identity, edition, conditions } = scanner;
  const { reachable, active } = scanner.features.network;
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
    configurationTime,
  };
}
