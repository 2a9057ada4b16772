import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { allEndpoints, allFiles, corrections, type Declaration, Variable } from '../src/index.js';
import { differences } from './differences.js';
import { readCatalogue } from './published.js';

const corrected = corrections.map(({ name, what }) => `${name}: ${what}`);

describe('the table of corrections', () => {
  test('gives a reason for each, and names none twice', () => {
    expect(corrections.filter(({ reason }) => !/^\S.*\.$/.test(reason))).toEqual([]);
    expect(corrected.filter((line, index) => corrected.indexOf(line) !== index)).toEqual([]);
  });
});

// The catalogue of published descriptions lies beside the repository on some machines only.
const catalogue = new URL('../../../../shared/reference/catalogue.json', import.meta.url);

if (existsSync(catalogue)) {
  describe('the published descriptions', () => {
    const declared = new Map<string, Declaration>();
    for (const endpoint of [...allEndpoints, ...allFiles]) {
      declared.set(endpoint.name, endpoint);
      if (!(endpoint instanceof Variable)) continue;
      for (const alias of endpoint.facts.aliases ?? []) declared.set(alias, endpoint);
    }
    const published = readCatalogue(readFileSync(catalogue, 'utf8'));
    const found = differences(published, declared);

    test('are read whole', () => {
      expect(published).toHaveLength(153);
      expect(published.flatMap(({ operations }) => [...operations.keys()])).toHaveLength(220);
    });

    test('differ from the model only where a correction says so', () => {
      expect(found.filter((line) => !corrected.includes(line))).toEqual([]);
    });

    test('make no correction needless', () => {
      expect(corrected.filter((line) => !found.includes(line))).toEqual([]);
    });
  });
}
