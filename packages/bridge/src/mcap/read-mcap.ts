import type { ByteSource } from '@azimuth/telegrams';
import { MCAP_MAGIC, McapStreamReader, type McapTypes, Opcode } from '@mcap/core';
import { decompressLz4 } from './lz4.js';
import type { SchemaFacts } from './mcap-recording.js';
import { decompressZstd } from './zstd.js';

/** Thrown for a file that is not MCAP, or is damaged. The message says what was expected, what came, and at which byte. */
export class McapError extends Error {
  override readonly name = 'McapError';
}

/** A message of a file. Times in µs since 1970. */
export interface McapMessage {
  readonly kind: 'message';
  readonly topic: string;
  readonly encoding: string;
  readonly schema: SchemaFacts | undefined;
  /** Facts about its channel. */
  readonly metadata: ReadonlyMap<string, string>;
  readonly logTime: number;
  readonly publishTime: number;
  readonly data: Uint8Array;
}

/** Facts about a recording. */
export interface McapMetadata {
  readonly kind: 'metadata';
  readonly name: string;
  readonly facts: ReadonlyMap<string, string>;
}

/** The end of what can be read. */
export interface McapEnd {
  /** Byte at which a record begins that is cut off; undefined if the file is complete. */
  readonly cutAt: number | undefined;
}

/** Largest record in bytes, and largest chunk when it is decompressed: a cloud of ten million points. */
const mostRecordBytes = 256 * 2 ** 20;
/** Longest other record in bytes: a channel or metadata. Its names and texts take fifty times their bytes in memory. */
const mostFactsBytes = 4 * 2 ** 20;
/** Longest definition of messages in bytes. */
const mostSchemaBytes = 2 ** 20;
/** Most bytes of all definitions, names of topics and facts of channels together. */
const mostDeclaredBytes = 32 * 2 ** 20;

const recordHeadBytes = 9;

/** Records with an index, with statistics, or with other files. They are passed over. */
const passedOver: ReadonlySet<number> = new Set([
  ...[Opcode.MESSAGE_INDEX, Opcode.CHUNK_INDEX, Opcode.ATTACHMENT, Opcode.ATTACHMENT_INDEX],
  ...[Opcode.STATISTICS, Opcode.METADATA_INDEX, Opcode.SUMMARY_OFFSET],
]);

/** True if a file begins as MCAP does. */
export function isMcap(source: ByteSource): boolean {
  const begin = source.part(0, MCAP_MAGIC.length);
  return begin.length === MCAP_MAGIC.length && begin.every((byte, index) => byte === MCAP_MAGIC[index]);
}

/**
 * Reads the messages and the metadata of a file, in its order. A file that is cut off is read up to its last complete record.
 * At any time, memory holds one record and its decompressed content.
 * @throws McapError at the damaged place
 */
export function* readMcap(source: ByteSource): Generator<McapMessage | McapMetadata, McapEnd> {
  if (!isMcap(source)) throw new McapError('byte 0: expected the beginning of a file of MCAP');
  const records = new McapStreamReader({ noMagicPrefix: true, decompressHandlers });
  const declared = new Declarations();
  let at = MCAP_MAGIC.length;
  while (at + recordHeadBytes <= source.length) {
    const { opcode, length } = headOf(source, at);
    const end = at + recordHeadBytes + length;
    if (opcode === Opcode.DATA_END || opcode === Opcode.FOOTER) return { cutAt: undefined };
    if (passedOver.has(opcode)) {
      if (end > source.length) return { cutAt: at };
      at = end;
      continue;
    }
    const most = mostBytesOf(opcode);
    if (length > most) throw new McapError(`byte ${at}: ${tooLong(most, length)}`);
    const bytes = source.part(at, end);
    if (bytes.length < end - at) return { cutAt: at };
    yield* itemsOf(records, declared, bytes, at);
    at = end;
  }
  return { cutAt: at };
}

function mostBytesOf(opcode: number): number {
  return opcode === Opcode.CHUNK || opcode === Opcode.MESSAGE ? mostRecordBytes : mostFactsBytes;
}

function tooLong(most: number, length: number): string {
  return `expected a record of up to ${most} bytes, got ${length}`;
}

