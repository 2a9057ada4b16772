import { contourProblem } from '@azimuth/model';
import { expect, test } from 'vitest';
import { spokenReason } from '../../src/fields/draft.js';
import { addressOf, selectionAt } from '../../src/fields/field-editor.js';
import { distanceResults, fieldResults, groupStates } from '../../src/plan/field-areas.js';

const square = [0, 1000].flatMap((x) => [0, 1000].map((y) => ({ x, y })));

test.each([
  [square, 'the sides from corner 2 and corner 4 touch or cross'],
  [[...square.slice(0, 2), ...square.slice(1, 3)], 'corner 2 and corner 3 are the same'],
  [[{ x: 200_000, y: 0 }, ...square], 'a contour is within -120000..120000, corner 1 is not'],
])('corners are counted from 1', (points, text) => {
  expect(spokenReason(contourProblem(points) ?? '')).toBe(text);
});

test('results have the numbers of their evaluations', () => {
  const results = fieldResults({
    Version: 1,
    Timestamp: 5,
    EvaluationResultList: [
      { State: 2, Positions: [] },
      { State: 4, Positions: [{ x: 1, y: 2 }] },
    ],
  });
  expect([...results]).toEqual([
    [1, { state: 2, position: undefined }],
    [2, { state: 4, position: { x: 1, y: 2 } }],
  ]);
});

test('what is not known yet, or is nothing of the interface, has no results', () => {
  expect(fieldResults(undefined).size).toBe(0);
  expect(fieldResults({ EvaluationResultList: 'none' }).size).toBe(0);
  expect(groupStates([9]).size).toBe(0);
  expect(distanceResults(null).size).toBe(0);
});

test.each(['', '3', 'group-12', 'teach-in'])('the address "%s" names what is selected', (address) => {
  expect(addressOf(selectionAt(address))).toBe(address);
});

test.each(['x', '333', 'group-', '-1'])('the address "%s" names nothing', (address) => {
  expect(selectionAt(address)).toBeUndefined();
});
