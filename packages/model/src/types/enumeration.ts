import { Fault, spoken } from '../fault.js';
import { type IntegerFormat, integerFromText, integerToText, widths } from './integer-format.js';
import type { ValueType } from './value-type.js';

/**
 * A number with a name for each value it may have: another JSON type or a fraction is fault 2, any other number
 * fault 9, whatever its size. An enumeration without a stated width is one byte on the legacy wires.
 */
export function enumeration<const V extends Readonly<Record<string, number>>>(
  values: V,
  initial: V[keyof V],
  format: IntegerFormat = 'uint8',
): ValueType<V[keyof V]> {
  const names = Object.entries(values);

  function isValue(number: number): number is V[keyof V] {
    return names.some(([, value]) => value === number);
  }

  function fromJson(json: unknown, at: string): V[keyof V] {
    if (typeof json !== 'number') {
      throw new Fault('invalidData', at, `a number of the enumeration expected, ${spoken(json)} came`);
    }
    if (Number.isFinite(json) && !Number.isInteger(json)) {
      throw new Fault('invalidData', at, `an integer expected, ${json} came`);
    }
    const number = json + 0; // never -0
    if (!isValue(number)) throw new Fault('illegalValue', at, `${json} is none of ${spokenValues(names)}`);
    return number;
  }

  return {
    shape: { kind: 'enumeration', format, values },
    initial,
    fromJson,
    toText: (value, out) => integerToText(format, value, out),
    fromText: (input, at) => fromJson(integerFromText(format, input, at), at),
    toBinary: (value, out) => widths[format].write(out, value),
    fromBinary: (input, at) => fromJson(widths[format].read(input), at),
  };
}

function spokenValues(names: readonly (readonly [string, number])[]): string {
  const shown = names.slice(0, 12).map(([name, value]) => `${value} ${name}`);
  if (names.length > shown.length) shown.push(`… (${names.length} values)`);
  return shown.join(', ');
}
