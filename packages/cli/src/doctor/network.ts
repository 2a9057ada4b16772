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

/** Is an address in the network of another one? */
export function isIn(address: string, network: Network): boolean {
  const mask = numberOf(network.mask);
  return (numberOf(address) & mask) === (numberOf(network.address) & mask);
}

/** Can it be an address of one device: neither 0.…, nor loopback, multicast, broadcast or reserved? */
export function isOneDevice(address: string): boolean {
  const first = Number(address.split('.')[0]);
  return first >= 1 && first <= 223 && first !== 127;
}

/** Are the ones of a mask all in front of its zeros? */
export function isMask(mask: string): boolean {
  const holes = ~numberOf(mask) >>> 0;
  return (holes & (holes + 1)) === 0;
}

/** `192.168.0.0/24`; a mask with holes as it is. */
export function networkText({ address, mask }: Network): string {
  const bits = numberOf(mask);
  const number = numberOf(address) & bits;
  const base = [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.');
  return `${base}/${isMask(mask) ? Math.clz32(~bits >>> 0) : mask}`;
}

function numberOf(address: string): number {
  return address.split('.').reduce((number, byte) => (number << 8) | Number(byte), 0);
}
