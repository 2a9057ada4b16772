import { expect, test } from 'vitest';
import { passesInterval } from '../../src/data-reduction/interval-filter.js';

const numbers = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
const passing = (bEnable: boolean, uiReductionFactor: number) =>
  numbers.filter((number) => passesInterval({ bEnable, uiReductionFactor }, number));

test('the interval filter lets the multiples of its factor pass', () => {
  expect(passing(true, 2)).toEqual([0, 2, 4, 6, 8]);
  expect(passing(true, 3)).toEqual([0, 3, 6, 9]);
  expect(passing(true, 50)).toEqual([0]);
});

test('the interval filter lets everything pass while it is off', () => {
  expect(passing(false, 3)).toEqual(numbers);
});
