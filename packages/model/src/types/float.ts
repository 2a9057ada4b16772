import { describeJson, Refusal } from '../envelope.js';
import { TokenRefusal } from '../text.js';
import type { ValueType } from './value-type.js';

/** Greatest 32-bit float in its shortest decimal, as every value is written, so that it passes its own range. */
const largest = 3.4028235e38;

/** Range of a float without bounds of its own. */
export const floatRange = { minimum: -largest, maximum: largest } as const;

interface FloatOptions {
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly initial?: number | undefined;
}

/**
 * Floating-point number of 32 bits. The nearest 32-bit number is stored, and written as its shortest decimal: 0.1 reads
 * 0.1 over every wire, and one third 0.33333334. A value outside its range gets status 6, another JSON type status 2.
 */
export function float(options: FloatOptions = {}): ValueType<number> {
  const minimum = options.minimum ?? floatRange.minimum;
  const maximum = options.maximum ?? floatRange.maximum;

  function fromJson(json: unknown, at: string): number {
    if (typeof json !== 'number' || Number.isNaN(json)) {
      throw new Refusal('invalidData', at, `expected a number, got ${describeJson(json)}`);
    }
    if (json < minimum || json > maximum) {
      throw new Refusal('outOfRange', at, `expected ${minimum} to ${maximum}, got ${json}`);
    }
    return shortestFloat32(json);
  }

  return {
    shape: { kind: 'float', minimum, maximum },
    initial: options.initial ?? Math.min(Math.max(0, minimum), maximum),
    fromJson,
    toText(value, out) {
      const word = new DataView(new ArrayBuffer(4));
      word.setFloat32(0, value);
      out.token(word.getUint32(0).toString(16).toUpperCase().padStart(8, '0'));
    },
    fromText: (input, at) => fromJson(floatOfToken(input.token(at), at), at),
    toBinary: (value, out) => out.float32(value),
    fromBinary: (input, at) => fromJson(finite(input.float32(), at), at),
  };
}

/** Returns the shortest decimal of the 32-bit number that is nearest to `value`; 0 for -0. */
export function shortestFloat32(value: number): number {
  const nearest = Math.fround(value);
  if (nearest === value && Number.isInteger(value)) return value + 0;
  for (let digits = 6; digits < 9; digits++) {
    const shorter = Number(nearest.toPrecision(digits));
    if (Math.fround(shorter) === nearest) return shorter + 0;
  }
  return Number(nearest.toPrecision(9)) + 0;
}

/** Reads eight hex digits of the IEEE 754 word, or a decimal with a sign or a point. */
function floatOfToken(token: string, at: string): number {
  if (/^[0-9a-f]{8}$/i.test(token)) {
    const word = new DataView(new ArrayBuffer(4));
    word.setUint32(0, Number.parseInt(token, 16));
    return finite(word.getFloat32(0), at);
  }
  if (/^([+-]\d{1,40}(\.\d{1,40})?|\d{1,40}\.\d{1,40})$/.test(token)) return Number(token);
  throw new TokenRefusal(
    'character',
    at,
    'expected eight hex digits of a 32-bit float, or a decimal with sign or point',
  );
}

function finite(value: number, at: string): number {
  if (Number.isFinite(value)) return value;
  throw new Refusal('outOfRange', at, `expected a finite number, got ${value}`);
}
