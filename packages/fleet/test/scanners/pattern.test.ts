import { expect, test, vi } from 'vitest';
import { matcherOf } from '../../src/scanners/scanner-facts.js';

const means = (pattern: string, serial: string, group = 'hall') => matcherOf(pattern)({ serial, group });

test.each([
  ['23450001', '23450001', true],
  ['23450001', '123450001', false],
  ['2345*', '23450001', true],
  ['*01', '23450001', true],
  ['2*5*1', '23450001', true],
  ['2*5*1', '23450002', false],
  ['*', '', true],
  ['12*21', '121', false],
  ['12*21', '1221', true],
  ['**5**', '23450001', true],
  ['2345000.', '23450001', false],
])('the pattern %s and the serial number %s: %s', (pattern, serial, isMeant) => {
  expect(means(pattern, serial)).toBe(isMeant);
});

test('a group is meant by its name, also with *', () => {
  expect(means('hall/*', '1')).toBe(true);
  expect(means('ha*/*', '1')).toBe(true);
  expect(means('gate/*', '1')).toBe(false);
});

test('a pattern of thousands of * is compared at once', () => {
  expect(means(`${'*'.repeat(10_000)}x`, '1'.repeat(1000))).toBe(false);
  expect(means(`${'*1'.repeat(500)}*`, '1'.repeat(1000))).toBe(true);
});

test('a pattern is compared in as many steps as a text has characters, however many * it has', () => {
  const isMeant = matcherOf(`1${'*'.repeat(10_000)}2${'*3'.repeat(10_000)}`);
  const steps = vi.spyOn(String.prototype, 'indexOf');
  const isMatch = isMeant({ serial: '123451', group: '' });
  const taken = steps.mock.calls.length;
  steps.mockRestore();
  expect(isMatch).toBe(false);
  expect(taken).toBeLessThanOrEqual(6);
});
