import {
  AddressingMode,
  ethernet,
  extensions,
  general,
  isObject,
  NetworkSource,
  sameJson,
  type Variable,
} from '@azimuth/model';
import { type KnownValues, knownValue } from '../connection/declarations.js';
import type { ScannerLink } from '../connection/scanner-link.js';
import { addressText, valueText } from '../forms/value-text.js';

const { members } = ethernet;

/** The network settings that can be written, in the order in which a person decides them, with their names on the page. */
export const addressSettings: readonly (readonly [Variable<unknown>, string])[] = [
  [members.EtherAddressingMode, 'Addressing'],
  [members.EtherIPAddress, 'Address'],
  [members.EtherIPMask, 'Subnet mask'],
  [members.EtherIPGateAddress, 'Gateway'],
  [members.EtherDHCPFallback, 'If no DHCP server answers'],
];

/** Values of network settings, by the names of their variables. */
type Plan = Readonly<Record<string, unknown>>;

type Bytes = readonly number[];

/** Four bytes; undefined for anything else. */
function bytesOf(value: unknown): Bytes | undefined {
  if (!Array.isArray(value) || value.length !== 4) return undefined;
  return value.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255) ? value : undefined;
}

function asksDhcp(plan: Plan): boolean {
  return plan[members.EtherAddressingMode.name] === AddressingMode.TX_IP_DHCP;
}

/** Returns the changes from one plan to another, a line each. */
export function changesOf(from: Plan, to: Plan): readonly string[] {
  return addressSettings
    .filter(([{ name }]) => !sameJson(from[name], to[name]))
    .map(([{ name, type }, label]) => {
      const text = (value: unknown) => valueText(type.shape, value);
      return `${label}: ${text(from[name])} → ${text(to[name])}`;
    });
}

/** Returns warnings about a plan that the scanner accepts, but that will hardly work. Empty if there are none. */
export function doubtsAbout(plan: Plan): readonly string[] {
  const address = bytesOf(plan[members.EtherIPAddress.name]);
  const mask = bytesOf(plan[members.EtherIPMask.name]);
  const gateway = bytesOf(plan[members.EtherIPGateAddress.name]);
  if (address === undefined || mask === undefined || gateway === undefined || asksDhcp(plan)) return [];
  const doubts: string[] = [];
  const [first = 0] = address;
  if (first === 0 || first >= 224)
    doubts.push(`${addressText('IPv4', address)} cannot be the address of one device.`);
  if (!isContiguous(mask))
    doubts.push(`${addressText('IPv4', mask)} is no subnet mask: its ones have to come before its zeros.`);
  else if (hostBits(mask) > 1) {
    const host = numberOf(address) & ~numberOf(mask);
    const last = ~numberOf(mask);
    if (host === 0) doubts.push('The address is the one of the whole subnet, not of one device in it.');
    if (host === last) doubts.push('The address is the one for broadcasts to the whole subnet.');
  }
  if (numberOf(gateway) !== 0 && !areNear(address, gateway, mask))
    doubts.push('The gateway is not in the subnet of the address: the scanner cannot reach it.');
  return doubts;
}

/** True if two addresses are in one subnet. */
export function areNear(one: Bytes, other: Bytes, mask: Bytes): boolean {
  return ((numberOf(one) ^ numberOf(other)) & numberOf(mask)) === 0;
}

/** The URL of a scanner at another address: the scheme, the port and the path stay. */
export function urlAt(url: string, address: Bytes): string {
  const moved = new URL(url);
  moved.hostname = addressText('IPv4', address);
  return moved.href.replace(/\/$/, '');
}

/** The IPv4 address in a URL; undefined if it has a name, or an IPv6 address. */
export function addressIn(url: string): Bytes | undefined {
  const { hostname } = new URL(url);
  return /^\d+\.\d+\.\d+\.\d+$/.test(hostname) ? bytesOf(hostname.split('.').map(Number)) : undefined;
}

/** The values of the network settings that are known. */
export function planOf(value: (name: string) => unknown): Plan {
  return Object.fromEntries(addressSettings.map(([{ name }]) => [name, value(name)]));
}

/** The default gateway and the address that a DHCP server has assigned; undefined if there is none. */
export function leaseOf(value: (name: string) => unknown): string | undefined {
  const address = bytesOf(value(members.EtherIPAddressDHCP.name));
  const isDefault = sameJson(address, members.EtherIPAddressDHCP.type.initial);
  return address === undefined || isDefault ? undefined : addressText('IPv4', address);
}

/** The network settings that the scanner uses. */
interface InForce {
  /** The address with its mask and origin: `192.168.0.1, mask 255.255.255.0, static`. */
  readonly address: string;
  /** Address of the gateway; undefined if there is none. */
  readonly gateway: string | undefined;
  /** Reason why the last settings are not in force; empty if they are. */
  readonly fault: string;
}

