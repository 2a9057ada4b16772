import { crc32 } from '@azimuth/telegrams/encode';
import { McapChunkBuilder, McapRecordBuilder, type McapTypes, Opcode } from '@mcap/core';
import { Lz4Frame } from './lz4.js';

/** A stream of messages in a file. */
export interface ChannelFacts {
  readonly topic: string;
  /** Encoding of its messages: `cdr`, `json`. */
  readonly encoding: string;
  /** Definition of its messages. */
  readonly schema?: SchemaFacts | undefined;
  /** What else readers should know: `offered_qos_profiles`. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

export interface SchemaFacts {
  /** Channels whose schemas have the same name share it. */
  readonly name: string;
  /** Form of the definition: `ros2msg`, `jsonschema`. */
  readonly encoding: string;
  readonly definition: string;
}

/** A message of a channel. Times in µs since 1970. */
export interface MessageFacts {
  /** Time at which it was recorded. Readers sort by it. */
  readonly logTime: number;
  /** Time at which it was sent. */
  readonly publishTime: number;
  readonly data: Uint8Array;
}

/** Number of a channel in its file. */
export type ChannelId = number;

/** Bytes of messages from which on a chunk is written. */
const chunkBytes = 2 ** 20;

/**
 * Writes a file of MCAP (https://mcap.dev/spec): messages in chunks that are compressed with LZ4, an index for each chunk,
 * and at the end an index of all chunks with statistics. `flush` writes what there is. A file that is cut off anywhere can be
 * read up to its last complete chunk.
 */
export class McapRecording {
  readonly #write: (bytes: Uint8Array) => void;
  readonly #records = new McapRecordBuilder();
  readonly #chunk = new McapChunkBuilder({ useMessageIndex: true });
  readonly #frame = new Lz4Frame();
  readonly #schemas = new Map<string, McapTypes.Schema>();
  readonly #channels: McapTypes.Channel[] = [];
  readonly #inFile = new Set<McapTypes.Schema | McapTypes.Channel>();
  readonly #counts = new Map<ChannelId, bigint>();
  readonly #chunks: McapTypes.ChunkIndex[] = [];
  readonly #metadata: McapTypes.MetadataIndex[] = [];
  #position = 0n;
  #begin: bigint | undefined;
  #last = 0n;

  private constructor(write: (bytes: Uint8Array) => void) {
    this.#write = write;
  }

  /**
   * Begins a file.
   * @param write gets the bytes of the file, one part after the other
   * @param facts the profile, `ros2` for messages of ROS 2, and the program that writes
   */
  static open(
    write: (bytes: Uint8Array) => void,
    facts: { readonly profile: string; readonly library: string },
  ): McapRecording {
    const recording = new McapRecording(write);
    recording.#records.writeMagic();
    recording.#records.writeHeader(facts);
    recording.#emit();
    return recording;
  }

