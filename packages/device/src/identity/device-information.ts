import { createHash } from 'node:crypto';
import { device, type Edition, general } from '@azimuth/model';
import { computed, type Feature } from '../feature.js';
import type { Conditions } from '../lifecycle/conditions.js';
import type { StoredState } from '../parameters/stored-state.js';
import type { Identity } from './identity.js';

const { DeviceIdent, DeviceType, SerialNumber, FirmwareVersion, OrderNumber, laserType, sipmType } =
  device.members;

interface Options {
  readonly identity: Identity;
  readonly firmware: { readonly versionText: string; readonly software: string };
  readonly served: { readonly current: { readonly edition: Edition } };
  readonly state: StoredState;
  readonly conditions: Conditions;
}

/** Variables that identify the scanner: name, type, serial number, order number, firmware version. */
export function deviceInformation({ identity, firmware, served }: Options): Feature {
  const version = () => firmware.versionText;
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

/** The device type of a variant that is a type of its own. Undefined for other variants, and for another product. */
function smallerType({ variant, product }: Edition): string | undefined {
  return variant === 'picoScan120' && product === undefined ? variant : undefined;
}

/**
 * Checksums of the parts of the scanner. The checksum of the parameters is computed from the stored values, so it
 * changes only when other values are saved. The checksums of the software change with the release. The checksum of the
 * calibration never changes.
 */
export function checksum({ identity, firmware, state, conditions }: Options): Feature {
  return {
    computed: [
      computed(general.members.LFTchecksum, () => ({
        MD5SumOK: conditions.intact,
        MD5LinuxRoot: md5(`root file system ${firmware.software}`),
        MD5App: md5(`application ${firmware.software}`),
        MD5Calibration: md5(`calibration ${identity.serialNumber}`),
        MD5Parameters: md5(
          JSON.stringify(Object.entries(state.content.parameters).sort(([a], [b]) => (a < b ? -1 : 1))),
        ),
      })),
    ],
  };
}

function md5(content: string): string {
  return createHash('md5').update(content).digest('hex');
}
