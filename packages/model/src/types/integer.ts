import { describeJson, Refusal } from '../envelope.js';
import { type IntegerFormat, integerFromText, integerToText, widths } from './integer-format.js';
import type { ValueType } from './value-type.js';

/** What narrows an integer below its width. Bounds are inclusive. */
interface IntegerOptions {
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  /** 0 by default, or the bound nearest to it. */
  readonly initial?: number | undefined;
  /** Names that people may write for some of its numbers. On the wires it stays a number, and others are allowed, too. */
  readonly names?: Readonly<Record<string, number>> | undefined;
}

/** An integer of a stated width: a fraction or another JSON type is fault 2, a value outside its range fault 6. */
export function integer(format: IntegerFormat, options: IntegerOptions = {}): ValueType<number> {
  const { names } = options;
  const width = widths[format];
  const minimum = options.minimum ?? width.minimum;
  const maximum = options.maximum ?? width.maximum;
  const initial = options.initial ?? Math.min(Math.max(0, minimum), maximum);

  function fromJson(json: unknown, at: string): number {
    if (typeof json !== 'number')
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
