import { exampleFiles, exampleOf, namedMistakes, printedFiles } from '@azimuth/test-support/driver-time';
import { expect, test } from 'vitest';
import { mistakes } from '../examples/driver-time/mistakes.js';

test('docs/driver-time.md prints the files that are tested, character for character', () => {
  expect(printedFiles.size).toBeGreaterThan(20);
  for (const [name, content] of printedFiles) expect(content, name).toBe(exampleOf(name));
});

test('the page prints each test, each scene and each plan', () => {
  const notPrinted = exampleFiles.filter((name) => !printedFiles.has(name));
  expect(notPrinted.sort()).toEqual(['driver.ts', 'mistakes.ts', 'start.ts']);
});

test('for each test but one, the page names the mistake that it finds', () => {
  expect(namedMistakes.map(({ mistake }) => mistake).sort()).toEqual(Object.keys(mistakes).sort());
  const tests = exampleFiles.filter((name) => name.endsWith('.test.ts') && name !== 'lmdscandata.test.ts');
  expect([...new Set(namedMistakes.map(({ file }) => file))].sort()).toEqual(tests.sort());
});
