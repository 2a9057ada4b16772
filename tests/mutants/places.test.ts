import { readFileSync } from 'node:fs';
import { editionSubject } from '@azimuth/check';
import { mutantsFor } from '@azimuth/check/mutants';
import { releases, variants } from '@azimuth/model';
import { expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);

// Only a share of them is planted in each run of the long tests: a change of the sources would come up days later.
it('each fault that is planted in a source has its place there, once', () => {
  const planted = releases
    .flatMap((release) => variants.flatMap((variant) => mutantsFor(editionSubject(release, variant))))
    .filter((mutant) => mutant.kind === 'source');
  const sources = new Map<string, string>();
  const textOf = (file: string) => {
    const text = sources.get(file) ?? readFileSync(new URL(file, root), 'utf8');
    sources.set(file, text);
    return text;
  };
  const placesOf = ({ file, from }: { file: string; from: string }) => textOf(file).split(from).length - 1;
  expect(planted.length).toBeGreaterThan(500);
  const misplaced = planted.filter((mutant) => placesOf(mutant) !== 1);
  expect([...new Set(misplaced.map(({ case: id, file, from }) => `${id}: ${file}: ${from}`))]).toEqual([]);
});
