import { setU64 } from '../u64.js';

/** What a recording says about itself. Further members are kept. */
export interface RecordingFacts {
  /** When it was begun: ISO 8601, UTC. */
  readonly made: string;
  /** Where its telegrams came from, in words: `192.168.0.1, UDP port 2115`. */
  readonly source?: string;
  /** Serial number of the scanner. */
  readonly serial?: number;
  readonly [more: string]: unknown;
}

/** What a recording begins with: its name and the version of its layout, a line of its own. */
export const magic = 'AZREC 1\n';

/** Bytes that the line with the facts may have. */
export const mostFactsBytes = 65_536;

/** Bytes in front of the telegram of a record. */
export const recordHeadBytes = 12;

/**
 * A recording (`.azrec`) begins with two lines of text; records follow up to the end of the file:
 *
 * | bytes | what |
 * |---|---|
 * | 8 | `AZREC 1` and a line feed |
 * | up to 65536 | facts: a JSON object in UTF-8, on one line, and a line feed |
 *
 * @returns these two lines.
 * @throws RangeError where the facts are too long.
 */
export function recordingHeader(facts: RecordingFacts): Uint8Array {
  const lines = new TextEncoder().encode(`${magic}${JSON.stringify(facts)}\n`);
  const most = magic.length + mostFactsBytes + 1;
  if (lines.length > most) {
    throw new RangeError(`facts of ${lines.length - magic.length - 1} bytes, ${mostFactsBytes} at most`);
  }
  return lines;
}

/**
 * A record of a recording; whole numbers are little-endian:
 *
 * | offset | type | what |
 * |---|---|---|
 * | 0 | u32 | bytes of the telegram, 1 to 1048576 |
 * | 4 | u64 | when it was received: µs since 1970-01-01T00:00 UTC |
 * | 12 | | the telegram as it came |
 *
 * @param time µs since 1970; a fraction is left out.
 */
export function recordOf(time: number, telegram: Uint8Array): Uint8Array {
  const record = new Uint8Array(recordHeadBytes + telegram.length);
  const view = new DataView(record.buffer);
  view.setUint32(0, telegram.length, true);
  setU64(view, 4, time);
  record.set(telegram, recordHeadBytes);
  return record;
}
