import { describe, expect, test } from 'vitest';
import { array, boolean, enumeration, float, integer, levelName, mac, string, struct } from '../src/index.js';
import { faultOf, fromHex, hexOf } from './coding.js';

describe('a value in a binary telegram', () => {
  test.each([
    ['uint8', 255, 'ff'],
    ['int8', -2, 'fe'],
    ['uint16', 2115, '08 43'],
    ['int16', -2, 'ff fe'],
    ['uint32', 0x81be23aa, '81 be 23 aa'],
    ['int32', -1_380_000, 'ff ea f1 60'],
    ['uint64', 1_700_000_000_000_000, '00 06 0a 24 18 1e 40 00'],
  ] as const)('%s %d is big-endian over its whole width', (format, value, hex) => {
    expect(hexOf(integer(format), value)).toBe(hex);
    expect(fromHex(integer(format), hex)).toBe(value);
  });

  test('outside its range is refused', () => {
    expect(faultOf(() => fromHex(integer('uint16', { minimum: 1, maximum: 20 }), '00 15'))).toBe('6 X');
    expect(faultOf(() => fromHex(integer('uint64'), 'ff ff ff ff ff ff ff ff'))).toBe('6 X');
  });

  test('a boolean is one byte', () => {
    expect(hexOf(boolean(), true)).toBe('01');
    expect(fromHex(boolean(), '00')).toBe(false);
    expect(faultOf(() => fromHex(boolean(), '02'))).toBe('2 X');
  });

  test('an enumeration without a stated width is one byte, another has its own width', () => {
    const protocol = enumeration({ UDP: 1, TCP: 2 }, 1);
    expect(hexOf(protocol, 2)).toBe('02');
    expect(fromHex(protocol, '01')).toBe(1);
    expect(faultOf(() => fromHex(protocol, '00'))).toBe('9 X');
    expect(hexOf(enumeration({ A: 1 }, 1, 'uint16'), 1)).toBe('00 01');
  });

  test('a float is its 32-bit word', () => {
    expect(hexOf(float(), 0.1)).toBe('3d cc cc cd');
    expect(fromHex(float(), '3d cc cc cd')).toBe(0.1);
    expect(faultOf(() => fromHex(float(), '7f c0 00 00'))).toBe('6 X');
  });

  test('a string has its number of bytes in front; one of a fixed length has not', () => {
    const version = string({ maxLength: 9 });
    expect(hexOf(version, 'V1.80    ')).toBe('00 09 56 31 2e 38 30 20 20 20 20');
    expect(fromHex(version, '00 09 56 31 2e 38 30 20 20 20 20')).toBe('V1.80    ');
    const code = string({ minLength: 4, maxLength: 4 });
    expect(hexOf(code, 'DRDY')).toBe('44 52 44 59');
    expect(fromHex(code, '44 52 44 59')).toBe('DRDY');
    expect(fromHex(code, 'c3 9c 52 44 59')).toBe('ÜRDY');
    expect(faultOf(() => fromHex(version, '00 02 c3 28'))).toBe('2 X');
    expect(faultOf(() => fromHex(version, '00 0a 30 31 32 33 34 35 36 37 38 39'))).toBe('7 X');
  });

  test('a flexible array has its number of items in front, a fixed one has not', () => {
    const list = array(integer('uint16'), { maxItems: 2 });
    expect(hexOf(list, [1, 2])).toBe('00 02 00 01 00 02');
    expect(fromHex(list, '00 02 00 01 00 02')).toEqual([1, 2]);
    expect(faultOf(() => fromHex(list, 'ff ff'))).toBe('7 X');
    expect(hexOf(mac([0, 0, 0, 0, 0, 0]), [0, 6, 119, 1, 2, 3])).toBe('00 06 77 01 02 03');
    expect(fromHex(mac([0, 0, 0, 0, 0, 0]), '00 06 77 01 02 03')).toEqual([0, 6, 119, 1, 2, 3]);
  });

  test('a struct is its members without anything between them', () => {
    const type = struct({ on: boolean(), x: integer('int16') });
    expect(hexOf(type, { on: true, x: -1 })).toBe('01 ff ff');
    expect(fromHex(type, '01 ff ff')).toEqual({ on: true, x: -1 });
  });

  test('the name of a user level is its number', () => {
    expect(hexOf(levelName(), 'Service')).toBe('04');
    expect(fromHex(levelName(), '03')).toBe('AuthorizedClient');
    expect(faultOf(() => fromHex(levelName(), '05'))).toBe('9 X');
  });

  test.each([
    ['an integer', integer('uint32'), '00 00 00'],
    ['a boolean', boolean(), ''],
    ['a float', float(), '00'],
    ['a string', string({ maxLength: 9 }), '00 02 41'],
    ['a string of a fixed length', string({ minLength: 4, maxLength: 4 }), '41 42'],
    ['an array', array(boolean(), { maxItems: 3 }), '00 02 01'],
  ])('that ends too early is refused as unreadable: %s', (_, type, hex) => {
    expect(faultOf(() => fromHex<unknown>(type, hex))).toBe('1');
  });
});
