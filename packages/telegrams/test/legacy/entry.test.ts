import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const source = fileURLToPath(new URL('../../src', import.meta.url));

/** All files that a file imports, itself included, and the libraries. */
function importedBy(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, from = ''] of text.matchAll(/from '([^']+)'/g)) {
    if (!from.startsWith('.')) seen.add(from);
    else importedBy(join(dirname(file), from.replace(/\.js$/, '.ts')), seen);
  }
  return seen;
}

function ofEntry(entry: string): string[] {
  return [...importedBy(join(source, entry))].map((file) =>
    file.startsWith(source) ? relative(source, file) : file,
  );
}

const isLegacy = (file: string) => /^(legacy|lmdscandata)\//.test(file);

test('the entry of the legacy protocol loads what belongs to it and the error of telegrams', () => {
  const files = ofEntry('legacy/index.ts');
  expect(files).toContain('lmdscandata/encode-text.ts');
  expect(files.filter((file) => !isLegacy(file))).toEqual(['telegram-error.ts']);
});

test('no other entry loads the legacy protocol', () => {
  expect([...ofEntry('index.ts'), ...ofEntry('encode.ts')].filter(isLegacy)).toEqual([]);
});
