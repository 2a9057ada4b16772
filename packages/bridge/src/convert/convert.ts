import { type Recorded, readRecording, recordingFacts } from '@azimuth/telegrams';
import { RecordedFile } from '../foreign/index.js';
import { FileSource, isMcap } from '../mcap/index.js';
import { writeCsv, writePcd } from './point-files.js';
import { scansOfTelegrams, scansOfTopic } from './point-scans.js';
import { telegramWriters } from './telegram-files.js';
import { WrittenFile } from './written-file.js';

/** Thrown if a file cannot be converted. The message says what was expected, and what came. */
export class ConvertError extends Error {
  override readonly name = 'ConvertError';
}

const pointWriters = { csv: writeCsv, pcd: writePcd } as const;

/** Formats that can be written, by the ending of the name of a file. */
export const writtenFormats: readonly string[] = [
  ...Object.keys(telegramWriters),
  ...Object.keys(pointWriters),
];

export interface ConvertOptions {
  /** The topic of an MCAP file whose scans are converted. */
  readonly topic?: string | undefined;
  /** The program that converts: `azimuth 1.2.3`. */
  readonly library: string;
}

export interface Converted {
  readonly bytes: number;
  /** Number of telegrams or points. */
  readonly count: number;
  readonly what: 'telegram' | 'point';
  /** Telegrams that could not be decoded. They have no points. */
  readonly leftOut: number;
  /** Topic whose scans were converted. */
  readonly topic: string | undefined;
  /** Place at which the recording is cut off; undefined if it is not, or if its format does not show it. */
  readonly cutAt: string | undefined;
}

/**
 * Converts a recording of any size into another format. The new file is created, or replaced, when all of the recording has
 * been converted; until then it has another name, which ends in `.part`, and a failure removes it.
 * @throws ConvertError for a format that cannot be written, or that does not keep what is in the recording
 * @throws McapError, RecordingError at the damaged place; the error of the system
 */
export function convertRecording(from: string, to: string, { topic, library }: ConvertOptions): Converted {
  const recording = openRecording(from, topic);
  try {
    return convertOpened(recording, from, to, library);
  } finally {
    recording.close();
  }
}

function convertOpened(recording: OpenRecording, from: string, to: string, library: string): Converted {
  const format = /\.([a-z\d]+)$/i.exec(to)?.[1]?.toLowerCase() ?? '';
  const facts = { made: recording.made, source: from, library };
  const { cutAt, telegrams } = recording;
  let leftOut = 0;
  if (isTelegramFormat(format)) {
    if (telegrams === undefined) throw new ConvertError(noTelegrams(from, format));
    const written = writing(to, (file) => telegramWriters[format](telegrams(), file, facts));
    return { ...written, what: 'telegram', leftOut, topic: undefined, cutAt };
  }
  if (!isPointFormat(format)) throw new ConvertError(notWritten(to, format));
  const scans = telegrams === undefined ? recording.scans() : scansOfTelegrams(telegrams(), () => leftOut++);
  const written = writing(to, (file) => pointWriters[format](scans, file));
  return { ...written, what: 'point', leftOut, topic: recording.topic, cutAt };
}

function isTelegramFormat(format: string): format is keyof typeof telegramWriters {
  return Object.hasOwn(telegramWriters, format);
}

function isPointFormat(format: string): format is keyof typeof pointWriters {
  return Object.hasOwn(pointWriters, format);
}

function noTelegrams(from: string, format: string): string {
  return `${from} has no telegrams of a scanner, of which a file .${format} is made: convert its scans to .csv or .pcd`;
}

function notWritten(to: string, format: string): string {
  const expected = `${to}: expected a name that ends in ${writtenFormats.map((name) => `.${name}`).join(', ')}`;
  if (format !== 'las' && format !== 'laz') return expected;
  return `${expected}. LAS is not written: convert to .pcd, and that with another program (pdal translate IN.pcd OUT.las)`;
}

function writing(
  path: string,
  write: (file: WrittenFile) => number,
): { readonly bytes: number; readonly count: number } {
  const file = new WrittenFile(path);
  try {
    const count = write(file);
    file.complete();
    return { count, bytes: file.bytes };
  } catch (error) {
    file.discard();
    throw error;
  }
}

/** A recording that was recognised. */
interface OpenRecording {
  readonly made: string;
  readonly topic: string | undefined;
  readonly cutAt: string | undefined;
  /** Telegrams of a scanner; undefined if it has none, or if a topic was named. */
  readonly telegrams: (() => Iterable<Recorded>) | undefined;
  readonly scans: () => ReturnType<typeof scansOfTopic>;
  readonly close: () => void;
}

function openRecording(path: string, topic: string | undefined): OpenRecording {
  if (isOfRos2(path)) return openMcap(path, topic);
  if (topic !== undefined)
    throw new ConvertError(`a topic can be named of MCAP only, and ${path} is another format`);
  const source = FileSource.open(path);
  try {
    const recorded = readRecording(source);
    return {
      made: recordingFacts(source)?.made ?? new Date().toISOString(),
      ...{ topic: undefined, cutAt: undefined },
      telegrams: () => recorded,
      scans: () => scansOfTopic([]),
      close: () => source.close(),
    };
  } catch (error) {
    source.close();
    throw error;
  }
}

/** True for MCAP by its first bytes, and for what `RecordedFile` refuses with a remedy. */
function isOfRos2(path: string): boolean {
  if (/\.(db3|zstd)$/.test(path)) return true;
  try {
    const source = FileSource.open(path);
    try {
      return isMcap(source);
    } finally {
      source.close();
    }
  } catch (error) {
    // A folder.
    if (error instanceof RangeError) return true;
    throw error;
  }
}

function openMcap(path: string, topic: string | undefined): OpenRecording {
  const file = RecordedFile.open(path);
  const { cutAt } = file;
  const made = new Date().toISOString();
  // It opens its files only while it reads them.
  const close = () => undefined;
  if (file.hasTelegrams && topic === undefined) {
    const scans = () => scansOfTopic([]);
    return { made, topic, cutAt, scans, close, telegrams: () => file.recorded() };
  }
  const chosen = file.topicOf(topic).topic;
  const scans = () => scansOfTopic(file.scans(chosen));
  return { made, cutAt, topic: chosen, close, telegrams: undefined, scans };
}
