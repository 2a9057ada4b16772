import { describe, expect, test } from 'vitest';
import {
  array,
  boolean,
  dateTime,
  enumeration,
  float,
  integer,
  ipv4,
  levelName,
  mac,
  string,
  struct,
} from '../src/index.js';
import { jsonFault } from './coding.js';

describe('a boolean', () => {
  test('takes true and false', () => {
    expect(boolean().fromJson(true, 'X')).toBe(true);
    expect(boolean().fromJson(false, 'X')).toBe(false);
  });

  test.each([[0], [1], ['true'], [null], [[]], [{}]])('refuses %j as a wrong type', (json) => {
    expect(jsonFault(boolean(), json)).toBe('2 X');
  });
});

describe('an integer', () => {
  const ranged = integer('uint16', { minimum: 1, maximum: 1000 });

  test('takes both ends of its range', () => {
    expect(ranged.fromJson(1, 'X')).toBe(1);
    expect(ranged.fromJson(1000, 'X')).toBe(1000);
  });

  test.each([[0], [1001], [-1], [70_000], [1e300]])('refuses %d as out of range', (json) => {
    expect(jsonFault(ranged, json)).toBe('6 X');
  });

  test('refuses a number too large for JSON as out of range', () => {
    expect(jsonFault(ranged, JSON.parse('1e400'))).toBe('6 X');
  });

  test.each([[1.5], ['1'], [true], [null], [[1]], [{}]])('refuses %j as a wrong type', (json) => {
    expect(jsonFault(ranged, json)).toBe('2 X');
  });

  test('takes a whole number written with a point or an exponent', () => {
    expect(ranged.fromJson(JSON.parse('1.0e2'), 'X')).toBe(100);
  });

  test('turns negative zero into zero', () => {
    expect(Object.is(integer('int8').fromJson(-0, 'X'), 0)).toBe(true);
  });

  test.each([
    ['int8', -128, 127],
    ['int16', -32_768, 32_767],
    ['int32', -2_147_483_648, 2_147_483_647],
    ['uint8', 0, 255],
    ['uint16', 0, 65_535],
    ['uint32', 0, 4_294_967_295],
    ['uint64', 0, 9_007_199_254_740_991],
  ] as const)('of %s reaches from %d to %d', (format, minimum, maximum) => {
    const type = integer(format);
    expect(type.fromJson(minimum, 'X')).toBe(minimum);
    expect(type.fromJson(maximum, 'X')).toBe(maximum);
    expect(jsonFault(type, minimum - 1)).toBe('6 X');
    expect(jsonFault(type, maximum + 1)).toBe('6 X');
  });

  test('starts at 0, or at the bound nearest to it, unless a default is stated', () => {
    expect(integer('int8').initial).toBe(0);
    expect(integer('uint8', { minimum: 3 }).initial).toBe(3);
    expect(integer('int8', { maximum: -4 }).initial).toBe(-4);
    expect(integer('uint8', { initial: 9 }).initial).toBe(9);
  });
});

describe('an enumeration', () => {
  const role = enumeration({ TX_NONE: 0, TX_CLIENT: 1, TX_PTP_SLAVE: 3 }, 0);

  test('takes its numbers', () => {
    expect(role.fromJson(3, 'X')).toBe(3);
  });

  test.each([[2], [4], [-1], [256], [1e300]])('refuses %d, which is not one of its values', (json) => {
    expect(jsonFault(role, json)).toBe('9 X');
  });

  test.each([['TX_CLIENT'], [1.5], [true], [null], [[1]]])('refuses %j as a wrong type', (json) => {
    expect(jsonFault(role, json)).toBe('2 X');
  });
});

describe('a float', () => {
  test('keeps the nearest 32-bit number and speaks it as its shortest decimal', () => {
    expect(float().fromJson(0.1, 'X')).toBe(0.1);
    expect(float().fromJson(1 / 3, 'X')).toBe(0.33333334);
    expect(float().fromJson(16_777_217, 'X')).toBe(16_777_216);
  });

  test.each([[0.001], [0.1], [-359.99], [1.0e-45], [3.4028235e38], [123_456_789]])(
    'reads back what it has spoken for %d',
    (json) => {
      const once = float().fromJson(json, 'X');
      expect(float().fromJson(once, 'X')).toBe(once);
      expect(Math.fround(once)).toBe(Math.fround(json));
    },
  );

  test('refuses what is outside its range, or too large for 32 bits, as out of range', () => {
    expect(jsonFault(float({ minimum: -360, maximum: 360 }), 360.5)).toBe('6 X');
    expect(jsonFault(float({ minimum: -360, maximum: 360 }), -361)).toBe('6 X');
    expect(jsonFault(float(), 1e39)).toBe('6 X');
    expect(jsonFault(float(), JSON.parse('-1e400'))).toBe('6 X');
  });

  test.each([['1'], [true], [null], [[1]]])('refuses %j as a wrong type', (json) => {
    expect(jsonFault(float(), json)).toBe('2 X');
  });
});

