import { TelegramError } from '../telegram-error.js';
import type { ByteCursor } from './byte-cursor.js';
import { protocolMajor } from './decode-message.js';
import { protocolMinor, vendorId } from './encode-message.js';
import { bytesOfGuid, entityId, type Guid, type GuidPrefix, guidBytes, guidOf } from './guid.js';
import { mustUnderstand, ParameterList, ParameterWriter, parameterId } from './parameter-list.js';

/** The built-in endpoints of a participant, as bits of its announcement (§9.3.2.11). */
export const builtinEndpoint = {
  participantWriter: 0x001,
  participantReader: 0x002,
  publicationsWriter: 0x004,
  publicationsReader: 0x008,
  subscriptionsWriter: 0x010,
  subscriptionsReader: 0x020,
  livelinessWriter: 0x400,
  livelinessReader: 0x800,
} as const;

/** The announcement of a participant about itself (SPDP, §8.5.3). */
export interface ParticipantData {
  readonly prefix: GuidPrefix;
  /** Undefined if it does not state one. */
  readonly domain: number | undefined;
  /** The tag of its domain. Participants of other tags are in other domains, even if the number is the same. */
  readonly domainTag: string;
  /** The locators of its built-in endpoints, and of its other endpoints. */
  readonly discovery: readonly Locator[];
  readonly user: readonly Locator[];
  /** Bits of `builtinEndpoint`. If a participant states none, it has the endpoints of every participant. */
  readonly builtinEndpoints: number;
  /** Time (ms) without an announcement after which it counts as gone; infinity for never. */
  readonly lease: number;
  /** A text for the middleware above. ROS 2 has `enclave=/;` here. */
  readonly userData: string;
}

/** Default for a participant that does not state its built-in endpoints: all but those of liveliness. */
const defaultEndpoints =
  builtinEndpoint.participantWriter |
  builtinEndpoint.participantReader |
  builtinEndpoint.publicationsWriter |
  builtinEndpoint.publicationsReader |
  builtinEndpoint.subscriptionsWriter |
  builtinEndpoint.subscriptionsReader;

/** Default lease in ms (§9.6.3.2). */
const defaultLease = 100_000;
/** The seconds that mean forever. */
const forever = 0x7fffffff;

/** Encodes an announcement: a parameter list with the members above. */
export function encodeParticipantData(data: ParticipantData): Uint8Array {
  const list = new ParameterWriter()
    .add(parameterId.protocolVersion, Uint8Array.of(protocolMajor, protocolMinor))
    .add(parameterId.vendorId, Uint8Array.of(vendorId >> 8, vendorId & 0xff))
    .add(parameterId.participantGuid, bytesOfGuid({ prefix: data.prefix, entity: entityId.participant }));
  if (data.domain !== undefined) list.words(parameterId.domainId, data.domain);
  // A receiver that does not know this parameter must ignore the announcement.
  if (data.domainTag !== '') list.text(parameterId.domainTag | mustUnderstand, data.domainTag);
  for (const locator of data.discovery) {
    list.add(parameterId.metatrafficUnicastLocator, bytesOfLocator(locator));
  }
  for (const locator of data.user) list.add(parameterId.defaultUnicastLocator, bytesOfLocator(locator));
  return list
    .words(parameterId.participantLeaseDuration, ...durationOf(data.lease))
    .words(parameterId.builtinEndpointSet, data.builtinEndpoints)
    .octets(parameterId.userData, data.userData)
    .end();
}

/**
 * Reads the content of an announcement.
 * @throws TelegramError if it is not a parameter list, or names no participant
 */
export function decodeParticipantData(payload: Uint8Array): ParticipantData {
  const list = new ParameterList(payload);
  const { prefix } = guidIn(list, parameterId.participantGuid);
  const lease = list.value(parameterId.participantLeaseDuration);
  return {
    prefix,
    domain: list.value(parameterId.domainId)?.u32(),
    domainTag: list.text(parameterId.domainTag) ?? '',
    discovery: locatorsIn(list, parameterId.metatrafficUnicastLocator),
    user: locatorsIn(list, parameterId.defaultUnicastLocator),
    builtinEndpoints: list.value(parameterId.builtinEndpointSet)?.u32() ?? defaultEndpoints,
    lease: lease === undefined ? defaultLease : readDuration(lease),
    userData: list.text(parameterId.userData) ?? '',
  };
}

/** Encodes the end of a participant or an endpoint: only its GUID. */
export function encodeKey(id: number, guid: Guid): Uint8Array {
  return new ParameterWriter().add(id, bytesOfGuid(guid)).end();
}

/** @throws TelegramError if it is missing or too short */
export function guidIn(list: ParameterList, id: number): Guid {
  const value = list.value(id);
  if (value === undefined) throw new TelegramError(`the parameter ${id}`, 'none', 0);
  return guidOf(value.part(guidBytes));
}

/** Returns the locators of UDP over IPv4 among the values of a parameter. */
function locatorsIn(list: ParameterList, id: number): readonly Locator[] {
  return list.values(id).flatMap((value) => readLocator(value) ?? []);
}

/** Returns i32 seconds and u32 fractions of 2^-32 s. @param duration in ms */
export function durationOf(duration: number): readonly [number, number] {
  if (duration === Number.POSITIVE_INFINITY) return [forever, -1];
  const seconds = Math.floor(duration / 1000);
  return [seconds, Math.floor(((duration - seconds * 1000) / 1000) * 2 ** 32) | 0];
}

/** Reads a duration in ms. */
export function readDuration(cursor: ByteCursor): number {
  const seconds = cursor.i32();
  const fraction = cursor.u32();
  if (seconds === forever) return Number.POSITIVE_INFINITY;
  return seconds * 1000 + (fraction / 2 ** 32) * 1000;
}

/** The address and port of a participant over UDP and IPv4. */
export interface Locator {
  /** Four numbers with dots. */
  readonly address: string;
  /** 1 to 65535. */
  readonly port: number;
}

/** The kind of UDP over IPv4. */
const udpV4 = 1;
const locatorBytes = 24;

/**
 * | offset | type | what |
 * |---|---|---|
 * | 0 | i32 | kind: 1 is UDP over IPv4 |
 * | 4 | u32 | port |
 * | 8 | 16 bytes | address; of IPv4 the last four |
 */
export function bytesOfLocator({ address, port }: Locator): Uint8Array {
  const bytes = new Uint8Array(locatorBytes);
  const view = new DataView(bytes.buffer);
  view.setInt32(0, udpV4, true);
  view.setUint32(4, port, true);
  bytes.set(address.split('.').map(Number), 20);
  return bytes;
}

/**
 * Reads a locator; undefined if it is of another kind (such as shared memory) or has no port.
 * @throws TelegramError if it is cut off
 */
function readLocator(cursor: ByteCursor): Locator | undefined {
  const kind = cursor.i32();
  const port = cursor.u32();
  const address = cursor.part(16);
  if (kind !== udpV4 || port < 1 || port > 65_535) return undefined;
  return { address: address.subarray(12).join('.'), port };
}
