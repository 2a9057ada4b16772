import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const source = fileURLToPath(new URL('../src', import.meta.url));

/** All files that a file imports, itself included, and the libraries. */
function importedBy(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, from = ''] of text.matchAll(/(?:from|import) '([^']+)'/g)) {
    if (!from.startsWith('.')) seen.add(from);
    else importedBy(join(dirname(file), from.replace(/\.js$/, '.ts')), seen);
  }
  return seen;
}

function ofEntry(entry: string): string[] {
  return [...importedBy(join(source, entry))].map((file) => file.replace(join(source, '/'), ''));
}

describe('the entry for encoders', () => {
  test('loads no decoder and reads no recording', () => {
    const files = ofEntry('encode.ts');
    expect(files).toContain('compact/encode-scan.ts');
    expect(files.filter((file) => /decode|read|members|splitter|recording/.test(file))).toEqual([]);
  });

  test('loads no library', () => {
    const isLibrary = (file: string) => !file.endsWith('.ts');
    expect(ofEntry('encode.ts').filter(isLibrary)).toEqual([]);
    expect(ofEntry('index.ts').filter(isLibrary)).toEqual(['@msgpack/msgpack']);
  });
});

describe('the entry of the legacy protocol', () => {
  const isLegacy = (file: string) => file.startsWith('legacy/');

  test('loads what belongs to it, layouts and the error of telegrams', () => {
    const files = ofEntry('legacy/index.ts');
    expect(files).toContain('legacy/lmdscandata/text.ts');
    expect(files.filter((file) => !isLegacy(file))).toEqual(['telegram-error.ts', 'layout.ts']);
  });

  test('is loaded by no encoder', () => {
    expect(ofEntry('encode.ts').filter(isLegacy)).toEqual([]);
    expect(ofEntry('index.ts').filter(isLegacy)).toContain('legacy/index.ts');
  });
});