describe('a string', () => {
  const name = string({ maxLength: 4 });

  test('counts code points, not UTF-16 units', () => {
    expect(name.fromJson('𝔸𝔹ℂ𝔻', 'X')).toBe('𝔸𝔹ℂ𝔻');
    expect(jsonFault(name, 'ABCDE')).toBe('7 X');
  });

  test('of a stated length is refused when shorter or longer', () => {
    const code = string({ minLength: 4, maxLength: 4 });
    expect(code.fromJson('DRDY', 'X')).toBe('DRDY');
    expect(jsonFault(code, 'DRD')).toBe('7 X');
    expect(jsonFault(code, 'DRDYY')).toBe('7 X');
  });

  test.each([['a\n'], ['\u0000'], ['\u007f'], ['\u0085'], ['\ud800']])(
    'refuses the character in %j',
    (json) => {
      expect(jsonFault(name, json)).toBe('2 X');
    },
  );

  test('finds a forbidden character before a length', () => {
    expect(jsonFault(name, 'too long\n')).toBe('2 X');
  });

  test('of several lines takes line breaks and tabs, but no other control character', () => {
    const pem = string({ maxLength: 10, lines: true });
    expect(pem.fromJson('a\r\n\tb', 'X')).toBe('a\r\n\tb');
    expect(jsonFault(pem, 'a\u0001b')).toBe('2 X');
  });

  test.each([[1], [true], [null], [['a']], [{}]])('refuses %j as a wrong type', (json) => {
    expect(jsonFault(name, json)).toBe('2 X');
  });
});

describe('an array', () => {
  const list = array(integer('uint8'), { minItems: 1, maxItems: 3 });

  test('takes as many items as it may hold', () => {
    expect(list.fromJson([1], 'X')).toEqual([1]);
    expect(list.fromJson([1, 2, 3], 'X')).toEqual([1, 2, 3]);
  });

  test('refuses too few and too many items as out of bounds', () => {
    expect(jsonFault(list, [])).toBe('7 X');
    expect(jsonFault(list, [1, 2, 3, 4])).toBe('7 X');
  });

  test('reports which item is wrong', () => {
    expect(jsonFault(list, [1, 256])).toBe('6 X[1]');
    expect(jsonFault(list, [1, 2, 'a'])).toBe('2 X[2]');
  });

  test.each([[1], ['1'], [null], [{}]])('refuses %j as a wrong type', (json) => {
    expect(jsonFault(list, json)).toBe('2 X');
  });

  test('starts with as many defaults of its items as it needs, unless a default is stated', () => {
    expect(array(boolean(true), { minItems: 2, maxItems: 2 }).initial).toEqual([true, true]);
    expect(array(boolean(true), { maxItems: 2 }).initial).toEqual([]);
    expect(array(boolean(), { maxItems: 2, initial: [true] }).initial).toEqual([true]);
  });
});

describe('an address', () => {
  test('has exactly four numbers for IPv4, and six for MAC', () => {
    const ip = ipv4([192, 168, 0, 1]);
    expect(ip.fromJson([10, 0, 0, 255], 'X')).toEqual([10, 0, 0, 255]);
    expect(jsonFault(ip, [10, 0, 0])).toBe('7 X');
    expect(jsonFault(ip, [10, 0, 300, 1])).toBe('6 X[2]');
    expect(jsonFault(ip, '10.0.0.1')).toBe('2 X');
    expect(mac([0, 6, 119, 0, 0, 0]).fromJson([0, 6, 119, 1, 2, 3], 'X')).toEqual([0, 6, 119, 1, 2, 3]);
    expect(jsonFault(mac([0, 6, 119, 0, 0, 0]), [0, 6, 119, 1])).toBe('7 X');
  });
});

