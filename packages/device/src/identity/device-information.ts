import { device, firmwareVersion, type Release } from '@azimuth/model';
import { computed, type Feature } from '../feature.js';
import type { Identity } from './identity.js';

const { DeviceIdent, DeviceType, SerialNumber, FirmwareVersion, OrderNumber, laserType, sipmType } =
  device.members;

interface Options {
  readonly identity: Identity;
  readonly firmware: { readonly release: Release };
}

/** The variables that say which scanner it is: name, type, serial number, order number, firmware version. */
export function deviceInformation({ identity, firmware }: Options): Feature {
  const version = () => firmwareVersion(firmware.release);
  return {
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
