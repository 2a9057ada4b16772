import { createHash } from 'node:crypto';
import { virtualIdentity } from '@azimuth/device';

/** MAC addresses by serial number: 6 bytes each, no two equal. */
export type MacAddresses = ReadonlyMap<string, readonly number[]>;

/** The MAC addresses of the scanners of a fleet, in its order: of thousands, some lead to one that is taken. */
export function macAddressesOf(serials: Iterable<string>): MacAddresses {
  const taken = new Set<string>();
  const addresses = new Map<string, readonly number[]>();
  for (const serial of serials) {
    let { macAddress } = virtualIdentity(serial);
    for (let attempt = 1; taken.has(macAddress.join()); attempt++) {
      const [a = 0, b = 0, c = 0] = createHash('sha256').update(`${serial} ${attempt}`).digest();
      macAddress = [...macAddress.slice(0, 3), a, b, c];
    }
    taken.add(macAddress.join());
    addresses.set(serial, macAddress);
  }
  return addresses;
}
