import { ethernet, isFrom, isObject, legacyProtocols, type Release } from '@azimuth/model';
import { type KnownValues, knownValue } from '../connection/declarations.js';
import { tcp } from '../data-route/data-destination.js';
import { addressText } from '../forms/value-text.js';
import { areNear } from '../network/address-plan.js';
import type { DataStream } from './streams.js';

/** Facts about a scanner for a check of its destinations. */
export interface ReachedScanner {
  /** Host in the address by which this computer reaches the scanner. */
  readonly host: string;
  readonly known: KnownValues;
  readonly release: Release | undefined;
}

type Bytes = readonly number[];

const { EtherIPAddress, EtherIPMask, EtherIPGateAddress } = ethernet.members;
const { EtherAuxEnabled, EtherAuxIPPort, EtherHostIPPort } = legacyProtocols.members;

/** Returns what else uses a TCP port of the scanner; undefined if nothing does. */
function userOf(port: unknown, known: KnownValues): string | undefined {
  if (port === 80 || port === 443) return 'its web server';
  if (knownValue(known, EtherAuxEnabled) === false) return undefined;
  // Releases without these settings have the ports that the others leave the factory with.
  const portOf = (of: typeof EtherAuxIPPort) => knownValue(known, of) ?? of.type.initial;
  if (port === portOf(EtherAuxIPPort)) return 'the legacy interface A';
  return port === portOf(EtherHostIPPort) ? 'the legacy interface B' : undefined;
}

/** First release that sends IMU and encoder data to multicast addresses. */
const multicastSince: Release = '2.3.1';

/**
 * Returns what is probably wrong with a destination, a sentence each; empty if nothing is. The scanner accepts all of it.
 * @param settings JSON that is not checked
 */
export function doubtsAbout(
  stream: DataStream,
  settings: unknown,
  around: ReachedScanner,
): readonly string[] {
  if (!isObject(settings)) return [];
  const { Protocol, IPAddress, Port } = settings;
  if (Port === 0) return ['With port 0, nothing is sent.'];
  if (Protocol === tcp) {
    const user = userOf(Port, around.known);
    return user === undefined ? [] : [`TCP port ${Port} of the scanner belongs to ${user}.`];
  }
  const doubt = isAddress(IPAddress) ? doubtAboutAddress(stream, IPAddress, around) : undefined;
  return doubt === undefined ? [] : [doubt];
}

function doubtAboutAddress(
  stream: DataStream,
  address: Bytes,
  { host, known, release }: ReachedScanner,
): string | undefined {
  const text = addressText('IPv4', address);
  const [first = 0] = address;
  const toItself = `${text} is the scanner itself: no other computer gets what it sends there.`;
  if (first === 0) return `${text} is no destination: enter the address of the receiver.`;
  if (text === '255.255.255.255') return toAll(text);
  if (first >= 224 && first <= 239) {
    const isEarly = stream.id !== 'scan' && release !== undefined && !isFrom(release, multicastSince);
    return isEarly
      ? `${text} is for many receivers, which ${stream.title} needs release ${multicastSince} for.`
      : undefined;
  }
  // The network settings of a virtual scanner on this computer are not in force.
  if (isLoopback(host)) return undefined;
  if (first === 127 || text === host) return toItself;
  const own = knownValue(known, EtherIPAddress);
  const mask = knownValue(known, EtherIPMask);
  const gateway = knownValue(known, EtherIPGateAddress);
  if (own === undefined || mask === undefined || gateway === undefined || addressText('IPv4', own) !== host)
    return undefined;
  if (areNear(address, own, mask)) return isLast(address, mask) ? toAll(text) : undefined;
  return gateway.every((byte) => byte === 0)
    ? `${text} is not in the network of the scanner, and the scanner has no gateway to other networks.`
    : undefined;
}

function toAll(text: string): string {
  return `${text} is a broadcast address: every device in the network gets each telegram.`;
}

/** True if all bits behind the mask are ones. */
function isLast(address: Bytes, mask: Bytes): boolean {
  return address.every((byte, index) => (byte | (mask[index] ?? 0)) === 255);
}

function isAddress(value: unknown): value is Bytes {
  return Array.isArray(value) && value.length === 4;
}

/** True if a host is the computer that asks. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || /^127(?:\.\d{1,3}){3}$/.test(host);
}
