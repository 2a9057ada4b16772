/** An IPv4 address and the mask of its network, as text: `192.168.0.1`. */
export interface Network {
  readonly address: string;
  readonly mask: string;
}

/** The network settings of a scanner. */
export interface NetworkSettings extends Network {
  readonly gateway: string;
}

/** `0.0.0.0`: none. */
export const noAddress = '0.0.0.0';

/** True if an address is in the network of another one. */
export function isIn(address: string, network: Network): boolean {
  const mask = addressNumber(network.mask);
  return (addressNumber(address) & mask) === (addressNumber(network.address) & mask);
}

/** True if it can be the address of one device: neither 0.…, nor loopback, multicast, broadcast or reserved. */
export function isOneDevice(address: string): boolean {
  const first = Number(address.split('.')[0]);
  return first >= 1 && first <= 223 && first !== 127;
}

/** True if all ones of a mask are in front of its zeros. */
export function isMask(mask: string): boolean {
  const holes = ~addressNumber(mask) >>> 0;
  return (holes & (holes + 1)) === 0;
}

/** Returns `192.168.0.0/24`; a mask with holes as it is. */
export function networkText({ address, mask }: Network): string {
  const bits = addressNumber(mask);
  const number = addressNumber(address) & bits;
  const base = [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.');
  return `${base}/${isMask(mask) ? Math.clz32(~bits >>> 0) : mask}`;
}

function addressNumber(address: string): number {
  return address.split('.').reduce((number, byte) => (number << 8) | Number(byte), 0);
}