/** Returns the settings in force in words; undefined for a scanner that does not report them. */
export function settingsInForce(known: KnownValues): InForce | undefined {
  const state = knownValue(known, extensions.members.network);
  if (state === undefined) return undefined;
  const { Source, Address, Mask, Gateway, Fault: fault } = state;
  if (Source === NetworkSource.NONE) {
    return { address: 'none: it waits for a DHCP server', gateway: undefined, fault };
  }
  const origin = Source === NetworkSource.DHCP ? 'from DHCP' : 'static';
  return {
    address: `${addressText('IPv4', Address)}, mask ${addressText('IPv4', Mask)}, ${origin}`,
    gateway: Gateway.every((byte) => byte === 0) ? undefined : addressText('IPv4', Gateway),
    fault,
  };
}

/**
 * True if the web server is on after the next boot, by the response of GetWebserverEnabled; undefined if the response
 * does not contain it.
 */
export function isEnabledIn(response: unknown): boolean | undefined {
  return isObject(response) && typeof response.IsEnabled === 'boolean' ? response.IsEnabled : undefined;
}

function numberOf([a = 0, b = 0, c = 0, d = 0]: Bytes): number {
  return (a << 24) | (b << 16) | (c << 8) | d;
}

function isContiguous(mask: Bytes): boolean {
  const zeros = ~numberOf(mask);
  return (zeros & (zeros + 1)) === 0;
}

function hostBits(mask: Bytes): number {
  return 32 - Math.clz32(~numberOf(mask));
}

const { EtherIPAddress, EthernetUpdate } = ethernet.members;
const { RebootDevice } = general.members;

/** ms within which a scanner leaves its address: after EthernetUpdate, and after a reboot. */
const updateLeaveTimeout = 5000;
const rebootLeaveTimeout = 20_000;

/** Returns the URL of the scanner after the change; undefined if a DHCP server decides it. */
export function destinationOf(url: string, plan: Plan): string | undefined {
  const address = bytesOf(plan[EtherIPAddress.name]);
  return asksDhcp(plan) || address === undefined ? undefined : urlAt(url, address);
}

/** Returns the URL that changes with the address. In a fleet, a scanner is shown by that of the fleet, which stays. */
function urlOf(link: ScannerLink): string {
  const address = bytesOf(link.value(EtherIPAddress.name));
  return link.isOfFleet && address !== undefined ? urlAt('http://fleet', address) : link.shownUrl;
}

/** Returns the consequences of the new settings, in sentences. */
export function consequenceOf(link: ScannerLink, plan: Plan): string {
  const from = urlOf(link);
  const to = destinationOf(from, plan);
  const how = canUpdate(link)
    ? 'The settings take effect at once. They are not saved: if you cannot reach the scanner any more, switch its power off and on, and it has the old settings again.'
    : 'The settings are saved, and the scanner reboots. It measures nothing until it is back.';
  if (to === undefined)
    return `${how} A DHCP server will choose the address. This page cannot follow there: look for the scanner in the list of the server, or with the command azimuth discover.`;
  if (to === from) return `${how} The address stays ${to}.`;
  return `${how} Then the scanner is at ${to}. ${wayTo(link)}`;
}

/** Returns the way in which the pages get to a new address. */
function wayTo(link: ScannerLink): string {
  if (link.gateway !== undefined) return 'These pages look for it there, and go on.';
  if (link.isOfFleet)
    return 'The fleet goes on asking at the old address: enter the new one in its file. A virtual scanner of a fleet stays where it is.';
  const own = addressIn(link.shownUrl);
  return own === undefined || own[0] === 127
    ? 'A virtual scanner leaves the present address only if it was started with --network rebind, and if this computer has the new address. Otherwise it stays here.'
    : 'This page opens there. You have to log in again.';
}

/** Writes the settings that differ, and puts them into force. @throws ClientError */
export async function applyPlan(link: ScannerLink, plan: Plan): Promise<void> {
  const from = urlOf(link);
  for (const [{ name }] of addressSettings) {
    if (!sameJson(link.value(name), plan[name])) await link.write(name, plan[name]);
  }
  const to = destinationOf(from, plan);
  const isUpdated = canUpdate(link);
  await link.call(isUpdated ? EthernetUpdate.name : RebootDevice.name);
  if (to === from) {
    if (!isUpdated) link.absences.expect('reboots');
    return;
  }
  void link.addressMove.follow(to, isUpdated ? updateLeaveTimeout : rebootLeaveTimeout);
}

function canUpdate(link: ScannerLink): boolean {
  const edition = link.edition.peek();
  return edition === undefined || EthernetUpdate.isIn(edition);
}
