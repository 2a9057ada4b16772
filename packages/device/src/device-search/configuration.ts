import { AddressingMode, ethernet, type Variable } from '@azimuth/model';
import { broadcastOf, type NetworkChange } from '@azimuth/telegrams/device-search';
import { isOfOneDevice } from '../hardware/address-set.js';
import type { ParameterReader, ValueSet } from '../parameters/parameters.js';

const { EtherIPAddress, EtherIPMask, EtherIPGateAddress, EtherAddressingMode } = ethernet.members;
const quads = [EtherIPAddress, EtherIPMask, EtherIPGateAddress];

/** The only parameters that a search tool can set. */
export const settable: readonly Variable<unknown>[] = [...quads, EtherAddressingMode];

type Bytes = readonly number[];

/** The parameters of a request. With DHCP and without an address, the static configuration stays. */
export function parametersOf({ address, mask, gateway, dhcp }: NetworkChange): ValueSet {
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

/**
 * The problem of a requested configuration, for people; undefined if there is none. Parameters that the request lacks
 * keep their `active` value, which has to match the others.
 */
export function problemOf(values: ValueSet, active: ParameterReader): string | undefined {
  if (Object.keys(values).length === 0) return 'the request contains no setting';
  if (!quads.some(({ name }) => Object.hasOwn(values, name))) return undefined;
  const [address, mask, gateway] = quads.map((variable) => newOrActive(variable, values, active));
  if (address === undefined || mask === undefined || gateway === undefined) return undefined;
  if (!isOfOneDevice(address)) return `${text(address)} cannot be the address of a scanner`;
  if (!isMask(mask)) return `${text(mask)} is not a subnet mask`;
  if (isForAll(address, mask))
    return `${text(address)} with the mask ${text(mask)} is not the address of one device`;
  return gateway.every((byte) => byte === 0) ? undefined : problemOfGateway(gateway, address, mask);
}

/** The reason why this configuration would take the scanner off loopback. Undefined if it stays. */
export function leavesLoopback(values: ValueSet, active: ParameterReader): string | undefined {
  const started = 'the scanner was started on loopback';
  if (newOrActive(EtherAddressingMode, values, active) === AddressingMode.TX_IP_DHCP) {
    return `${started}, and DHCP could move it to an address outside 127.x`;
  }
  const address = newOrActive(EtherIPAddress, values, active);
  return address[0] === 127 ? undefined : `${started}, and ${text(address)} is outside 127.x`;
}

function problemOfGateway(gateway: Bytes, address: Bytes, mask: Bytes): string | undefined {
  const isReachable = isSame(networkOf(gateway, mask), networkOf(address, mask));
  if (isOfOneDevice(gateway) && isReachable && !isForAll(gateway, mask)) return undefined;
  return `${text(gateway)} is not a gateway in the network of ${text(address)} with the mask ${text(mask)}`;
}

/** True if it is a network or a broadcast address. Networks of one or two addresses have neither (RFC 3021). */
function isForAll(address: Bytes, mask: Bytes): boolean {
  if ((mask[3] ?? 0) >= 254) return false;
  return isSame(address, networkOf(address, mask)) || isSame(address, broadcastOf(address, mask));
}

/** Tests for at least one leading 1, then zeros. */
function isMask(bytes: Bytes): boolean {
  return /^1+0*$/.test(bytes.map((byte) => byte.toString(2).padStart(8, '0')).join(''));
}

function newOrActive<T>(variable: Variable<T>, values: ValueSet, active: ParameterReader): T {
  const { name, type } = variable;
  return Object.hasOwn(values, name) ? type.fromJson(values[name], name) : active.read(variable);
}

function isSame(one: Bytes, other: Bytes): boolean {
  return one.every((byte, index) => byte === other[index]);
}

function text(bytes: Bytes): string {
  return bytes.join('.');
}

/** The network of an address; all addresses have four bytes. */
function networkOf(address: Bytes, mask: Bytes): Bytes {
  return address.map((byte, index) => byte & (mask[index] ?? 0));
}
