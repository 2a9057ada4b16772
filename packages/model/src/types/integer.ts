import { describeJson, Refusal } from '../envelope.js';
import { type IntegerFormat, integerFromText, integerToText, widths } from './integer-format.js';
import type { ValueType } from './value-type.js';

/** Range and names of an integer. Bounds are inclusive. */
interface IntegerOptions {
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  /** Default; by default 0, or the bound nearest to it. */
  readonly initial?: number | undefined;
  /**
   * Names that people may write for some of its numbers. On the wires it stays a number, and other numbers are allowed,
   * too.
   */
  readonly names?: Readonly<Record<string, number>> | undefined;
}

/** Integer of a stated width. A fraction or another JSON type gets status 2, a value outside its range status 6. */
export function integer(format: IntegerFormat, options: IntegerOptions = {}): ValueType<number> {
  const { names } = options;
  const width = widths[format];
  const minimum = options.minimum ?? width.minimum;
  const maximum = options.maximum ?? width.maximum;
  const initial = options.initial ?? Math.min(Math.max(0, minimum), maximum);

  function fromJson(json: unknown, at: string): number {
    if (typeof json !== 'number' || Number.isNaN(json))
      throw new Refusal('invalidData', at, `expected an integer, got ${describeJson(json)}`);
    // 1e400 arrives as Infinity: a number too large, not a fraction.
    if (Number.isFinite(json) && !Number.isInteger(json)) {
      throw new Refusal('invalidData', at, `expected an integer, got ${json}`);
    }
    if (json < minimum || json > maximum) {
      throw new Refusal('outOfRange', at, `expected ${minimum} to ${maximum}, got ${json}`);
    }
    return json + 0; // never -0
  }

  return {
    shape: { kind: 'integer', format, minimum, maximum, names },
    initial,
    fromJson,
    toText: (value, out) => integerToText(format, value, out),
    fromText: (input, at) => fromJson(integerFromText(format, input, at), at),
    toBinary: (value, out) => width.write(out, value),
    fromBinary: (input, at) => fromJson(width.read(input), at),
  };
}
