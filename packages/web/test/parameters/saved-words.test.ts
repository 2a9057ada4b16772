import { signal } from '@preact/signals';
import { expect, test } from 'vitest';
import { savedWords, unknownWords } from '../../src/parameters/unsaved.js';

const stored = (state: 'waiting' | 'known' | 'untold', unsaved?: readonly string[]) => ({
  state: signal(state),
  unsaved: signal(unsaved),
});

test('nobody reads that everything is saved before all was compared', () => {
  expect(savedWords(stored('waiting'))).toBe('Comparing with the stored parameters …');
  expect(savedWords(stored('known'))).toBe('Comparing with the stored parameters …');
  expect(savedWords(stored('untold'))).toBe('This scanner does not tell what is unsaved.');
  expect(savedWords(stored('known', []))).toBe('Everything is saved.');
});

test('what is only compared still is not called untold', () => {
  expect(unknownWords(stored('waiting'))).toContain('still being compared');
  expect(unknownWords(stored('untold'))).toContain('does not tell');
});
