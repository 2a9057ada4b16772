import { AddressingMode, ethernet, type Variable } from '@azimuth/model';
import type { NetworkChange } from '@azimuth/telegrams/device-search';
import { isOfOneDevice } from '../ethernet/network.js';
import type { ParameterReader, ValueSet } from '../parameters/parameters.js';

const { EtherIPAddress, EtherIPMask, EtherIPGateAddress, EtherAddressingMode } = ethernet.members;
const quads = [EtherIPAddress, EtherIPMask, EtherIPGateAddress];

/** What a search tool can set: these and nothing else. */
export const settable: readonly Variable<unknown>[] = [...quads, EtherAddressingMode];

type Bytes = readonly number[];

/** The parameters that a tool asks for. With DHCP and no address of its own, the static configuration stays as it is. */
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
 * What is wrong with a configuration that a search tool asks for, in words; undefined if nothing is. What it does not
 * name stays as it is `active`, and has to fit what it names.
 */
export function faultOf(values: ValueSet, active: ParameterReader): string | undefined {
  if (Object.keys(values).length === 0) return 'nothing is to be set';
  if (!quads.some(({ name }) => Object.hasOwn(values, name))) return undefined;
  const [address, mask, gateway] = quads.map((variable) => newOrActive(variable, values, active));
  if (address === undefined || mask === undefined || gateway === undefined) return undefined;
  if (!isOfOneDevice(address)) return `${text(address)} is no address that a scanner can have`;
  if (!isMask(mask)) return `${text(mask)} is no subnet mask`;
  if (isForAll(address, mask)) return `${text(address)} is not one device with the mask ${text(mask)}`;
  return gateway.every((byte) => byte === 0) ? undefined : faultOfGateway(gateway, address, mask);
}

/** Why listeners would leave loopback with this configuration; undefined if they do not. */
export function leavesLoopback(values: ValueSet, active: ParameterReader): string | undefined {
  const started = 'the scanner was started on loopback, and moves';
  if (newOrActive(EtherAddressingMode, values, active) === AddressingMode.TX_IP_DHCP) {
    return `${started}: nobody knows to where DHCP would move it`;
  }
  const address = newOrActive(EtherIPAddress, values, active);
  return address[0] === 127 ? undefined : `${started}: ${text(address)} is outside`;
}

function faultOfGateway(gateway: Bytes, address: Bytes, mask: Bytes): string | undefined {
  const isThere = isSame(networkOf(gateway, mask), networkOf(address, mask));
  if (isOfOneDevice(gateway) && isThere && !isForAll(gateway, mask)) return undefined;
  return `${text(gateway)} is no gateway in the network of ${text(address)} with the mask ${text(mask)}`;
}

/** Is it the address of the network itself, or of all in it? A network of one or two addresses has neither (RFC 3021). */
function isForAll(address: Bytes, mask: Bytes): boolean {
  if ((mask[3] ?? 0) >= 254) return false;
  return isSame(address, networkOf(address, mask)) || isSame(address, broadcastOf(address, mask));
}

/** Leading ones, at least one of them, then zeros. */
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

/** The address of the network that an address is in; all with four bytes. */
function networkOf(address: Bytes, mask: Bytes): Bytes {
  return address.map((byte, index) => byte & (mask[index] ?? 0));
}

/** The address of all devices in that network. */
export function broadcastOf(address: Bytes, mask: Bytes): Bytes {
  return address.map((byte, index) => (byte | ~(mask[index] ?? 0)) & 255);
}
