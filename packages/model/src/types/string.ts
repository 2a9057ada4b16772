import { describeJson, Refusal } from '../envelope.js';
import { bytesOfText, paddedBytesOfText, textOfBytes, utf8Length } from '../text.js';
import { integerFromText, integerToText } from './integer-format.js';
import type { ValueType } from './value-type.js';

interface StringOptions {
  /** Number of code points, as `maxLength`. */
  readonly minLength?: number | undefined;
  readonly maxLength: number;
  readonly initial?: string | undefined;
  /** True if it may hold line breaks and tabs, as PEM does. */
  readonly lines?: boolean | undefined;
  /**
   * True if it always has `maxLength` bytes in telegrams of the legacy protocol, filled with NUL, without a length in
   * front.
   */
  readonly padded?: true | undefined;
}

const forbidden = /[\p{Cc}\p{Cs}]/u;
const lineCharacters = /[\n\r\t]/g;

/**
 * Text, its length counted in code points. A text that is too long or too short gets status 7; another JSON type,
 * control characters and single surrogates get status 2. On the legacy wires it is UTF-8 with the number of bytes in
 * front. A text of one fixed length has no number in front, and a padded text has none either.
 */
export function string(options: StringOptions): ValueType<string> {
  const { minLength = 0, maxLength, initial = '', lines = false, padded } = options;
  const fixed = minLength === maxLength;

  function fromJson(json: unknown, at: string): string {
    if (typeof json !== 'string')
      throw new Refusal('invalidData', at, `expected a string, got ${describeJson(json)}`);
    if (forbidden.test(lines ? json.replaceAll(lineCharacters, '') : json)) {
      throw new Refusal('invalidData', at, 'control characters and lone surrogates are not allowed');
    }
    const length = codePoints(json);
    if (length < minLength || length > maxLength) {
      throw new Refusal('outOfBounds', at, `expected ${minLength} to ${maxLength} characters, got ${length}`);
    }
    return json;
  }

  /** Returns the number of the next bytes that are the text. */
  function lengthOf(peek: (offset: number) => number | undefined, count: () => number): number {
    if (padded === true) return maxLength;
    return fixed ? utf8Length(maxLength, peek) : count();
  }

  function received(length: number, bytes: () => Uint8Array, at: string): string {
    const text = length === 0 ? '' : textOfBytes(bytes(), at);
    return fromJson(padded === true ? text.replace(/\0+$/, '') : text, at);
  }

  function sent(value: string): Uint8Array {
    return padded === true ? paddedBytesOfText(value, maxLength) : bytesOfText(value);
  }

  const counted = !fixed && padded !== true;

  return {
    shape: {
      kind: 'string',
      minLength,
      maxLength,
      lines,
      ...(padded === undefined ? {} : { padded }),
    },
    initial,
    fromJson,
    toText(value, out) {
      const bytes = sent(value);
      if (counted) integerToText('uint16', bytes.length, out);
      if (bytes.length > 0) out.raw(bytes);
    },
    fromText(input, at) {
      const length = lengthOf(
        (offset) => input.peek(offset),
        () => integerFromText('uint16', input, at),
      );
      return received(length, () => input.raw(length, at), at);
    },
    toBinary(value, out) {
      const bytes = sent(value);
      if (counted) out.uint16(bytes.length);
      out.bytes(bytes);
    },
    fromBinary(input, at) {
      const length = lengthOf(
        (offset) => input.peek(offset),
        () => input.uint16(),
      );
      return received(length, () => input.bytes(length), at);
    },
  };
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
