type Bytes = readonly number[];

/** The address of the network that an address is in; all with four bytes. */
export function networkOf(address: Bytes, mask: Bytes): Bytes {
  return address.map((byte, index) => byte & (mask[index] ?? 0));
}

/** The address of all devices in that network. */
export function broadcastOf(address: Bytes, mask: Bytes): Bytes {
  return address.map((byte, index) => (byte | ~(mask[index] ?? 0)) & 255);
}
