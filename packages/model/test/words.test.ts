import { describe, expect, test } from 'vitest';
import {
  array,
  boolean,
  enumeration,
  float,
  integer,
  ipv4,
  jsonOfWords,
  mac,
  string,
  struct,
} from '../src/index.js';
import { faultOf } from './coding.js';

describe('words on a command line', () => {
  test.each([
    ['on', true],
    ['Yes', true],
    ['y', true],
    ['enabled', true],
    ['1', true],
    ['true', true],
    ['off', false],
    ['NO', false],
    ['N', false],
    ['disabled', false],
    ['0', false],
    [' false ', false],
  ])('mean for a boolean: %j is %j', (words, value) => {
    expect(jsonOfWords(boolean().shape, words)).toBe(value);
  });

  test.each([
    ['2115', 2115],
    ['-5', -5],
    ['+7', 7],
    ['0x1F', 31],
    ['1.5', 1.5],
    ['1e3', 1000],
    ['.5', 0.5],
  ])('mean for a number: %j is %d', (words, value) => {
    expect(jsonOfWords(integer('int32').shape, words)).toBe(value);
    expect(jsonOfWords(float().shape, words)).toBe(value);
  });

  test('mean for an enumeration its name in any case, or its number', () => {
    const mode = enumeration({ TX_IP_STATIC: 0, TX_IP_DHCP: 1 }, 0).shape;
    expect(jsonOfWords(mode, '1 TX_IP_DHCP')).toBe(1);
    expect(() => jsonOfWords(mode, '0 TX_IP_DHCP')).toThrow(/expected/);
    expect(jsonOfWords(mode, 'TX_IP_DHCP')).toBe(1);
    expect(jsonOfWords(mode, 'tx_ip_static')).toBe(0);
    expect(jsonOfWords(mode, '1')).toBe(1);
    expect(jsonOfWords(mode, '7')).toBe(7);
  });

  test('mean for a string themselves, blanks included, or what stands in quotes', () => {
    const name = string({ maxLength: 32 }).shape;
    expect(jsonOfWords(name, 'Gate 3')).toBe('Gate 3');
    expect(jsonOfWords(name, ' Gate ')).toBe(' Gate ');
    expect(jsonOfWords(name, '"Gate \\u0033"')).toBe('Gate 3');
    expect(jsonOfWords(name, '12')).toBe('12');
    expect(jsonOfWords(name, 'a "quoted" word')).toBe('a "quoted" word');
  });

  test.each(['"C:\\x"', '"', '"one" and "two"', '"two\nlines"'])(
    'mean for a string themselves where they are quoted and no JSON: %j',
    (words) => {
      expect(jsonOfWords(string({ maxLength: 32 }).shape, words)).toBe(words);
    },
  );

  test('mean for an address its usual form, or JSON', () => {
    const ip = ipv4([0, 0, 0, 0]).shape;
    expect(jsonOfWords(ip, '192.168.0.7')).toEqual([192, 168, 0, 7]);
    expect(jsonOfWords(ip, '[192,168,0,7]')).toEqual([192, 168, 0, 7]);
    expect(jsonOfWords(mac([0, 0, 0, 0, 0, 0]).shape, '00:06:77:0a:Fb:1')).toEqual([0, 6, 119, 10, 251, 1]);
  });

  test('mean for an array its items with commas between them, or JSON', () => {
    const list = array(boolean(), { maxItems: 48 }).shape;
    expect(jsonOfWords(list, 'on,off, on')).toEqual([true, false, true]);
    expect(jsonOfWords(list, '[true,false]')).toEqual([true, false]);
    expect(jsonOfWords(list, '')).toEqual([]);
  });

  test('mean for a struct JSON', () => {
    const type = struct({ bEnable: boolean() }).shape;
    expect(jsonOfWords(type, ' {"bEnable":true} ')).toEqual({ bEnable: true });
  });

  test.each([
    ['boolean', boolean().shape, 'maybe'],
    ['integer', integer('uint8').shape, 'twelve'],
    ['integer', integer('uint8').shape, ''],
    ['enumeration', enumeration({ UDP: 1 }, 1).shape, 'SCTP'],
    ['IPv4 address', ipv4([0, 0, 0, 0]).shape, 'localhost'],
    ['MAC address', mac([0, 0, 0, 0, 0, 0]).shape, '00-06-77-00-00-00'],
    ['array', array(boolean(), { maxItems: 3 }).shape, '[true'],
    ['struct', struct({}).shape, 'bEnable=true'],
  ])('that mean nothing for a value (%s) are refused as invalid data', (_, shape, words) => {
    expect(faultOf(() => jsonOfWords(shape, words))).toBe('2');
  });

  test('find what is meant, and leave it to the type whether that is allowed', () => {
    const ip = ipv4([0, 0, 0, 0]);
    expect(faultOf(() => ip.fromJson(jsonOfWords(ip.shape, '192.168.0.300'), 'X'))).toBe('6 X[3]');
    expect(faultOf(() => ip.fromJson(jsonOfWords(ip.shape, '192.168.0'), 'X'))).toBe('7 X');
  });
});