/** Refuses long records in a chunk, before the library reads them. @throws McapError */
function refuseLongRecords(chunk: Uint8Array): void {
  const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.length);
  for (let at = 0; at + recordHeadBytes <= chunk.length; ) {
    const length = Number(view.getBigUint64(at + 1, true));
    const most = mostBytesOf(view.getUint8(at));
    if (length > most) throw new McapError(`its byte ${at}: ${tooLong(most, length)}`);
    at += recordHeadBytes + length;
  }
}

/** Offsets in the record of a chunk: the length of the name of its compression (u32), and what follows an empty name. */
const compressionAt = recordHeadBytes + 8 + 8 + 8 + 4;
const plainAt = compressionAt + 4 + 8;

function isPlainChunk(record: Uint8Array): boolean {
  const view = new DataView(record.buffer, record.byteOffset, record.length);
  return (
    record.length > plainAt && view.getUint8(0) === Opcode.CHUNK && view.getUint32(compressionAt, true) === 0
  );
}

function headOf(source: ByteSource, at: number): { readonly opcode: number; readonly length: number } {
  const head = source.part(at, at + recordHeadBytes);
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  return { opcode: view.getUint8(0), length: Number(view.getBigUint64(1, true)) };
}

function* itemsOf(
  records: McapStreamReader,
  declared: Declarations,
  bytes: Uint8Array,
  at: number,
): Generator<McapMessage | McapMetadata> {
  try {
    if (isPlainChunk(bytes)) refuseLongRecords(bytes.subarray(plainAt));
    records.append(bytes);
    for (let record = records.nextRecord(); record !== undefined; record = records.nextRecord()) {
      const item = declared.itemOf(record);
      if (item !== undefined) yield item;
    }
  } catch (error) {
    throw new McapError(`byte ${at}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function decompressedBy(decompress: (packed: Uint8Array, size: number) => Uint8Array) {
  return (packed: Uint8Array, size: bigint): Uint8Array => {
    if (size > mostRecordBytes) {
      throw new McapError(`expected a chunk of up to ${mostRecordBytes} bytes, got ${size}`);
    }
    const chunk = decompress(packed, Number(size));
    refuseLongRecords(chunk);
    return chunk;
  };
}

const decompressHandlers = { lz4: decompressedBy(decompressLz4), zstd: decompressedBy(decompressZstd) };

/** The schemas and channels of a file so far. */
class Declarations {
  readonly #schemas = new Map<number, SchemaFacts>();
  readonly #channels = new Map<number, McapTypes.Channel>();
  #bytes = 0;

  /** Returns what a record is for readers; undefined for declarations and what is not needed. @throws McapError */
  itemOf(record: McapTypes.TypedMcapRecord): McapMessage | McapMetadata | undefined {
    switch (record.type) {
      case 'Schema':
        this.#addSchema(record);
        return undefined;
      case 'Channel':
        if (!this.#channels.has(record.id)) this.#count(sizeOf(record));
        this.#channels.set(record.id, record);
        return undefined;
      case 'Metadata':
        return { kind: 'metadata', name: record.name, facts: record.metadata };
      case 'Message':
        return this.#messageOf(record);
      default:
        return undefined;
    }
  }

  #addSchema({ id, name, encoding, data }: McapTypes.Schema): void {
    if (this.#schemas.has(id)) return;
    if (data.length > mostSchemaBytes) {
      throw new McapError(`expected a definition of up to ${mostSchemaBytes} bytes, got ${data.length}`);
    }
    this.#count(data.length + name.length);
    this.#schemas.set(id, { name, encoding, definition: new TextDecoder().decode(data) });
  }

  #messageOf({ channelId, logTime, publishTime, data }: McapTypes.Message): McapMessage {
    const channel = this.#channels.get(channelId);
    if (channel === undefined)
      throw new McapError(`expected a channel ${channelId} in front of its messages`);
    return {
      ...{ kind: 'message', topic: channel.topic, encoding: channel.messageEncoding },
      ...{ schema: this.#schemas.get(channel.schemaId), metadata: channel.metadata },
      ...{ logTime: Number(logTime / 1000n), publishTime: Number(publishTime / 1000n), data },
    };
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > mostDeclaredBytes) {
      throw new McapError(`expected definitions and channels of up to ${mostDeclaredBytes} bytes together`);
    }
  }
}

function sizeOf({ topic, messageEncoding, metadata }: McapTypes.Channel): number {
  const facts = [...metadata].reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  return topic.length + messageEncoding.length + facts;
}
