import { describeJson, Fault } from '../envelope.js';
import { bytesOfText, textOfBytes, utf8Length } from '../text.js';
import { integerFromText, integerToText } from './integer-format.js';
import type { ValueType } from './value-type.js';

interface StringOptions {
  /** In code points, as `maxLength`. */
  readonly minLength?: number;
  readonly maxLength: number;
  readonly initial?: string;
  /** May it hold line breaks and tabs, as PEM does? */
  readonly lines?: boolean;
}

const forbidden = /[\p{Cc}\p{Cs}]/u;
const lineCharacters = /[\n\r\t]/g;

/**
 * A text, its length counted in code points: too long or too short is fault 7; another JSON type, control
 * characters and lone surrogates are fault 2. On the legacy wires it is UTF-8 with the number of bytes in front; a
 * text of one fixed length has none.
 */
export function string(options: StringOptions): ValueType<string> {
  const { minLength = 0, maxLength, initial = '', lines = false } = options;
  const fixed = minLength === maxLength;

  function fromJson(json: unknown, at: string): string {
    if (typeof json !== 'string')
      throw new Fault('invalidData', at, `expected a string, got ${describeJson(json)}`);
    if (forbidden.test(lines ? json.replaceAll(lineCharacters, '') : json)) {
      throw new Fault('invalidData', at, 'control characters and lone surrogates are not allowed');
    }
    const length = codePoints(json);
    if (length < minLength || length > maxLength) {
      throw new Fault('outOfBounds', at, `expected ${minLength} to ${maxLength} characters, got ${length}`);
    }
    return json;
  }

  return {
    shape: { kind: 'string', minLength, maxLength, lines },
    initial,
    fromJson,
    toText(value, out) {
      const bytes = bytesOfText(value);
      if (!fixed) integerToText('uint16', bytes.length, out);
      if (bytes.length > 0) out.raw(bytes);
    },
    fromText(input, at) {
      const length = fixed
        ? utf8Length(maxLength, (offset) => input.peek(offset))
        : integerFromText('uint16', input, at);
      return fromJson(length === 0 ? '' : textOfBytes(input.raw(length, at), at), at);
    },
    toBinary(value, out) {
      const bytes = bytesOfText(value);
      if (!fixed) out.uint16(bytes.length);
      out.bytes(bytes);
    },
    fromBinary(input, at) {
      const length = fixed ? utf8Length(maxLength, (offset) => input.peek(offset)) : input.uint16();
      return fromJson(textOfBytes(input.bytes(length), at), at);
    },
  };
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
