import { array } from './array.js';
import { integer } from './integer.js';
import type { ValueType } from './value-type.js';

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
