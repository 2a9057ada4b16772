import { device, type Edition, firmwareVersion, type Release } from '@azimuth/model';
import { computed, type Feature } from '../feature.js';
import type { Identity } from './identity.js';

const { DeviceIdent, DeviceType, SerialNumber, FirmwareVersion, OrderNumber, laserType, sipmType } =
  device.members;

interface Options {
  readonly identity: Identity;
  readonly firmware: { readonly release: Release };
  readonly served: { readonly current: { readonly edition: Edition } };
}

/** The variables that say which scanner it is: name, type, serial number, order number, firmware version. */
export function deviceInformation({ identity, firmware, served }: Options): Feature {
  const version = () => firmwareVersion(firmware.release);
  return {
    computed: [
      computed(DeviceIdent, () => ({ Name: identity.name, Version: version() })),
      computed(DeviceType, () => smallerType(served.current.edition) ?? identity.deviceType),
      computed(SerialNumber, () => identity.serialNumber),
      computed(FirmwareVersion, version),
      computed(OrderNumber, () => identity.orderNumber),
      computed(laserType, () => identity.laserType),
      computed(sipmType, () => identity.sipmType),
    ],
  };
}

/** The device type of a variant that is a type of its own; undefined for those of the usual type. */
function smallerType({ variant }: Edition): string | undefined {
  return variant === 'picoScan120' ? variant : undefined;
}
