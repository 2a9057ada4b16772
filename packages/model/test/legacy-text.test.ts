import { describe, expect, test } from 'vitest';
import {
  array,
  boolean,
  enumeration,
  float,
  integer,
  ipv4,
  levelName,
  string,
  struct,
} from '../src/index.js';
import { faultOf, fromText, textOf } from './coding.js';

describe('an integer in a text telegram', () => {
  test.each([
    ['uint8', 0, '0'],
    ['uint16', 2115, '843'],
    ['int32', 1_380_000, '150EA0'],
    ['int32', -1_380_000, 'FFEAF160'],
    ['int8', -1, 'FF'],
    ['int16', -2, 'FFFE'],
    ['uint64', 9_007_199_254_740_991, '1FFFFFFFFFFFFF'],
  ] as const)('of %s: %d is %s', (format, value, text) => {
    expect(textOf(integer(format), value)).toBe(text);
    expect(fromText(integer(format), text)).toBe(value);
  });

  test('is read as decimal when it carries a sign, and with leading zeros', () => {
    expect(fromText(integer('uint16'), '+2115')).toBe(2115);
    expect(fromText(integer('int8'), '-5')).toBe(-5);
    expect(fromText(integer('int32'), '000DBBA0')).toBe(900_000);
    expect(fromText(integer('uint8'), '00ff')).toBe(255);
  });

  test('is refused with the status that says why', () => {
    expect(faultOf(() => fromText(integer('uint8'), '100'))).toBe('6 X');
    expect(faultOf(() => fromText(integer('uint8'), '+256'))).toBe('6 X');
    expect(faultOf(() => fromText(integer('uint8'), '-1'))).toBe('6 X');
    expect(faultOf(() => fromText(integer('uint16', { minimum: 1, maximum: 20 }), '15'))).toBe('6 X');
    expect(faultOf(() => fromText(integer('uint8'), 'G'))).toBe('2 X');
    expect(faultOf(() => fromText(integer('uint8'), '0x1'))).toBe('2 X');
    expect(faultOf(() => fromText(integer('uint8'), '+'))).toBe('2 X');
    expect(faultOf(() => fromText(integer('uint8'), ''))).toBe('1 X');
  });
});

describe('the other values in a text telegram', () => {
  test('a boolean is 1 or 0', () => {
    expect(textOf(boolean(), true)).toBe('1');
    expect(textOf(boolean(), false)).toBe('0');
    expect(fromText(boolean(), '1')).toBe(true);
    expect(fromText(boolean(), '+0')).toBe(false);
    expect(faultOf(() => fromText(boolean(), '2'))).toBe('2 X');
    expect(faultOf(() => fromText(boolean(), 'true'))).toBe('2 X');
  });

  test('an enumeration is its number', () => {
    const protocol = enumeration({ UDP: 1, TCP: 2 }, 1);
    expect(textOf(protocol, 2)).toBe('2');
    expect(fromText(protocol, '+2')).toBe(2);
    expect(faultOf(() => fromText(protocol, '3'))).toBe('9 X');
    expect(faultOf(() => fromText(protocol, '100'))).toBe('6 X');
  });

  test('a float is the hex of its 32-bit word; a decimal with sign or point is read too', () => {
    expect(textOf(float(), 1)).toBe('3F800000');
    expect(textOf(float(), 0)).toBe('00000000');
    expect(fromText(float(), '3F800000')).toBe(1);
    expect(fromText(float(), '3DCCCCCD')).toBe(0.1);
    expect(fromText(float(), '+0.5')).toBe(0.5);
    expect(fromText(float(), '-2')).toBe(-2);
    expect(fromText(float(), '0.25')).toBe(0.25);
    expect(faultOf(() => fromText(float(), '7F800000'))).toBe('6 X');
    expect(faultOf(() => fromText(float(), '2'))).toBe('2 X');
  });

  test('a string has its number of bytes in front, as hex', () => {
    const name = string({ maxLength: 32 });
    expect(textOf(name, 'not defined')).toBe('B not defined');
    expect(fromText(name, 'B not defined')).toBe('not defined');
    expect(fromText(name, '+11 not defined')).toBe('not defined');
    expect(textOf(name, '')).toBe('0');
    expect(fromText(name, '0')).toBe('');
  });

  test('a string is counted in bytes of UTF-8', () => {
    const name = string({ maxLength: 32 });
    const text = textOf(name, 'Tür');
    expect(text).toBe('4 T\u00c3\u00bcr');
    expect(fromText(name, text)).toBe('Tür');
    expect(faultOf(() => fromText(name, '1 \u00c3'))).toBe('2 X');
  });

  test('a string that ends too early lacks a value', () => {
    expect(faultOf(() => fromText(string({ maxLength: 32 }), 'B not'))).toBe('1 X');
  });

  test('a string longer than allowed is out of bounds', () => {
    expect(faultOf(() => fromText(string({ maxLength: 2 }), '3 abc'))).toBe('7 X');
  });

  test('a string of one fixed length has no length in front, blanks included', () => {
    const code = string({ minLength: 4, maxLength: 4 });
    expect(textOf(code, 'SC 1')).toBe('SC 1');
    expect(fromText(code, 'SC 1')).toBe('SC 1');
    const pair = struct({ code, inverted: boolean() });
    expect(textOf(pair, { code: '    ', inverted: true })).toBe('     1');
    expect(fromText(pair, ' '.repeat(5).concat(' 1'))).toEqual({ code: '    ', inverted: true });
  });

  test('a flexible array has its number of items in front, a fixed one has not', () => {
    const bytes = array(integer('uint8'), { maxItems: 3 });
    expect(textOf(bytes, [10, 255])).toBe('2 A FF');
    expect(fromText(bytes, '2 A FF')).toEqual([10, 255]);
    expect(textOf(bytes, [])).toBe('0');
    expect(fromText(bytes, '0')).toEqual([]);
    expect(textOf(ipv4([192, 168, 0, 1]), [192, 168, 0, 1])).toBe('C0 A8 0 1');
    expect(fromText(ipv4([0, 0, 0, 0]), '+192 +168 +0 +1')).toEqual([192, 168, 0, 1]);
  });

  test('an array with more items than it may have is refused before it is read', () => {
    expect(faultOf(() => fromText(array(integer('uint8'), { maxItems: 3 }), 'FFFF'))).toBe('7 X');
    expect(faultOf(() => fromText(array(integer('uint8'), { maxItems: 3 }), '2 1'))).toBe('1 X[1]');
    expect(faultOf(() => fromText(array(integer('uint8'), { maxItems: 3 }), '2 1 100'))).toBe('6 X[1]');
  });

  test('a struct is its members one after the other', () => {
    const type = struct({ on: boolean(), at: struct({ x: integer('int32'), y: integer('int32') }) });
    expect(textOf(type, { on: true, at: { x: -1, y: 16 } })).toBe('1 FFFFFFFF 10');
    expect(fromText(type, '1  FFFFFFFF   10 ')).toEqual({ on: true, at: { x: -1, y: 16 } });
    expect(faultOf(() => fromText(type, '1 0'))).toBe('1 X.at.y');
  });

  test('the name of a user level is its number', () => {
    expect(textOf(levelName(), 'AuthorizedClient')).toBe('3');
    expect(fromText(levelName(), '4')).toBe('Service');
    expect(faultOf(() => fromText(levelName(), '5'))).toBe('9 X');
  });
});
