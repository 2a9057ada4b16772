import type { Recorded } from '@azimuth/telegrams';
import {
  decodedOrNothing,
  FileSource,
  McapError,
  type McapMessage,
  readMcap,
  telegramChannel,
} from '../mcap/index.js';
import { recordingFiles } from './bag-folder.js';
import { type RecordedScan, rankOf, readTypeNames, ScanDecoder } from './recorded-scan.js';
import { type RecordedRevolution, Revolutions } from './revolutions.js';

/** A topic of a recording. */
export interface RecordedTopic {
  readonly topic: string;
  /** Name of its type; its encoding if it has none. */
  readonly type: string;
  readonly messages: number;
  /** Place among the types that are read, 0 for the best; undefined if it is not read. */
  readonly rank: number | undefined;
}

/** Most topics that are counted. */
const mostTopics = 4096;

/** A recording in one file of MCAP, or in a folder of rosbag2. It is read as often as it is asked. */
export class RecordedFile {
  readonly #paths: readonly string[];
  readonly topics: readonly RecordedTopic[];
  /** File that is cut off, and the byte; undefined if none is. */
  readonly cutAt: string | undefined;

  private constructor(paths: readonly string[], topics: readonly RecordedTopic[], cutAt: string | undefined) {
    this.#paths = paths;
    this.topics = topics;
    this.cutAt = cutAt;
  }

  /** Reads through a recording once. @throws McapError; the error of the system if it cannot be read */
  static open(path: string): RecordedFile {
    const paths = recordingFiles(path);
    const topics = new Map<string, RecordedTopic>();
    let cutAt: string | undefined;
    for (const file of paths) {
      const end = eachMessage(file, (message) => {
        const { topic, schema, encoding } = message;
        const known = topics.get(topic);
        if (known === undefined && topics.size >= mostTopics) return;
        const facts = known ?? { topic, type: schema?.name ?? encoding, messages: 0, rank: rankOf(message) };
        topics.set(topic, { ...facts, messages: facts.messages + 1 });
      });
      if (end !== undefined) cutAt ??= `${file}, byte ${end}`;
    }
    return new RecordedFile(paths, [...topics.values()], cutAt);
  }

  /** True if it has the telegrams of a scanner. */
  get hasTelegrams(): boolean {
    return this.topics.some(({ topic }) => topic === telegramChannel.topic);
  }

  /**
   * Returns the topic whose scans are read: the named one, or a LaserScan before others, with most messages.
   * @throws McapError if there is none
   */
  topicOf(name?: string): RecordedTopic {
    const readable = this.topics.filter(({ rank }) => rank !== undefined);
    const [best] = readable.toSorted((one, other) =>
      one.rank === other.rank ? other.messages - one.messages : (one.rank ?? 0) - (other.rank ?? 0),
    );
    const chosen = name === undefined ? best : readable.find(({ topic }) => topic === name);
    if (chosen !== undefined) return chosen;
    const [one, ...others] = this.topics.slice(0, mostListed).map(({ topic, type }) => `${topic} (${type})`);
    const there = one === undefined ? 'no messages' : [one, ...others].join(', ');
    const expected = name === undefined ? 'a topic' : `a topic ${name}`;
    throw new McapError(`expected ${expected} of ${readTypeNames.join(' or ')} as CDR, got ${there}`);
  }

  /** Yields the messages of a topic. @throws McapError at the damaged place */
  *messages(wanted: string): Generator<McapMessage> {
    for (const file of this.#paths) {
      const source = FileSource.open(file);
      try {
        for (const item of readMcap(source)) {
          if (item.kind === 'message' && item.topic === wanted) yield item;
        }
      } finally {
        source.close();
      }
    }
  }

  /** Yields the scans of a topic. @throws McapError */
  *scans(topic: string): Generator<RecordedScan> {
    const decoder = new ScanDecoder();
    for (const message of this.messages(topic)) yield decoder.decode(message);
  }

  /** Yields what a scanner that plays the recording has to see. @throws McapError */
  *revolutions(topic: string): Generator<RecordedRevolution> {
    const revolutions = new Revolutions();
    for (const scan of this.scans(topic)) yield revolutions.next(scan);
  }

  /** Yields the telegrams of a scanner as they came. */
  *recorded(): Generator<Recorded> {
    for (const { logTime, data, metadata } of this.messages(telegramChannel.topic)) {
      yield { time: logTime, telegram: data, from: metadata.get('from'), to: metadata.get('to') };
    }
  }

  /** Yields the telegrams of a scanner, without damaged ones. */
  *telegrams(): Generator<RecordedRevolution> {
    for (const { time, telegram } of this.recorded()) {
      const whole = decodedOrNothing(telegram);
      if (whole !== undefined) yield { time, telegram: whole };
    }
  }
}

/** Topics that a message lists. */
const mostListed = 8;

/** Returns the byte at which the file is cut off; undefined if it is complete. */
function eachMessage(file: string, visit: (message: McapMessage) => void): number | undefined {
  const source = FileSource.open(file);
  try {
    const items = readMcap(source);
    for (;;) {
      const next = items.next();
      if (next.done === true) return next.value.cutAt;
      if (next.value.kind === 'message') visit(next.value);
    }
  } catch (error) {
    if (error instanceof McapError) throw new McapError(`${file}: ${error.message}`);
    throw error;
  } finally {
    source.close();
  }
}
