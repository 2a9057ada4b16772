import { describeJson, type Level, levelOfNumber, levels, Refusal } from '../envelope.js';
import { TokenRefusal } from '../text.js';
import { type IntegerFormat, integerFromText, integerToText, widths } from './integer-format.js';
import type { ValueType } from './value-type.js';

/**
 * Number with a name for each value it may have. Another JSON type or a fraction gets status 2, any other number status
 * 9, whatever its size. An enumeration without a stated width is one byte on the legacy wires.
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
      throw new Refusal('invalidData', at, `expected a number of the enumeration, got ${describeJson(json)}`);
    }
    if (Number.isFinite(json) && !Number.isInteger(json)) {
      throw new Refusal('invalidData', at, `expected an integer, got ${json}`);
    }
    const number = json + 0; // never -0
    if (!isValue(number))
      throw new Refusal('illegalValue', at, `expected one of ${describeValues(names)}, got ${json}`);
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

function describeValues(names: readonly (readonly [string, number])[]): string {
  const shown = names.slice(0, 12).map(([name, value]) => `${value} ${name}`);
  if (names.length > shown.length) shown.push(`… (${names.length} values)`);
  return shown.join(', ');
}

/** Boolean; `1` and `0` as text, one byte in binary. */
export function boolean(initial = false): ValueType<boolean> {
  function fromNumber(number: number, at: string): boolean {
    if (number !== 0 && number !== 1) throw new Refusal('invalidData', at, `expected 0 or 1, got ${number}`);
    return number === 1;
  }

  return {
    shape: { kind: 'boolean' },
    initial,
    fromJson(json, at) {
      if (typeof json !== 'boolean') {
        throw new Refusal('invalidData', at, `expected true or false, got ${describeJson(json)}`);
      }
      return json;
    },
    toText: (value, out) => out.token(value ? '1' : '0'),
    fromText(input, at) {
      const token = input.token(at);
      if (!/^[+-]?[0-9a-f]+$/i.test(token)) throw new TokenRefusal('character', at, 'expected 0 or 1');
      if (!/^\+?0*[01]$/.test(token)) throw new Refusal('invalidData', at, 'expected 0 or 1');
      return fromNumber(Number(token), at);
    },
    toBinary: (value, out) => out.uint8(value ? 1 : 0),
    fromBinary: (input, at) => fromNumber(input.uint8(), at),
  };
}

/**
 * Name of a user level; on the legacy wires its number in one byte. Only the JSON type is checked here (status 2). The
 * status for an unknown name differs from method to method in the specification, so each method checks the name.
 */
export function levelName(): ValueType<string> {
  function nameOf(number: number, at: string): string {
    const name = levelOfNumber(number);
    if (name === undefined)
      throw new Refusal('illegalValue', at, `expected the number of a user level, got ${number}`);
    return name;
  }

  return {
    shape: { kind: 'levelName' },
    initial: 'Run' satisfies Level,
    fromJson(json, at) {
      if (typeof json !== 'string') {
        throw new Refusal('invalidData', at, `expected the name of a user level, got ${describeJson(json)}`);
      }
      return json;
    },
    toText: (value, out) => out.token(numberOf(value).toString()),
    fromText: (input, at) => nameOf(integerFromText('uint8', input, at), at),
    toBinary: (value, out) => out.uint8(numberOf(value)),
    fromBinary: (input, at) => nameOf(input.uint8(), at),
  };
}

function numberOf(name: string): number {
  for (const [level, number] of Object.entries(levels)) {
    if (level === name) return number;
  }
  throw new TypeError(`no user level is named ${name}`);
}
