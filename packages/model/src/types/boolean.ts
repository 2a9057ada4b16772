import { Fault, spoken } from '../fault.js';
import { TokenFault } from '../text.js';
import type { ValueType } from './value-type.js';

/** true or false; `1` and `0` as text, one byte in binary. */
export function boolean(initial = false): ValueType<boolean> {
  function fromNumber(number: number, at: string): boolean {
    if (number !== 0 && number !== 1) throw new Fault('invalidData', at, `0 or 1 expected, ${number} came`);
    return number === 1;
  }

  return {
    shape: { kind: 'boolean' },
    initial,
    fromJson(json, at) {
      if (typeof json !== 'boolean') {
        throw new Fault('invalidData', at, `true or false expected, ${spoken(json)} came`);
      }
      return json;
    },
    toText: (value, out) => out.token(value ? '1' : '0'),
    fromText(input, at) {
      const token = input.token(at);
      if (!/^[+-]?[0-9a-f]+$/i.test(token)) throw new TokenFault('character', at, '0 or 1 expected');
      if (!/^\+?0*[01]$/.test(token)) throw new Fault('invalidData', at, '0 or 1 expected');
      return fromNumber(Number(token), at);
    },
    toBinary: (value, out) => out.uint8(value ? 1 : 0),
    fromBinary: (input, at) => fromNumber(input.uint8(), at),
  };
}
