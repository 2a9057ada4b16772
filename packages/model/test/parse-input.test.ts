import { describe, expect, test } from 'vitest';
import {
  array,
  boolean,
  enumeration,
  float,
  integer,
  ipv4,
  mac,
  parseInput,
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
    expect(parseInput(boolean().shape, words)).toBe(value);
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
    expect(parseInput(integer('int32').shape, words)).toBe(value);
    expect(parseInput(float().shape, words)).toBe(value);
  });

  test('mean for an enumeration its name in any case, or its number', () => {
    const mode = enumeration({ TX_IP_STATIC: 0, TX_IP_DHCP: 1 }, 0).shape;
    expect(parseInput(mode, '1 TX_IP_DHCP')).toBe(1);
    expect(() => parseInput(mode, '0 TX_IP_DHCP')).toThrow(/expected/);
    expect(parseInput(mode, 'TX_IP_DHCP')).toBe(1);
    expect(parseInput(mode, 'tx_ip_static')).toBe(0);
    expect(parseInput(mode, '1')).toBe(1);
    expect(parseInput(mode, '7')).toBe(7);
  });

  test('mean for a string themselves, blanks included, or what stands in quotes', () => {
    const name = string({ maxLength: 32 }).shape;
    expect(parseInput(name, 'Gate 3')).toBe('Gate 3');
    expect(parseInput(name, ' Gate ')).toBe(' Gate ');
    expect(parseInput(name, '"Gate \\u0033"')).toBe('Gate 3');
    expect(parseInput(name, '12')).toBe('12');
    expect(parseInput(name, 'a "quoted" word')).toBe('a "quoted" word');
  });

  test.each(['"C:\\x"', '"', '"one" and "two"', '"two\nlines"'])(
    'mean for a string themselves where they are quoted and no JSON: %j',
    (words) => {
      expect(parseInput(string({ maxLength: 32 }).shape, words)).toBe(words);
    },
  );

  test('mean for an address its usual form, or JSON', () => {
    const ip = ipv4([0, 0, 0, 0]).shape;
    expect(parseInput(ip, '192.168.0.7')).toEqual([192, 168, 0, 7]);
    expect(parseInput(ip, '[192,168,0,7]')).toEqual([192, 168, 0, 7]);
    expect(parseInput(mac([0, 0, 0, 0, 0, 0]).shape, '00:06:77:0a:Fb:1')).toEqual([0, 6, 119, 10, 251, 1]);
  });

  test('mean for an array its items with commas between them, or JSON', () => {
    const list = array(boolean(), { maxItems: 48 }).shape;
    expect(parseInput(list, 'on,off, on')).toEqual([true, false, true]);
    expect(parseInput(list, '[true,false]')).toEqual([true, false]);
    expect(parseInput(list, '')).toEqual([]);
  });

  test('mean for a struct JSON', () => {
    const type = struct({ bEnable: boolean() }).shape;
    expect(parseInput(type, ' {"bEnable":true} ')).toEqual({ bEnable: true });
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
    ['integer with names', integer('uint8', { names: { Gate: 3 } }).shape, 'Door'],
  ])('that mean nothing for a value (%s) are refused as invalid data', (_, shape, words) => {
    expect(faultOf(() => parseInput(shape, words))).toBe('2');
  });

  test('may be a name for a number that has one', () => {
    const { shape } = integer('uint8', { names: { Gate: 3 } });
    for (const words of ['Gate', 'gate', '3']) expect(parseInput(shape, words)).toBe(3);
    expect(parseInput(shape, '7')).toBe(7);
  });

  test('find what is meant, and leave it to the type whether that is allowed', () => {
    const ip = ipv4([0, 0, 0, 0]);
    expect(faultOf(() => ip.fromJson(parseInput(ip.shape, '192.168.0.300'), 'X'))).toBe('6 X[3]');
    expect(faultOf(() => ip.fromJson(parseInput(ip.shape, '192.168.0'), 'X'))).toBe('7 X');
  });
});
