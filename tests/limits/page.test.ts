import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const self = 'page.test.ts';

test('the page of limits names every test of them, and no other', () => {
  const page = readFileSync(new URL('../../docs/limits.md', import.meta.url), 'utf8');
  const named = [...page.matchAll(/\(\.\.\/tests\/limits\/([\w-]+\.test\.ts)\)/g)].map(([, name]) => name);
  const tests = readdirSync(fileURLToPath(new URL('.', import.meta.url)));
  expect(named.toSorted()).toEqual(tests.filter((name) => name.endsWith('.test.ts') && name !== self).sort());
});
