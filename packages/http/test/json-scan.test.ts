import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isDeeper } from '../src/bodies.js';
import { NotJson, scanBody, TooDeep } from '../src/json-scan.js';

const deepest = 100;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function scans(text: string): boolean {
  try {
    scanBody(Buffer.from(text), deepest);
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(NotJson);
    return false;
  }
}

test('all JSON is accepted, and its members are found', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.jsonValue({ maxDepth: 5 }), (header, data) => {
      const bytes = Buffer.from(JSON.stringify({ other: [data], header, data }, undefined, 3));
      const found = scanBody(bytes, deepest);
      const at = (extent = { begin: 0, end: 0 }) =>
        JSON.parse(bytes.toString('utf8', extent.begin, extent.end));
      expect([at(found.header), at(found.data)]).toEqual([
        JSON.parse(JSON.stringify(header)),
        JSON.parse(JSON.stringify(data)),
      ]);
    }),
  );
});

test('a text is accepted if JSON.parse accepts it, and only then', () => {
  const pieces = [
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"\\u00e4"',
    '"',
    '\\',
    'true',
    'nul',
    '0',
    '-',
    '1.5',
    'e3',
    '.',
    ' ',
    '\n',
    '\t',
    'ä',
  ];
  const text = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (json) => {
      if (json.trim() !== '') expect(scans(json), json).toBe(isJson(json));
    }),
    { numRuns: 3000 },
  );
});

test('a JSON text with a changed character is accepted if JSON.parse accepts it', () => {
  const changed = fc
    .tuple(fc.json({ maxDepth: 4 }), fc.nat(), fc.constantFrom(...'{}[],:"\\0e.-x \n'))
    .map(([json, at, character]) => {
      const place = at % (json.length + 1);
      return json.slice(0, place) + character + json.slice(place + (at % 2));
    });
  fc.assert(
    fc.property(changed, (json) => {
      if (json.trim() !== '' && !json.includes('\u0000')) expect(scans(json), json).toBe(isJson(json));
    }),
    { numRuns: 1500 },
  );
});

test('isDeeper and scanBody count the depth in the same way', () => {
  for (const [text, depth] of [
    ['1', 0],
    ['[]', 1],
    ['{"a":[{}]}', 3],
    ['[[],[[]]]', 3],
    ['{"[[[":"]\\"[["}', 1],
  ] as const) {
    const bytes = Buffer.from(text);
    expect(isDeeper(bytes, depth)).toBe(false);
    expect(() => scanBody(bytes, depth)).not.toThrow();
    if (depth === 0) continue;
    expect(isDeeper(bytes, depth - 1)).toBe(true);
    expect(() => scanBody(bytes, depth - 1)).toThrow(TooDeep);
  }
});