describe('a struct', () => {
  const filter = struct({
    bEnable: boolean(),
    range: struct({ low: integer('uint8'), high: integer('uint8', { initial: 9 }) }),
  });

  test('takes its members in any order', () => {
    expect(filter.fromJson({ range: { high: 2, low: 1 }, bEnable: true }, 'X')).toEqual({
      bEnable: true,
      range: { low: 1, high: 2 },
    });
  });

  test('tells a missing member from a member of a wrong type', () => {
    expect(jsonFault(filter, { bEnable: true })).toBe('1 X.range');
    expect(jsonFault(filter, { bEnable: true, range: { low: 1 } })).toBe('1 X.range.high');
    expect(jsonFault(filter, { bEnable: 1, range: { low: 1, high: 2 } })).toBe('2 X.bEnable');
    expect(jsonFault(filter, { bEnable: null, range: { low: 1, high: 2 } })).toBe('2 X.bEnable');
    expect(jsonFault(filter, { bEnable: true, range: { low: 1, high: 300 } })).toBe('6 X.range.high');
  });

  test('finds a missing member before an unknown one, and refuses an unknown one', () => {
    expect(jsonFault(filter, { bEnable: true, Range: {} })).toBe('1 X.range');
    expect(jsonFault(filter, { bEnable: true, range: { low: 1, high: 2 }, extra: 1 })).toBe('2 X');
  });

  test('does not accept inherited names as members', () => {
    const hostile: unknown = JSON.parse('{"bEnable":true,"range":{"low":1,"high":2},"__proto__":{}}');
    expect(jsonFault(filter, hostile)).toBe('2 X');
    expect(jsonFault(struct({ toString: boolean() }), {})).toBe('1 X.toString');
  });

  test.each([[1], ['a'], [null], [[]]])('refuses %j as a wrong type', (json) => {
    expect(jsonFault(filter, json)).toBe('2 X');
  });

  test('puts the default in the place of an optional member that is left out', () => {
    const request = struct({ a: integer('uint8', { initial: 7 }), b: boolean() }, { optional: ['a'] });
    expect(request.fromJson({ b: true }, '')).toEqual({ a: 7, b: true });
    expect(jsonFault(request, { a: 1 })).toBe('1 X.b');
  });

  test('starts with the defaults of its members, or with its own', () => {
    expect(filter.initial).toEqual({ bEnable: false, range: { low: 0, high: 9 } });
    expect(struct({ a: boolean(), b: boolean() }, { initial: { b: true } }).initial).toEqual({
      a: false,
      b: true,
    });
  });

  test('names a place from the member on where nothing stands above it', () => {
    expect(() => filter.fromJson({ bEnable: true, range: { low: 1, high: 300 } }, '')).toThrow(
      'range.high: expected 0 to 255, got 300',
    );
  });
});

describe('the name of a user level', () => {
  test('is checked for its JSON type only: what an unknown name means is for the method to say', () => {
    expect(levelName().fromJson('Nobody', 'X')).toBe('Nobody');
    expect(jsonFault(levelName(), 4)).toBe('2 X');
    expect(jsonFault(levelName(), null)).toBe('2 X');
  });
});

describe('a date and time', () => {
  const noon = {
    uiYear: 2024,
    usiMonth: 2,
    usiDay: 29,
    usiHour: 12,
    usiMinute: 0,
    usiSec: 59,
    udiUSec: 999_999,
  };

  test('takes a time to the microsecond, and refuses what no calendar and no clock has', () => {
    expect(dateTime().fromJson(noon, 'X')).toEqual(noon);
    expect(jsonFault(dateTime(), { ...noon, usiMonth: 13 })).toBe('6 X.usiMonth');
    expect(jsonFault(dateTime(), { ...noon, usiHour: 24 })).toBe('6 X.usiHour');
    expect(jsonFault(dateTime(), { ...noon, udiUSec: 1_000_000 })).toBe('6 X.udiUSec');
  });
});

describe('a value', () => {
  test('is built anew out of what came, so that nobody else can change it', () => {
    const type = struct({ list: array(integer('uint8'), { maxItems: 3 }) });
    const json = { list: [1, 2] };
    const value = type.fromJson(json, 'X');
    json.list.push(300);
    expect(value).toEqual({ list: [1, 2] });
  });
});

describe('a fault', () => {
  test('reports only the length of a text, which may be a secret', () => {
    expect(() => integer('uint8').fromJson('hunter2', 'X')).toThrow(
      'X: expected an integer, got a string of 7',
    );
  });

  test('cuts short the name of an unknown member', () => {
    const long = 'n'.repeat(100);
    expect(() => struct({}).fromJson({ [long]: 1 }, 'X')).toThrow(`unknown member ${'n'.repeat(40)}…`);
  });
});