  /** Adds a channel. It is in the file from its first message on. */
  addChannel({ topic, encoding, schema, metadata = {} }: ChannelFacts): ChannelId {
    const id = this.#channels.length;
    const schemaId = schema === undefined ? 0 : this.#schemaOf(schema).id;
    this.#channels.push({
      ...{ id, schemaId, topic, messageEncoding: encoding },
      metadata: new Map(Object.entries(metadata)),
    });
    return id;
  }

  /** Adds a message. @throws RangeError for a channel that was not added */
  append(channelId: ChannelId, { logTime, publishTime, data }: MessageFacts): void {
    const channel = this.#channels[channelId];
    if (channel === undefined) throw new RangeError(`there is no channel ${channelId}`);
    this.#declare(channel);
    const count = this.#counts.get(channelId) ?? 0n;
    this.#counts.set(channelId, count + 1n);
    const time = nanoseconds(logTime);
    this.#begin = this.#begin === undefined || time < this.#begin ? time : this.#begin;
    this.#last = time > this.#last ? time : this.#last;
    const sequence = Number(count % 2n ** 32n);
    const message = { channelId, sequence, logTime: time, publishTime: nanoseconds(publishTime), data };
    this.#chunk.addMessage(message);
    // Streams that pass through the same thread wait for a block, and not for a whole chunk.
    this.#frame.grow(this.#chunk.buffer);
    if (this.#chunk.byteLength >= chunkBytes) this.flush();
  }

  /** Adds facts about the recording: names and texts. */
  addMetadata(name: string, facts: Readonly<Record<string, string>>): void {
    const offset = this.#position + BigInt(this.#records.length);
    const length = this.#records.writeMetadata({ name, metadata: new Map(Object.entries(facts)) });
    this.#metadata.push({ name, offset, length });
    this.#emit();
  }

  /** Writes the messages that wait for their chunk. */
  flush(): void {
    if (this.#chunk.numMessages === 0) return;
    const { buffer, messageStartTime, messageEndTime } = this.#chunk;
    const records = this.#frame.end(buffer);
    const chunk = {
      ...{ messageStartTime, messageEndTime, compression: 'lz4', records },
      ...{ uncompressedSize: BigInt(buffer.length), uncompressedCrc: crc32(buffer) },
    };
    const chunkStartOffset = this.#position;
    const chunkLength = this.#records.writeChunk(chunk);
    const indexStart = this.#position + chunkLength;
    const messageIndexOffsets = new Map<number, bigint>();
    let messageIndexLength = 0n;
    for (const index of this.#chunk.indices) {
      messageIndexOffsets.set(index.channelId, indexStart + messageIndexLength);
      messageIndexLength += this.#records.writeMessageIndex(index);
    }
    this.#chunks.push({
      ...{ messageStartTime, messageEndTime, chunkStartOffset, chunkLength, messageIndexOffsets },
      ...{ messageIndexLength, compression: 'lz4', compressedSize: BigInt(records.length) },
      uncompressedSize: chunk.uncompressedSize,
    });
    this.#chunk.reset();
    this.#emit();
  }

  /** Writes the rest, and the indices at the end of the file. */
  end(): void {
    this.flush();
    this.#records.writeDataEnd({ dataSectionCrc: notComputed });
    this.#emit();
    const summaryStart = this.#position;
    const groups = [
      this.#group(Opcode.SCHEMA, [...this.#schemas.values()], (schema) => this.#records.writeSchema(schema)),
      this.#group(Opcode.CHANNEL, this.#channels, (channel) => this.#records.writeChannel(channel)),
      this.#group(Opcode.STATISTICS, [this.#statistics()], (facts) => this.#records.writeStatistics(facts)),
      this.#group(Opcode.METADATA_INDEX, this.#metadata, (index) => this.#records.writeMetadataIndex(index)),
      this.#group(Opcode.CHUNK_INDEX, this.#chunks, (index) => this.#records.writeChunkIndex(index)),
    ];
    const summaryOffsetStart = summaryStart + BigInt(this.#records.length);
    for (const group of groups) {
      if (group.groupLength > 0n) this.#records.writeSummaryOffset(group);
    }
    const footer = { summaryStart, summaryOffsetStart, summaryCrc: 0 };
    this.#records.writeFooter({ ...footer, summaryCrc: summaryCrcOf(this.#records.buffer, footer) });
    this.#records.writeMagic();
    this.#emit();
  }

  #schemaOf({ name, encoding, definition }: SchemaFacts): McapTypes.Schema {
    const known = this.#schemas.get(name);
    if (known !== undefined) return known;
    const schema = { id: this.#schemas.size + 1, name, encoding, data: new TextEncoder().encode(definition) };
    this.#schemas.set(name, schema);
    return schema;
  }

  /** Puts a channel, and its schema, into the file in front of its first message. */
  #declare(channel: McapTypes.Channel): void {
    if (this.#inFile.has(channel)) return;
    for (const schema of this.#schemas.values()) {
      if (schema.id !== channel.schemaId || this.#inFile.has(schema)) continue;
      this.#chunk.addSchema(schema);
      this.#inFile.add(schema);
    }
    this.#chunk.addChannel(channel);
    this.#inFile.add(channel);
  }

  #statistics(): McapTypes.Statistics {
    return {
      messageCount: [...this.#counts.values()].reduce((sum, count) => sum + count, 0n),
      ...{ schemaCount: this.#schemas.size, channelCount: this.#channels.length, attachmentCount: 0 },
      ...{ metadataCount: this.#metadata.length, chunkCount: this.#chunks.length },
      ...{ messageStartTime: this.#begin ?? 0n, messageEndTime: this.#last },
      channelMessageCounts: this.#counts,
    };
  }

  /** Writes the records of one kind, and returns where they are. */
  #group<T>(groupOpcode: Opcode, items: readonly T[], write: (item: T) => bigint): McapTypes.SummaryOffset {
    const start = this.#records.length;
    for (const item of items) write(item);
    const groupStart = this.#position + BigInt(start);
    return { groupOpcode, groupStart, groupLength: BigInt(this.#records.length - start) };
  }

  #emit(): void {
    const { buffer } = this.#records;
    this.#records.reset();
    this.#position += BigInt(buffer.length);
    this.#write(buffer);
  }
}

/** Value of a CRC that was not computed. */
const notComputed = 0;

/** Returns the CRC of the summary and of the beginning of the footer behind it. */
function summaryCrcOf(summary: Uint8Array, footer: McapTypes.Footer): number {
  const builder = new McapRecordBuilder();
  builder.writeFooter(footer);
  const begin = builder.buffer.subarray(0, builder.length - 4);
  const bytes = new Uint8Array(summary.length + begin.length);
  bytes.set(summary);
  bytes.set(begin, summary.length);
  return crc32(bytes);
}

/** @param time µs; times before 1970 become 1970 */
function nanoseconds(time: number): bigint {
  return time > 0 && time < Number.MAX_SAFE_INTEGER ? BigInt(Math.round(time)) * 1000n : 0n;
}
