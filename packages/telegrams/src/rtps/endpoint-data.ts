import { protocolMajor } from './decode-message.js';
import { protocolMinor, vendorId } from './encode-message.js';
import { bytesOfGuid, type Guid } from './guid.js';
import { ParameterList, ParameterWriter, parameterId, textIn } from './parameter-list.js';
import { durationOf, guidIn, readDuration } from './participant-data.js';

/** The kinds of reliability on the wire (§9.6.3.2). A writer serves readers of its own kind and of lower ones. */
export const reliability = { bestEffort: 1, reliable: 2 } as const;
/** The kinds of durability. */
export const durability = { volatile: 0, transientLocal: 1, transient: 2, persistent: 3 } as const;
/** The kinds of data representation: the two versions of CDR, and XML. */
export const dataRepresentation = { xcdr1: 0, xml: 1, xcdr2: 2 } as const;

/** The quality of service that an endpoint offers or requests. Times in ms. */
export interface EndpointQos {
  readonly reliability: number;
  readonly durability: number;
  readonly deadline: number;
  readonly liveliness: number;
  readonly livelinessLease: number;
  /** 0 shared, 1 exclusive. */
  readonly ownership: number;
  readonly destinationOrder: number;
  /** Access scope of the presentation: 0 instance, 1 topic, 2 group. */
  readonly presentation: number;
  readonly isCoherent: boolean;
  readonly isOrdered: boolean;
  readonly partitions: readonly string[];
  /** Empty: the first version of CDR. */
  readonly representations: readonly number[];
}

/** The quality of service that the standard defines for missing values. Then a writer is reliable, and a reader is not. */
export const defaultQos: EndpointQos = {
  reliability: reliability.bestEffort,
  durability: durability.volatile,
  deadline: Number.POSITIVE_INFINITY,
  liveliness: 0,
  livelinessLease: Number.POSITIVE_INFINITY,
  ownership: 0,
  destinationOrder: 0,
  presentation: 0,
  isCoherent: false,
  isOrdered: false,
  partitions: [],
  representations: [],
};

/** The announcement of an endpoint by its participant (SEDP, §8.5.4). */
export interface EndpointData {
  readonly guid: Guid;
  readonly topic: string;
  readonly type: string;
  readonly qos: EndpointQos;
  /** Number of samples that it stores. */
  readonly depth: number;
  /** A text for the middleware above. ROS 2 has `typehash=…;` here. */
  readonly userData: string;
}

/** Reliable endpoints may block a writer for this time; writers here never block. In ms. */
const longestBlocking = 100;

/** Encodes an announcement: a parameter list of names and of differences from the usual quality of service. */
export function encodeEndpointData({ guid, topic, type, qos, depth, userData }: EndpointData): Uint8Array {
  const list = new ParameterWriter()
    .add(parameterId.endpointGuid, bytesOfGuid(guid))
    .add(parameterId.protocolVersion, Uint8Array.of(protocolMajor, protocolMinor))
    .add(parameterId.vendorId, Uint8Array.of(vendorId >> 8, vendorId & 0xff))
    .text(parameterId.topicName, topic)
    .text(parameterId.typeName, type)
    .words(parameterId.reliability, qos.reliability, ...durationOf(longestBlocking))
    .words(parameterId.durability, qos.durability)
    .words(parameterId.deadline, ...durationOf(qos.deadline))
    .words(parameterId.liveliness, qos.liveliness, ...durationOf(qos.livelinessLease))
    .words(parameterId.ownership, qos.ownership)
    .words(parameterId.destinationOrder, qos.destinationOrder)
    .words(parameterId.presentation, qos.presentation, (qos.isCoherent ? 1 : 0) | (qos.isOrdered ? 0x100 : 0))
    .words(parameterId.history, 0, depth);
  if (qos.partitions.length > 0) list.add(parameterId.partition, strings(qos.partitions));
  if (qos.representations.length > 0) list.add(parameterId.dataRepresentation, shorts(qos.representations));
  if (userData !== '') list.octets(parameterId.userData, userData);
  return list.end();
}

/**
 * Reads the content of an announcement. Missing values have their defaults; missing names are empty. Locators of the endpoint
 * itself are not read: the locators of its participant apply.
 * @throws TelegramError if it is not a parameter list, or lacks a GUID
 */
export function decodeEndpointData(payload: Uint8Array): EndpointData {
  const list = new ParameterList(payload);
  const word = (id: number) => list.value(id)?.u32() ?? 0;
  const liveliness = list.value(parameterId.liveliness);
  const deadline = list.value(parameterId.deadline);
  const presentation = list.value(parameterId.presentation);
  const history = list.value(parameterId.history);
  history?.u32();
  return {
    guid: guidIn(list, parameterId.endpointGuid),
    topic: list.text(parameterId.topicName) ?? '',
    type: list.text(parameterId.typeName) ?? '',
    qos: {
      reliability: list.value(parameterId.reliability)?.u32() ?? defaultQos.reliability,
      durability: word(parameterId.durability),
      deadline: deadline === undefined ? defaultQos.deadline : readDuration(deadline),
      liveliness: liveliness?.u32() ?? defaultQos.liveliness,
      livelinessLease: liveliness === undefined ? defaultQos.livelinessLease : readDuration(liveliness),
      ownership: word(parameterId.ownership),
      destinationOrder: word(parameterId.destinationOrder),
      presentation: presentation?.u32() ?? defaultQos.presentation,
      isCoherent: presentation !== undefined && presentation.u8() !== 0,
      isOrdered: presentation !== undefined && presentation.u8() !== 0,
      partitions: partitionsIn(list),
      representations: representationsIn(list),
    },
    depth: history?.u32() ?? 1,
    userData: list.text(parameterId.userData) ?? '',
  };
}

/** Largest number of names or numbers of a list that are read. */
const mostListed = 64;

function partitionsIn(list: ParameterList): readonly string[] {
  const cursor = list.value(parameterId.partition);
  if (cursor === undefined) return [];
  const names: string[] = [];
  for (let left = Math.min(cursor.u32(), mostListed); left > 0; left--) {
    cursor.align(4);
    names.push(textIn(cursor));
  }
  return names;
}

function representationsIn(list: ParameterList): readonly number[] {
  const cursor = list.value(parameterId.dataRepresentation);
  if (cursor === undefined) return [];
  return Array.from({ length: Math.min(cursor.u32(), mostListed) }, () => cursor.u16());
}

const encoder = new TextEncoder();

function strings(texts: readonly string[]): Uint8Array {
  const bytes: number[] = [...word(texts.length)];
  for (const text of texts) {
    const content = encoder.encode(`${text}\0`);
    bytes.push(...word(content.length), ...content);
    while (bytes.length % 4 !== 0) bytes.push(0);
  }
  return Uint8Array.from(bytes);
}

function shorts(numbers: readonly number[]): Uint8Array {
  return Uint8Array.from([
    ...word(numbers.length),
    ...numbers.flatMap((number) => [number & 0xff, number >> 8]),
  ]);
}

function word(value: number): readonly number[] {
  return [value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff, value >>> 24];
}
