import { describeJson, Refusal } from '../envelope.js';
import { integer } from './integer.js';
import { integerFromText, integerToText } from './integer-format.js';
import type { ListForm, ValueType } from './value-type.js';

interface ArrayOptions<T> {
  readonly minItems?: number | undefined;
  readonly maxItems: number;
  /** Default of the array; by default, `minItems` times the default of an item. */
  readonly initial?: readonly T[] | undefined;
  /** Form of the list in telegrams of the legacy protocol, if it does not follow from the numbers of items. */
  readonly inTelegrams?: ListForm | undefined;
}

/**
 * Items of one type. Too many or too few get status 7, another JSON type status 2. On the legacy wires, a list of 0 to
 * n items has its number of items in front (uint16). A list of exactly n items has no count.
 */
export function array<T>(of: ValueType<T>, options: ArrayOptions<T>): ValueType<readonly T[]> {
  const { minItems = 0, maxItems, inTelegrams } = options;
  const fixed = minItems === maxItems;
  const counted = inTelegrams === 'none' || (inTelegrams === undefined && !fixed);
  const initial = options.initial ?? Array.from({ length: minItems }, () => of.initial);

  function inBounds(count: number, at: string): number {
    if (count >= minItems && count <= maxItems) return count;
    const expected = fixed ? `${maxItems}` : `${minItems} to ${maxItems}`;
    throw new Refusal('outOfBounds', at, `expected ${expected} items, got ${count}`);
  }

  function sent(value: readonly T[]): readonly T[] {
    if (inTelegrams === 'none') return [];
    if (inTelegrams !== 'all' || value.length === maxItems) return value;
    return Array.from({ length: maxItems }, (_, index) => value[index] ?? of.initial);
  }

  /** Reads the items of a telegram, one after the other. */
  function received(input: Received, next: (at: string) => T, count: () => number, at: string): T[] {
    const length = counted ? inBounds(count(), at) : maxItems;
    const items: T[] = [];
    while (items.length < length) {
      if (inTelegrams === 'leading' && items.length >= minItems && input.atEnd) break;
      items.push(next(`${at}[${items.length}]`));
    }
    return items;
  }

  return {
    shape: {
      kind: 'array',
      of: of.shape,
      minItems,
      maxItems,
      ...(inTelegrams === undefined ? {} : { inTelegrams }),
    },
    initial,
    fromJson(json, at) {
      if (!Array.isArray(json))
        throw new Refusal('invalidData', at, `expected an array, got ${describeJson(json)}`);
      inBounds(json.length, at);
      return json.map((item: unknown, index) => of.fromJson(item, `${at}[${index}]`));
    },
    toText(value, out) {
      const items = sent(value);
      if (counted) integerToText('uint16', items.length, out);
      for (const item of items) of.toText(item, out);
    },
    fromText: (input, at) =>
      received(
        input,
        (place) => of.fromText(input, place),
        () => integerFromText('uint16', input, at),
        at,
      ),
    toBinary(value, out) {
      const items = sent(value);
      if (counted) out.uint16(items.length);
      for (const item of items) of.toBinary(item, out);
    },
    fromBinary: (input, at) =>
      received(
        input,
        (place) => of.fromBinary(input, place),
        () => input.uint16(),
        at,
      ),
  };
}

interface Received {
  readonly atEnd: boolean;
}

type Bytes = readonly number[];

/** IPv4 address: exactly four uint8, without a count on the legacy wires. */
export function ipv4(initial: readonly [number, number, number, number]): ValueType<Bytes> {
  return {
    ...array(integer('uint8'), { minItems: 4, maxItems: 4, initial }),
    shape: { kind: 'address', of: 'IPv4', length: 4 },
  };
}

/** MAC address: exactly six uint8, without a count on the legacy wires. */
export function mac(initial: readonly [number, number, number, number, number, number]): ValueType<Bytes> {
  return {
    ...array(integer('uint8'), { minItems: 6, maxItems: 6, initial }),
    shape: { kind: 'address', of: 'MAC', length: 6 },
  };
}
