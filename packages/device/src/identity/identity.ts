import { createHash } from 'node:crypto';
import { deviceFamily, deviceName } from '@azimuth/model';

/** Who a scanner is, for life. */
export interface Identity {
  /** Up to 9 characters. */
  readonly serialNumber: string;
  /** Up to 32 characters. */
  readonly orderNumber: string;
  /** Up to 9 characters. */
  readonly name: string;
  /** Up to 18 characters. */
  readonly deviceType: string;
  /** Six bytes. */
  readonly macAddress: readonly number[];
  /** Type of the sending unit, 0 to 255. */
  readonly laserType: number;
  /** Type of the receiving unit, 0 to 255. */
  readonly sipmType: number;
}

/** The vendor's part of every MAC address of this family. */
const macPrefix = [0x00, 0x06, 0x77] as const;

/** The identity of a virtual scanner: its MAC address follows from its serial number, so two scanners differ in both. */
export function virtualIdentity(serialNumber: string): Identity {
  const [a = 0, b = 0, c = 0] = createHash('sha256').update(serialNumber).digest();
  return {
    serialNumber,
    orderNumber: '1134610',
    name: deviceName,
    deviceType: deviceFamily,
    macAddress: [...macPrefix, a, b, c],
    laserType: 0,
    sipmType: 0,
  };
}
