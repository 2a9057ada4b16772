import type { ConformanceCase } from '@azimuth/check';
import type { Mutant } from '@azimuth/check/mutants';
import type { Edition } from '@azimuth/model';
import { mutantText } from './mutant-text.js';

/** What is proved about one case: it fails with each of these faults, and passes without one. */
export interface Proof {
  readonly case: ConformanceCase;
  /** The edition of the scanner: the first that has the case. */
  readonly edition: Edition;
  readonly mutants: readonly Mutant[];
}

/** The cases and mutants of one edition. */
export interface EditionCases {
  readonly edition: Edition;
  readonly cases: readonly ConformanceCase[];
  readonly mutants: readonly Mutant[];
}

/** Returns one proof for each case, in the first edition that has it. */
export function proofsOf(editions: readonly EditionCases[]): readonly Proof[] {
  const proofs = new Map<string, Proof>();
  for (const { edition, cases, mutants } of editions) {
    for (const one of cases) {
      if (proofs.has(one.id)) continue;
      const ofCase = mutants.filter((mutant) => mutant.case === one.id);
      proofs.set(one.id, { case: one, edition, mutants: ofCase });
    }
  }
  return [...proofs.values()];
}

/** Returns what is wrong with the lists of cases and mutants, one sentence each. */
export function mistakesOf(editions: readonly EditionCases[]): readonly string[] {
  if (editions.every(({ mutants }) => mutants.length === 0)) return ['there are no mutants'];
  const proofs = proofsOf(editions);
  const ids = new Set(proofs.map((proof) => proof.case.id));
  const strangers = editions
    .flatMap(({ mutants }) => mutants)
    .filter((mutant) => !ids.has(mutant.case))
    .map((mutant) => `${mutantText(mutant)}: there is no such case`);
  const twice = editions.flatMap(({ mutants }) =>
    repeated(mutants.map(mutantText)).map((text) => `${text}: it is in the list twice`),
  );
  const unproved = proofs
    .filter(({ case: { level }, mutants }) => level !== 'informational' && mutants.length === 0)
    .map(({ case: { id, level } }) => `${id}: a case of the level ${level} has no mutant`);
  return [...new Set([...strangers, ...twice, ...unproved])];
}

function repeated(texts: readonly string[]): string[] {
  const seen = new Set<string>();
  return texts.filter((text) => seen.has(text) || !seen.add(text));
}
