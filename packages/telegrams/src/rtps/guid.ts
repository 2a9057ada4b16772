/** The common part of the GUIDs of all endpoints of a participant: 12 bytes, as 24 hexadecimal digits in lower case. */
export type GuidPrefix = string;

/** Identifies an endpoint within its participant: three bytes of number and one byte of kind, as one number (big-endian). */
export type EntityId = number;

/** Identifies a participant or one of its endpoints worldwide: 16 bytes (DDSI-RTPS §8.2.4). */
export interface Guid {
  readonly prefix: GuidPrefix;
  readonly entity: EntityId;
}

export const guidBytes = 16;
const prefixBytes = 12;

/** The endpoints of every participant (§9.3.1.5), and the identifiers for all or none. */
export const entityId = {
  unknown: 0,
  participant: 0x000001c1,
  publicationsWriter: 0x000003c2,
  publicationsReader: 0x000003c7,
  subscriptionsWriter: 0x000004c2,
  subscriptionsReader: 0x000004c7,
  participantWriter: 0x000100c2,
  participantReader: 0x000100c7,
  livelinessWriter: 0x000200c2,
  livelinessReader: 0x000200c7,
} as const;

/** The last byte of the identifier of an endpoint whose samples have no key. */
const endpointKind = { writer: 0x03, reader: 0x04 } as const;

/** The identifier of the writer with this number (1 to 2^24 − 1), whose samples have no key. */
export function writerId(number: number): EntityId {
  return ((number << 8) | endpointKind.writer) >>> 0;
}

/** Returns a text that is equal for equal endpoints, for maps and logs. */
export function guidText({ prefix, entity }: Guid): string {
  return `${prefix}.${entity.toString(16).padStart(8, '0')}`;
}

export function prefixOf(bytes: Uint8Array, at = 0): GuidPrefix {
  let text = '';
  for (let index = at; index < at + prefixBytes; index++) {
    text += (bytes[index] ?? 0).toString(16).padStart(2, '0');
  }
  return text;
}

export function writePrefix(prefix: GuidPrefix, to: Uint8Array, at = 0): void {
  for (let index = 0; index < prefixBytes; index++) {
    to[at + index] = Number.parseInt(prefix.slice(2 * index, 2 * index + 2), 16);
  }
}

/** Returns a GUID as 16 bytes. */
export function bytesOfGuid({ prefix, entity }: Guid): Uint8Array {
  const bytes = new Uint8Array(guidBytes);
  writePrefix(prefix, bytes);
  new DataView(bytes.buffer).setUint32(prefixBytes, entity);
  return bytes;
}

/** Reads a GUID from 16 bytes. */
export function guidOf(bytes: Uint8Array): Guid {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return { prefix: prefixOf(bytes), entity: view.getUint32(prefixBytes) };
}
