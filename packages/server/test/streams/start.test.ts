import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const src = fileURLToPath(new URL('../../src', import.meta.url));

/** What is loaded with a file: itself, and what it imports without being asked for. */
function loadedWith(file: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(file)) return found;
  found.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, from = ''] of text.matchAll(/^(?:im|ex)port (?!type\b)[^;]*?from '(\.[^']+)';/gms)) {
    loadedWith(join(dirname(file), from.replace(/\.js$/, '.ts')), found);
  }
  return found;
}

test('a scanner starts with one file of its data streams; the rest is loaded when one of them is on', () => {
  const loaded = [...loadedWith(join(src, 'scanner-service.ts'))].map((file) => relative(src, file));
  expect(loaded).toContain('network/address-follower.ts');
  expect(loaded.filter((file) => file.startsWith('streams/'))).toEqual(['streams/data-streams.ts']);
});

test('what that file loads in turn is the rest', () => {
  const loaded = [...loadedWith(join(src, 'streams/outputs.ts'))].map((file) => relative(src, file));
  expect(loaded).toContain('streams/udp-route.ts');
});
