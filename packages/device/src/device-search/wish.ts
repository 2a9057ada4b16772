import { AddressingMode, ethernet, type Variable } from '@azimuth/model';
import type { ValueSet } from '../parameters/parameters.js';
import type { Request } from './datagram.js';
import { xmlWishIn } from './xml-items.js';

const { EtherIPAddress, EtherIPMask, EtherIPGateAddress, EtherAddressingMode } = ethernet.members;

/** What a search tool can set: these and nothing else. */
export const settable: readonly Variable<unknown>[] = [
  EtherIPAddress,
  EtherIPMask,
  EtherIPGateAddress,
  EtherAddressingMode,
];

/** A configuration that a tool wants, in the form that it speaks. What it leaves out stays as it is. */
export interface Wish {
  readonly form: 'tagged' | 'xml';
  readonly address?: readonly number[];
  readonly mask?: readonly number[];
  readonly gateway?: readonly number[];
  readonly dhcp?: boolean;
}

/** Address, mask, gateway, DHCP. */
const taggedBytes = 13;

/**
 * What a request to set the address of this scanner wants; undefined where it is no such request, or one for another
 * scanner. Tools of the older form state a length that fits their longest text: the body ends with the datagram.
 */
export function wishIn({ body, stated }: Request, macAddress: readonly number[]): Wish | undefined {
  if (body.length === taggedBytes && stated === taggedBytes) return taggedWish(body);
  const wish = xmlWishIn(body);
  if (wish === undefined || !isSameMac(wish.macAddress, macAddress)) return undefined;
  const { items } = wish;
  const address = quadIn(items.get('IPAddress'));
  const mask = quadIn(items.get('IPMask'));
  const gateway = quadIn(items.get('IPGateway'));
  const dhcp = truthIn(items.get('DHCPClientEnabled'));
  if (address === null || mask === null || gateway === null || dhcp === null) return undefined;
  return {
    form: 'xml',
    ...(address === undefined ? {} : { address }),
    ...(mask === undefined ? {} : { mask }),
    ...(gateway === undefined ? {} : { gateway }),
    ...(dhcp === undefined ? {} : { dhcp }),
  };
}

/** The parameters of a wish. With DHCP and no address of its own, the static configuration stays as it is. */
export function parametersOf(wish: Wish): ValueSet {
  const { address, mask, gateway, dhcp } = wish;
  const mode = dhcp ? AddressingMode.TX_IP_DHCP : AddressingMode.TX_IP_STATIC;
  const addressing = dhcp === undefined ? {} : { [EtherAddressingMode.name]: mode };
  if (dhcp === true && (address === undefined || address.every((byte) => byte === 0))) return addressing;
  return {
    ...(address === undefined ? {} : { [EtherIPAddress.name]: address }),
    ...(mask === undefined ? {} : { [EtherIPMask.name]: mask }),
    ...(gateway === undefined ? {} : { [EtherIPGateAddress.name]: gateway }),
    ...addressing,
  };
}

function taggedWish(body: Uint8Array): Wish | undefined {
  const dhcp = body[12] ?? 0;
  if (dhcp > 1) return undefined;
  return {
    form: 'tagged',
    address: [...body.subarray(0, 4)],
    mask: [...body.subarray(4, 8)],
    gateway: [...body.subarray(8, 12)],
    dhcp: dhcp === 1,
  };
}

/** Undefined for what is not there, null for what is no address. Zeros in front are octal to some, decimal to others. */
function quadIn(text: string | undefined): readonly number[] | null | undefined {
  if (text === undefined) return undefined;
  if (!/^(0|[1-9]\d{0,2})(\.(0|[1-9]\d{0,2})){3}$/.test(text)) return null;
  const bytes = text.split('.').map(Number);
  return bytes.every((byte) => byte <= 255) ? bytes : null;
}

function truthIn(text: string | undefined): boolean | null | undefined {
  if (text === undefined) return undefined;
  const word = text.toUpperCase();
  return word === 'TRUE' ? true : word === 'FALSE' ? false : null;
}

function isSameMac(text: string, macAddress: readonly number[]): boolean {
  const written = macAddress.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return text.replaceAll(/[:-]/g, '').toLowerCase() === written;
}
