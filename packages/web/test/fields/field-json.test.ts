import { describe, expect, test } from 'vitest';
import { withNewEvaluation } from '../../src/fields/draft.js';
import { noFields } from '../../src/fields/field-editor.js';
import {
  contourFromText,
  definitionsFromText,
  fieldFromText,
  jsonText,
} from '../../src/fields/field-json.js';
import { locatedJson, TextProblem } from '../../src/fields/located-json.js';

const corners = [
  { x: 0, y: 0 },
  { x: 1000, y: 0 },
  { x: 0, y: 1000 },
];

/** Line and words of the mistake in a text. */
function mistake(read: (text: string) => unknown, text: string): string {
  try {
    read(text);
    return 'none';
  } catch (error) {
    if (!(error instanceof TextProblem)) throw error;
    return `${error.line}: ${error.message}`;
  }
}

test('a long text is read in no time', () => {
  const numbers = Array.from({ length: 200_000 }, (_, index) => index % 10);
  const { value, lineOf } = locatedJson(JSON.stringify(numbers, undefined, 1));
  expect(value).toEqual(numbers);
  expect(lineOf('[199999]')).toBe(200_001);
});

describe('a contour', () => {
  test.each([
    ['a list', JSON.stringify(corners)],
    ['what the tool of the maker gives', JSON.stringify({ points: corners })],
    ['a part of a field', JSON.stringify({ Points: corners })],
    ['what the page shows itself', jsonText(corners)],
  ])('is read from %s', (_, text) => {
    expect(contourFromText(text)).toEqual(corners);
  });

  test('is shown with a corner in each line', () => {
    expect(jsonText(corners).split('\n').length).toBe(5);
  });

  test.each([
    ['[\n{"x": 1, "y": 2},\n{"x": 1 "y": 3}]', /^3: expected , or }, found “"y": 3}\]”$/],
    ['[\n{"x": 1, "y": 2},\n{"x": 1.5, "y": 3}, {"x": 1, "y": 9}]', /^3: “x”: .*1\.5/],
    ['[\n{"x": 1, "y": 2},\n\n{"x": 1}]', /^4: “y”: required member missing/],
    ['[\n{"x": 1, "y": 2},\n{"x": 200000, "y": 2},\n{"x": 1, "y": 3}]', /^3: .*120000/],
    ['{"corners": []}', /^1: expected a list of corners/],
    ['[{"x": 0, "y": 0}, {"x": 9, "y": 9}]', /3/],
    ['[1, 2', /found the end$/],
    ['', /^1: expected a value, found the end$/],
    ['["a\\q"]', /^1: expected a text in quotes/],
    [`${'['.repeat(30)}`, /flatter/],
    ['[] 5', /the end of the text/],
  ])('is refused with line and words: %s', (text, expected) => {
    expect(mistake(contourFromText, text)).toMatch(expected);
  });

  test('that crosses itself is refused with corners that count from 1', () => {
    const crossing = [...corners, { x: 1000, y: 1000 }];
    expect(mistake(contourFromText, jsonText(crossing))).toMatch(/corner \d and corner \d touch or cross/);
  });
});

describe('a field', () => {
  test('keeps the number of the field that it replaces', () => {
    expect(fieldFromText(jsonText({ Id: 9, Name: 'gate', Points: corners }), 3)).toMatchObject({
      Id: 3,
      Name: 'gate',
      MinimumObjectSize: 200,
    });
  });

  test.each([
    ['{\n"Name": "gate",\n"MinimumObjectSize": 9999\n}', /^3: .*5000/],
    ['{\n"Nme": "gate"\n}', /^2: unknown member Nme/],
    ['[]', /^1: expected a field/],
  ])('is refused with line and words: %s', (text, expected) => {
    expect(mistake((typed) => fieldFromText(typed, 1), text)).toMatch(expected);
  });
});

describe('all fields', () => {
  test('are read as they are shown', () => {
    const { definitions } = withNewEvaluation(noFields, { Points: corners }) ?? { definitions: noFields };
    expect(definitionsFromText(jsonText(definitions))).toEqual(definitions);
  });

  test('are refused if a group has a field that is not there, in its line', () => {
    const text = '{\n"evaluations": [],\n"groups": [\n{"Id": 1, "Evaluations": [\n7]}]}';
    expect(mistake(definitionsFromText, text)).toBe('5: there is no evaluation 7');
    expect(mistake(definitionsFromText, '{"evaluations": []}')).toMatch(/groups/);
  });
});
