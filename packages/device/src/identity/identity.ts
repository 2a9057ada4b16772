import { createHash, hash } from 'node:crypto';
import { builtInProduct, type Product } from '@azimuth/model';
import type { Random } from '../interfaces/environment.js';
import { identityDocument, UnreadableDocument } from '../storage/document.js';
import type { Documents, Found } from '../storage/documents.js';

const loss = 'The serial number cannot be read; the scanner gets a new one';

/** The identity of a scanner. It never changes. */
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

/** What a program states of an identity: the serial number, and what it knows beside it, for example the MAC address. */
export interface StatedIdentity extends Partial<Identity> {
  /** 1 to 9 letters and digits. */
  readonly serialNumber: string;
}

/** The identity of a virtual scanner of the built-in product. */
export function virtualIdentity(serialNumber: string): Identity {
  return completeIdentity({ serialNumber }, builtInProduct);
}

/**
 * An identity with what was not stated. It follows from the product, and the MAC address from the serial number, too, so that
 * two scanners differ in both. The name and the numbers of a product of one's own are always the product's.
 *
 * @throws RangeError for an invalid serial number
 */
function completeIdentity(stated: StatedIdentity, product: Product): Identity {
  const { serialNumber } = stated;
  if (!isSerialNumber(serialNumber)) {
    const came = JSON.stringify(serialNumber);
    throw new RangeError(`identity.serialNumber: expected 1 to 9 letters and digits, got ${came}`);
  }
  const { name, deviceType, orderNumber, macPrefix } = product;
  const named = product === builtInProduct ? stated : { name, deviceType, orderNumber };
  const [a = 0, b = 0, c = 0] = createHash('sha256').update(serialNumber).digest();
  return {
    serialNumber,
    orderNumber: named.orderNumber ?? orderNumber,
    name: named.name ?? name,
    deviceType: named.deviceType ?? deviceType,
    macAddress: stated.macAddress ?? [...macPrefix, a, b, c],
    laserType: stated.laserType ?? 0,
    sipmType: stated.sipmType ?? 0,
  };
}

/** Reads the identity of a scanner from its storage. `lost`: it was stored, but it can no longer be read. */
export interface IdentitySource {
  (
    documents: Documents,
    neverUsed: boolean,
    product: Product,
  ): Promise<{ readonly identity: Identity; readonly lost: boolean }>;
  /** The serial number that the identity will have. Nothing is stored yet. */
  serialNumber(documents: Documents): Promise<string>;
}

/** The serial number of a scanner whose identity was not read yet. */
export async function serialNumberOf(
  stated: StatedIdentity | IdentitySource,
  documents: Documents,
): Promise<string> {
  return typeof stated === 'function' ? stated.serialNumber(documents) : stated.serialNumber;
}

/** The identity of a scanner: the stated one, or the result of the source. */
export async function identityOf(
  stated: StatedIdentity | IdentitySource,
  documents: Documents,
  neverUsed: boolean,
  product: Product,
): ReturnType<IdentitySource> {
  return typeof stated === 'function'
    ? stated(documents, neverUsed, product)
    : { identity: completeIdentity(stated, product), lost: false };
}

/** Where the serial number of a scanner comes from. */
export interface StoredIdentityOptions {
  /** The requested serial number. It replaces a stored one for this run. A new scanner stores it. */
  readonly requested: string | undefined;
  /** Makes the serial number of a new scanner if none was requested. */
  readonly fresh: () => string;
  /** The serial number of a used scanner that has none stored. */
  readonly usual: string;
}

/** The identity of a virtual scanner by its stored serial number. A new scanner stores its number. */
export function storedIdentity({ requested, fresh, usual }: StoredIdentityOptions): IdentitySource {
  /** What each storage has, and the number of its new scanner: both stay if they are asked for again. */
  const known = new WeakMap<Documents, { readonly found: Found<string>; readonly first: () => string }>();
  async function knownOf(documents: Documents) {
    const before = known.get(documents);
    if (before !== undefined) return before;
    const found = await documents.find(identityDocument, loss, serialNumberIn);
    let made: string | undefined;
    const first = () => {
      made ??= fresh();
      return made;
    };
    const now = { found, first };
    known.set(documents, now);
    return now;
  }
  const source = async (documents: Documents, neverUsed: boolean, product: Product) => {
    const { found, first } = await knownOf(documents);
    const lost = found.state === 'lost';
    if (found.state === 'whole')
      return { identity: completeIdentity({ serialNumber: requested ?? found.content }, product), lost };
    const stays = documents.isUnreadable(identityDocument) || (!lost && !neverUsed);
    if (stays) return { identity: completeIdentity({ serialNumber: requested ?? usual }, product), lost };
    const serialNumber = requested ?? first();
    await documents.write(identityDocument, { serialNumber });
    return { identity: completeIdentity({ serialNumber }, product), lost };
  };
  return Object.assign(source, {
    serialNumber: async (documents: Documents) => {
      if (requested !== undefined) return requested;
      const { found, first } = await knownOf(documents);
      return found.state === 'whole' ? found.content : first();
    },
  });
}

/** A random serial number of eight digits. The same seed gives the same number. */
export function randomSerialNumber(random: Random, seed?: number): string {
  const bytes =
    seed === undefined ? random.bytes(4) : Buffer.from(hash('sha256', `serial number ${seed}`), 'hex');
  return String(10_000_000 + (Buffer.from(bytes).readUInt32BE() % 90_000_000));
}

/** True if the text is a valid serial number. */
export function isSerialNumber(text: string): boolean {
  return /^[A-Za-z0-9]{1,9}$/.test(text);
}

function serialNumberIn({ serialNumber }: Record<string, unknown>): string {
  if (typeof serialNumber === 'string' && isSerialNumber(serialNumber)) return serialNumber;
  throw new UnreadableDocument('expected a serial number');
}
