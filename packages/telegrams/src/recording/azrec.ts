import { getU64, setU64 } from '../telegram-header.js';
import { mostTelegramBytes } from '../telegram-splitter.js';
import { type ByteSource, viewOf } from './byte-source.js';
import { type Recorded, RecordingError } from './recorded.js';

/** The facts in the header of a recording. Further members are preserved. */
export interface RecordingFacts {
  /** Begin of the recording: ISO 8601, UTC. */
  readonly made: string;
  /** Source of its telegrams, in words: `192.168.0.1, UDP port 2115`. */
  readonly source?: string;
  /** Serial number of the scanner. */
  readonly serial?: number;
  readonly [more: string]: unknown;
}

/** The beginning of a recording: its name and the version of its layout, a line of its own. */
const magic = 'AZREC 1\n';

/** Largest line of facts in bytes. */
const mostFactsBytes = 65_536;

/** Bytes in front of the telegram of a record. */
const recordHeadBytes = 12;

/**
 * A recording (`.azrec`) begins with two lines of text; records follow up to the end of the file:
 *
 * | bytes | what |
 * |---|---|
 * | 8 | `AZREC 1` and a line feed |
 * | up to 65536 | facts: a JSON object in UTF-8, on one line, and a line feed |
 *
 * @returns these two lines.
 * @throws RangeError if the facts are too long.
 */
export function recordingHeader(facts: RecordingFacts): Uint8Array {
  const lines = new TextEncoder().encode(`${magic}${JSON.stringify(facts)}\n`);
  const most = magic.length + mostFactsBytes + 1;
  if (lines.length > most) {
    throw new RangeError(
      `expected facts of at most ${mostFactsBytes} bytes, got ${lines.length - magic.length - 1}`,
    );
  }
  return lines;
}

/**
 * A record of a recording; whole numbers are little-endian:
 *
 * | offset | type | what |
 * |---|---|---|
 * | 0 | u32 | bytes of the telegram, 1 to 1048576 |
 * | 4 | u64 | time of reception: µs since 1970-01-01T00:00 UTC |
 * | 12 | | the received telegram |
 *
 * @param time µs since 1970; a fraction is cut off.
 */
export function recordOf(time: number, telegram: Uint8Array): Uint8Array {
  const record = new Uint8Array(recordHeadBytes + telegram.length);
  const view = new DataView(record.buffer);
  view.setUint32(0, telegram.length, true);
  setU64(view, 4, time);
  record.set(telegram, recordHeadBytes);
  return record;
}

/** True if a file begins like an Azimuth recording, of any version. */
export function isOwn(source: ByteSource): boolean {
  return text(source.part(0, 6)) === magic.slice(0, 6);
}

/**
 * Reads the facts of an Azimuth recording.
 * @throws RecordingError if they are cut off, or not a JSON object.
 */
export function factsOf(source: ByteSource): RecordingFacts {
  return readFacts(source).facts;
}

/**
 * Reads the telegrams of an Azimuth recording. If the last record is cut off, it is ignored.
 * @throws RecordingError if a record declares an impossible length.
 */
export function* readOwn(source: ByteSource): Generator<Recorded> {
  for (let at = readFacts(source).end; at + recordHeadBytes <= source.length; ) {
    const head = viewOf(source, at, recordHeadBytes);
    const length = head.getUint32(0, true);
    if (length === 0 || length > mostTelegramBytes) {
      throw new RecordingError(
        `byte ${at}: expected a telegram length of 1 to ${mostTelegramBytes}, got ${length}`,
      );
    }
    const start = at + recordHeadBytes;
    at = start + length;
    if (at > source.length) return;
    yield { time: getU64(head, 4), telegram: source.part(start, at) };
  }
}

function readFacts(source: ByteSource): { readonly facts: RecordingFacts; readonly end: number } {
  const bytes = source.part(0, magic.length + mostFactsBytes + 1);
  const beginning = text(bytes.subarray(0, magic.length));
  if (beginning !== magic) {
    throw new RecordingError(`expected ${JSON.stringify(magic)} at byte 0, got ${JSON.stringify(beginning)}`);
  }
  const length = bytes.subarray(magic.length).indexOf(0x0a);
  if (length === -1) {
    throw new RecordingError(
      `expected a line of facts (up to ${mostFactsBytes} bytes) at byte ${magic.length}`,
    );
  }
  const end = magic.length + length;
  const facts = parsed(text(bytes.subarray(magic.length, end)));
  if (!isFacts(facts)) {
    throw new RecordingError(`expected a JSON object with "made" at byte ${magic.length}`);
  }
  return { facts, end: end + 1 };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function isFacts(value: unknown): value is RecordingFacts {
  if (typeof value !== 'object' || value === null) return false;
  const { made, source, serial } = { made: undefined, source: undefined, serial: undefined, ...value };
  return (
    typeof made === 'string' &&
    (source === undefined || typeof source === 'string') &&
    (serial === undefined || typeof serial === 'number')
  );
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
