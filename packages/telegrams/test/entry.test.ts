import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const source = fileURLToPath(new URL('../src', import.meta.url));

/** All files that a file imports, itself included. */
function importedBy(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, from = ''] of text.matchAll(/(?:from|import) '([^']+)'/g)) {
    importedBy(join(dirname(file), from.replace(/\.js$/, '.ts')), seen);
  }
  return seen;
}

describe('the entry for encoders', () => {
  test('loads no decoder and reads no recording', () => {
    const files = [...importedBy(join(source, 'encode.ts'))].map((file) => file.slice(source.length + 1));
    expect(files).toContain('compact/encode-scan.ts');
    expect(files.filter((file) => /decode|read|splitter|recording/.test(file))).toEqual([]);
  });
});
