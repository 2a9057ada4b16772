import type { ConformanceCase } from '@azimuth/check';
import type { Mutant } from '@azimuth/check/mutants';
import { type EditionCases, mistakesOf, proofsOf } from '@azimuth/test-support/mutants/proof-plan';
import { expect, it } from 'vitest';

const newest = { release: '2.4.4', variant: 'full' } as const;
const oldest = { release: '1.4.0', variant: 'full' } as const;

function caseOf(id: string, level: ConformanceCase['level'] = 'must'): ConformanceCase {
  return { id, level, clause: 'It answers.', place: 'specification: Errors', stage: 'read', steps: [] };
}

function mutantOf(id: string, to = '1'): Mutant {
  return { kind: 'source', case: id, file: 'packages/model/src/envelope.ts', from: '0', to };
}

function editionOf(cases: readonly ConformanceCase[], mutants: readonly Mutant[]): EditionCases {
  return { edition: newest, cases, mutants };
}

it('a case is proved once, at the first edition that has it, by the mutants of that edition', () => {
  const [both, old] = [caseOf('a.both'), caseOf('a.old')];
  const proofs = proofsOf([
    editionOf([both], [mutantOf('a.both'), mutantOf('a.old')]),
    { edition: oldest, cases: [both, old], mutants: [mutantOf('a.both', '2'), mutantOf('a.old', '2')] },
  ]);
  expect(proofs).toEqual([
    { case: both, edition: newest, mutants: [mutantOf('a.both')] },
    { case: old, edition: oldest, mutants: [mutantOf('a.old', '2')] },
  ]);
});

it('lists without a mistake have none', () => {
  const cases = [caseOf('a.one'), caseOf('a.two', 'informational')];
  expect(mistakesOf([editionOf(cases, [mutantOf('a.one'), mutantOf('a.one', '2')])])).toEqual([]);
});

it.each<[string, EditionCases, string]>([
  ['no mutants at all', editionOf([caseOf('a.one')], []), 'there are no mutants'],
  [
    'a must without a mutant',
    editionOf([caseOf('a.one'), caseOf('a.two')], [mutantOf('a.one')]),
    'a.two: a case of the level must has no mutant',
  ],
  [
    'a should without a mutant',
    editionOf([caseOf('a.one'), caseOf('a.two', 'should')], [mutantOf('a.one')]),
    'a.two: a case of the level should has no mutant',
  ],
  [
    'a mutant of a case that is not there',
    editionOf([caseOf('a.one')], [mutantOf('a.one'), mutantOf('a.tow')]),
    'mutant of a.tow in packages/model/src/envelope.ts: "0" -> "1": there is no such case',
  ],
  [
    'a mutant twice',
    editionOf([caseOf('a.one')], [mutantOf('a.one'), mutantOf('a.one')]),
    'mutant of a.one in packages/model/src/envelope.ts: "0" -> "1": it is in the list twice',
  ],
])('lists with %s have one mistake, which names it', (_, lists, mistake) => {
  expect(mistakesOf([lists])).toEqual([mistake]);
});
