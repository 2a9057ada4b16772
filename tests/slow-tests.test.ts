import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { array, string } from '@azimuth/test-support/json';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

it.each([
  ['slow-tests.json', 100],
  ['longest-tests.json', 20],
])('the list %s names files that are there, each once', (list, fewest) => {
  const listed = array(JSON.parse(readFileSync(join(root, 'scripts', list), 'utf8'))).map(string);
  expect(listed.length).toBeGreaterThan(fewest);
  expect(listed.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  expect(new Set(listed).size).toBe(listed.length);
});
