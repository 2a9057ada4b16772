import { describeJson, Fault } from '../envelope.js';
import { integer } from './integer.js';
import { integerFromText, integerToText } from './integer-format.js';
import type { ValueType } from './value-type.js';

interface ArrayOptions<T> {
  readonly minItems?: number;
  readonly maxItems: number;
  /** `minItems` times the default of an item by default. */
  readonly initial?: readonly T[];
}

/**
 * Items of one type: too many or too few are fault 7, another JSON type fault 2. On the legacy wires a flexible
 * array has its number of items in front (uint16), one of a fixed length has not.
 */
export function array<T>(of: ValueType<T>, options: ArrayOptions<T>): ValueType<readonly T[]> {
  const { minItems = 0, maxItems } = options;
  const fixed = minItems === maxItems;
  const initial = options.initial ?? Array.from({ length: minItems }, () => of.initial);

  function inBounds(count: number, at: string): number {
    if (count >= minItems && count <= maxItems) return count;
    const expected = fixed ? `${maxItems}` : `${minItems} to ${maxItems}`;
    throw new Fault('outOfBounds', at, `expected ${expected} items, got ${count}`);
  }

  return {
    shape: { kind: 'array', of: of.shape, minItems, maxItems },
    initial,
    fromJson(json, at) {
      if (!Array.isArray(json))
        throw new Fault('invalidData', at, `expected an array, got ${describeJson(json)}`);
      inBounds(json.length, at);
      return json.map((item: unknown, index) => of.fromJson(item, `${at}[${index}]`));
    },
    toText(value, out) {
      if (!fixed) integerToText('uint16', value.length, out);
      for (const item of value) of.toText(item, out);
    },
    fromText(input, at) {
      const length = fixed ? maxItems : inBounds(integerFromText('uint16', input, at), at);
      return Array.from({ length }, (_, index) => of.fromText(input, `${at}[${index}]`));
    },
    toBinary(value, out) {
      if (!fixed) out.uint16(value.length);
      for (const item of value) of.toBinary(item, out);
    },
    fromBinary(input, at) {
      const length = fixed ? maxItems : inBounds(input.uint16(), at);
      return Array.from({ length }, (_, index) => of.fromBinary(input, `${at}[${index}]`));
    },
  };
}

type Bytes = readonly number[];

/** An IPv4 address: exactly four uint8, without a count on the legacy wires. */
export function ipv4(initial: readonly [number, number, number, number]): ValueType<Bytes> {
  return {
    ...array(integer('uint8'), { minItems: 4, maxItems: 4, initial }),
    shape: { kind: 'address', of: 'IPv4', length: 4 },
  };
}

/** A MAC address: exactly six uint8, without a count on the legacy wires. */
export function mac(initial: readonly [number, number, number, number, number, number]): ValueType<Bytes> {
  return {
    ...array(integer('uint8'), { minItems: 6, maxItems: 6, initial }),
    shape: { kind: 'address', of: 'MAC', length: 6 },
  };
}
