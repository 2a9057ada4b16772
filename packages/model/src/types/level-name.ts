import { Fault, spoken } from '../fault.js';
import { type Level, levelOfNumber, levels } from '../level.js';
import { integerFromText } from './integer-format.js';
import type { ValueType } from './value-type.js';

/**
 * The name of a user level; on the legacy wires its number in one byte. Only the JSON type is checked here (fault
 * 2): the specification gives an unknown name another status in each method that takes one, so the method decides.
 */
export function levelName(): ValueType<string> {
  function nameOf(number: number, at: string): string {
    const name = levelOfNumber(number);
    if (name === undefined) throw new Fault('illegalValue', at, `${number} is the number of no user level`);
    return name;
  }

  return {
    shape: { kind: 'levelName' },
    initial: 'Run' satisfies Level,
    fromJson(json, at) {
      if (typeof json !== 'string') {
        throw new Fault('invalidData', at, `the name of a user level expected, ${spoken(json)} came`);
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
