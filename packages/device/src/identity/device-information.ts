import { device, firmwareVersion, type Release } from '@azimuth/model';
import { computed, type Feature } from '../feature.js';
import type { Identity } from './identity.js';

const {
  LocationName,
  DeviceIdent,
  DeviceType,
  SerialNumber,
  FirmwareVersion,
  OrderNumber,
  laserType,
  sipmType,
} = device.members;

/** What the scanner tells of itself. */
export function deviceInformation(identity: Identity, release: () => Release): Feature {
  const version = () => firmwareVersion(release());
  return {
    heeds: [LocationName],
    computed: [
      computed(DeviceIdent, () => ({ Name: identity.name, Version: version() })),
      computed(DeviceType, () => identity.deviceType),
      computed(SerialNumber, () => identity.serialNumber),
      computed(FirmwareVersion, version),
      computed(OrderNumber, () => identity.orderNumber),
      computed(laserType, () => identity.laserType),
      computed(sipmType, () => identity.sipmType),
    ],
  };
}
