import { crcOf } from '@azimuth/test-support/golden/hex';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { crc32, nodeCrc32, tableCrc32 } from '../src/crc32.js';

const digits = new TextEncoder().encode('123456789');

describe('CRC-32', () => {
  test('of "123456789" is cbf43926, by the host and by tables', () => {
    expect(crc32(digits)).toBe(0xcbf43926);
    expect(tableCrc32(digits)).toBe(0xcbf43926);
    expect(nodeCrc32()?.(digits)).toBe(0xcbf43926);
  });

  test('is the same bit by bit, by the host and by tables, wherever in a buffer the bytes lie', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat({ max: 9 }), (bytes, start) => {
        const part = bytes.subarray(start);
        const expected = new DataView(crcOf(part).buffer).getUint32(0, true);
        expect(tableCrc32(part)).toBe(expected);
        expect(nodeCrc32()?.(part)).toBe(expected);
      }),
    );
  });

  test('uses tables if the host has no CRC-32 function', () => {
    const { process } = globalThis;
    try {
      Reflect.set(globalThis, 'process', undefined);
      expect(nodeCrc32()).toBeUndefined();
    } finally {
      Reflect.set(globalThis, 'process', process);
    }
  });
});
