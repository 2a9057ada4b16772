import { decodePointCloud, messageTypes } from '@azimuth/telegrams/ros2';
import type { MessageReader } from '@foxglove/rosmsg2-serialization';
import { McapError, type McapMessage } from '../mcap/index.js';
import { messageSchemas } from '../messages/index.js';
import { type CloudPoints, cloudPointsOf, pointsOf } from './cloud-points.js';
import { MessageFields } from './message-fields.js';
import { messageReaderOf } from './schema-guard.js';

/** Beams of a LaserScan or MultiEchoLaserScan. Angles in rad, times in s, distances in m. */
export interface ScanBeams {
  readonly kind: 'beams';
  readonly angleMin: number;
  readonly angleIncrement: number;
  readonly timeIncrement: number;
  readonly rangeMin: number;
  readonly rangeMax: number;
  readonly beams: number;
  /** Echoes of each beam; NaN and infinity where there is none. */
  ranges(beam: number): ArrayLike<number>;
  /** As many as there are ranges, or fewer. */
  intensities(beam: number): ArrayLike<number>;
}

/** True for the range of an echo: finite, and not outside of range_min and range_max if they are stated. */
export function isEcho(
  { rangeMin, rangeMax }: Pick<ScanBeams, 'rangeMin' | 'rangeMax'>,
  range: number,
): boolean {
  const isInside = range >= rangeMin && (range <= rangeMax || !(rangeMax > 0));
  return range > 0 && range < Number.POSITIVE_INFINITY && isInside;
}

/** A scan or a cloud of a recording that anybody has made. */
export interface RecordedScan {
  readonly topic: string;
  /** Time of reception: µs since 1970. */
  readonly received: number;
  /** Stamp of the message in µs. */
  readonly stamp: number;
  readonly content: ScanBeams | CloudPoints;
}

/** Types that are read, in the order in which one is chosen. */
const readTypes = [
  messageTypes.laserScan.name,
  messageTypes.multiEchoLaserScan.name,
  messageTypes.pointCloud.name,
] as const;

/** Names of types without `msg`, as some programs write them. */
function fullName(name: string): string {
  return /^[^/]+\/[^/]+$/.test(name) ? name.replace('/', '/msg/') : name;
}

/** Returns the rank of a message among those that are read, 0 for the best; undefined for one that is not read. */
export function rankOf({ schema, encoding }: McapMessage): number | undefined {
  const rank = readTypes.findIndex((name) => name === fullName(schema?.name ?? ''));
  return rank === -1 || encoding !== 'cdr' ? undefined : rank;
}

/** Names of the types that are read. */
export const readTypeNames: readonly string[] = readTypes;

/** Largest message in bytes that is decoded by the definition in its file. */
const mostDecodedBytes = 4 * 2 ** 20;

/** True if a definition has the fields of PointCloud2, without comments and blanks. */
function isUsualCloud(definition: string): boolean {
  const fieldsOf = (text: string) => {
    const [own = ''] = text.split(/^=+$/m);
    return own
      .split('\n')
      .map((line) =>
        line
          .replace(/#.*/, '')
          .trim()
          .replace(/\s+/g, ' ')
          .replace(/^\w+\//, ''),
      )
      .filter((line) => line !== '')
      .join('\n');
  };
  return fieldsOf(definition) === fieldsOf(messageSchemas.pointCloud.definition);
}

/** Decodes scans and clouds of ROS 2 by the definitions in their file. */
export class ScanDecoder {
  readonly #readers = new Map<string, MessageReader>();

  /** @throws McapError with the topic, if the message is of another type, or is not as its definition says */
  decode({ topic, schema, logTime, data }: McapMessage): RecordedScan {
    if (schema === undefined) throw new McapError(`${topic}: expected a definition`);
    const where = `${topic} (${schema.name})`;
    if (data.length > mostDecodedBytes)
      return { topic, received: logTime, ...this.#largeCloud(schema, data, where) };
    // The library reads within the array of a message: that of a chunk has other messages behind it.
    const fields = new MessageFields(
      this.#decoded(where, () => this.#readerOf(schema).readMessage(data.slice())),
      where,
    );
    const stamp = fields.fields('header').fields('stamp');
    const nanoseconds = stamp.has('nanosec') ? stamp.number('nanosec') : stamp.number('nsec');
    return {
      ...{
        topic,
        received: logTime,
        stamp: stamp.number('sec') * 1_000_000 + Math.round(nanoseconds / 1000),
      },
      content: contentOf(fullName(schema.name), fields, where),
    };
  }

  /**
   * Reads a large cloud by the definition of ROS 2 itself. A message of many small items would take fifty times its size in
   * memory, if it were decoded by a definition that anybody has written.
   */
  #largeCloud(
    { name, definition }: NonNullable<McapMessage['schema']>,
    data: Uint8Array,
    where: string,
  ): Pick<RecordedScan, 'stamp' | 'content'> {
    if (fullName(name) !== messageTypes.pointCloud.name || !isUsualCloud(definition)) {
      throw new McapError(
        `${where}: expected a message of up to ${mostDecodedBytes} bytes, got ${data.length}`,
      );
    }
    return this.#decoded(where, () => {
      const cloud = decodePointCloud(data);
      return { stamp: cloud.stamp, content: pointsOf({ ...cloud, isBigEndian: false }, where) };
    });
  }

  #readerOf(schema: NonNullable<McapMessage['schema']>): MessageReader {
    const known = this.#readers.get(schema.definition);
    if (known !== undefined) return known;
    const reader = messageReaderOf(schema);
    this.#readers.set(schema.definition, reader);
    return reader;
  }

  #decoded<T>(where: string, read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (error instanceof McapError) throw error;
      throw new McapError(`${where}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

function contentOf(type: string, fields: MessageFields, where: string): ScanBeams | CloudPoints {
  switch (type) {
    case messageTypes.laserScan.name:
      return laserBeams(fields);
    case messageTypes.multiEchoLaserScan.name:
      return multiEchoBeams(fields);
    case messageTypes.pointCloud.name:
      return cloudPointsOf(fields, where);
    default:
      throw new McapError(`${where}: expected ${readTypes.join(' or ')}`);
  }
}

function factsOf(fields: MessageFields): Omit<ScanBeams, 'beams' | 'ranges' | 'intensities'> {
  return {
    kind: 'beams',
    angleMin: fields.number('angle_min'),
    angleIncrement: fields.number('angle_increment'),
    timeIncrement: fields.number('time_increment'),
    rangeMin: fields.number('range_min'),
    rangeMax: fields.number('range_max'),
  };
}

function laserBeams(fields: MessageFields): ScanBeams {
  const ranges = fields.floats('ranges');
  const intensities = fields.floats('intensities');
  return {
    ...factsOf(fields),
    beams: ranges.length,
    ranges: (beam) => ranges.subarray(beam, beam + 1),
    intensities: (beam) => intensities.subarray(beam, beam + 1),
  };
}

function multiEchoBeams(fields: MessageFields): ScanBeams {
  const echoes = (name: string) => fields.list(name).map((list) => list.floats('echoes'));
  const ranges = echoes('ranges');
  const intensities = echoes('intensities');
  return {
    ...factsOf(fields),
    beams: ranges.length,
    ranges: (beam) => ranges[beam] ?? [],
    intensities: (beam) => intensities[beam] ?? [],
  };
}
