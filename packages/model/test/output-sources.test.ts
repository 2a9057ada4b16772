import { describe, expect, test } from 'vitest';
import { noOutputSource, outputSourceCode, outputSourceOf } from '../src/index.js';

describe('the code of a source of an output', () => {
  test.each(['DRDY', 'CWRN', 'CERR', 'TALM', 'SROT', 'ROTS', 'SCLK', 'FE01', 'FE48', 'IN08', 'SC01'])(
    '%s is read, and written again',
    (code) => {
      const source = outputSourceOf(code);
      expect(source === undefined ? undefined : outputSourceCode(source)).toBe(code);
    },
  );

  test.each([
    noOutputSource,
    '',
    'FE',
    'FE00',
    'FE49',
    'IN09',
    'IN 1',
    'fe01',
    'DRDY01',
    'CW01',
    'FE1',
    'FE001',
  ])('"%s" is none', (code) => {
    expect(outputSourceOf(code)).toBeUndefined();
  });

  test('has a number that a person reads', () => {
    expect(outputSourceOf('FE07')).toEqual({ kind: 'FE', number: 7 });
    expect(outputSourceOf('DRDY')).toEqual({ kind: 'DRDY', number: 0 });
  });
});
