import { createHash, hash } from 'node:crypto';
import { device, deviceFamily, deviceName, firmwareVersion, type Release } from '@azimuth/model';
import { computed, type Feature } from '../feature.js';
import type { Random } from '../interfaces/random.js';
import { UnreadableDocument } from '../storage/document.js';
import type { Documents } from '../storage/documents.js';

const document = 'identity.json';
const loss = 'The serial number cannot be read; the scanner gets a new one';

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

/** Finds out who a scanner is, by what its storage holds; `lost` where that cannot be read any more. */
export type IdentitySource = (
  documents: Documents,
  neverUsed: boolean,
) => Promise<{ readonly identity: Identity; readonly lost: boolean }>;

/** Who a scanner is: as stated, or as the source finds out. */
export async function identityOf(
  stated: Identity | IdentitySource,
  documents: Documents,
  neverUsed: boolean,
): ReturnType<IdentitySource> {
  return typeof stated === 'function' ? stated(documents, neverUsed) : { identity: stated, lost: false };
}

interface KeptIdentityOptions {
  /** The serial number that was requested: it counts whatever is kept, and a new scanner keeps it. */
  readonly requested: string | undefined;
  /** The serial number of a new scanner for which none was requested. */
  readonly fresh: () => string;
  /** The serial number of a scanner that has been used and keeps none. */
  readonly usual: string;
}

/** The identity of a virtual scanner by the serial number that it keeps: a new scanner stores one, and has it for life. */
export function keptIdentity({ requested, fresh, usual }: KeptIdentityOptions): IdentitySource {
  return async (documents, neverUsed) => {
    const found = await documents.find(document, loss, serialNumberIn);
    const lost = found.state === 'lost';
    if (found.state === 'whole') return { identity: virtualIdentity(requested ?? found.content), lost };
    if (!lost && !neverUsed) return { identity: virtualIdentity(requested ?? usual), lost };
    const serialNumber = requested ?? fresh();
    await documents.write(document, { serialNumber });
    return { identity: virtualIdentity(serialNumber), lost };
  };
}

/** A serial number of eight digits, by chance or by a seed: the same seed draws the same one. */
export function drawnSerialNumber(random: Random, seed?: number): string {
  const bytes =
    seed === undefined ? random.bytes(4) : Buffer.from(hash('sha256', `serial number ${seed}`), 'hex');
  return String(10_000_000 + (Buffer.from(bytes).readUInt32BE() % 90_000_000));
}

/** Is this a serial number that a scanner can have? */
export function isSerialNumber(text: string): boolean {
  return /^[A-Za-z0-9]{1,9}$/.test(text);
}

function serialNumberIn({ serialNumber }: Record<string, unknown>): string {
  if (typeof serialNumber === 'string' && isSerialNumber(serialNumber)) return serialNumber;
  throw new UnreadableDocument('expected a serial number');
}

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
    appliedParameters: [LocationName],
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
