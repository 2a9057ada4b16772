import { mostTelegramBytes } from '../telegram-size.js';
import { getU64 } from '../u64.js';
import { magic, mostFactsBytes, type RecordingFacts, recordHeadBytes } from './own-format.js';
import type { Recorded } from './recorded.js';
import { RecordingError } from './recording-error.js';

/** Does a file begin like our own recordings, of whichever version? */
export function isOwn(bytes: Uint8Array): boolean {
  return text(bytes.subarray(0, 6)) === magic.slice(0, 6);
}

/**
 * The facts of a recording of our own.
 * @throws RecordingError where they are cut off, or no JSON object.
 */
export function factsOf(bytes: Uint8Array): RecordingFacts {
  return readFacts(bytes).facts;
}

/**
 * The telegrams of a recording of our own. A last record that is cut off is left out.
 * @throws RecordingError where a record declares what none can have.
 */
export function* readOwn(bytes: Uint8Array): Generator<Recorded> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = readFacts(bytes).end; at + recordHeadBytes <= bytes.length; ) {
    const length = view.getUint32(at, true);
    if (length === 0 || length > mostTelegramBytes) {
      throw new RecordingError(
        `a telegram of 1 to ${mostTelegramBytes} bytes expected at byte ${at}, ${length} came`,
      );
    }
    const start = at + recordHeadBytes;
    at = start + length;
    if (at > bytes.length) return;
    yield { time: getU64(view, start - 8), telegram: bytes.subarray(start, at) };
  }
}

function readFacts(bytes: Uint8Array): { readonly facts: RecordingFacts; readonly end: number } {
  const beginning = text(bytes.subarray(0, magic.length));
  if (beginning !== magic) {
    throw new RecordingError(
      `${JSON.stringify(magic)} expected at byte 0, ${JSON.stringify(beginning)} came`,
    );
  }
  const length = bytes.subarray(magic.length, magic.length + mostFactsBytes + 1).indexOf(0x0a);
  if (length === -1) {
    throw new RecordingError(
      `a line of facts (up to ${mostFactsBytes} bytes) expected at byte ${magic.length}`,
    );
  }
  const end = magic.length + length;
  const facts = parsed(text(bytes.subarray(magic.length, end)));
  if (!isFacts(facts)) {
    throw new RecordingError(`a JSON object with "made" expected at byte ${magic.length}`);
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
