import type { DeclarationChange } from './changes/index.js';

/**
 * A fault that is planted in our own scanner, to prove that a case finds it. One fault each. Every case of the levels must and
 * should has one.
 */
export type Mutant = SourceMutant | DeclarationMutant;

/** A text in one source file is replaced. */
export interface SourceMutant {
  readonly kind: 'source';
  /** Id of the case that finds it. */
  readonly case: string;
  /** File from the root of the repository on: `packages/device/src/access/lock.ts`. */
  readonly file: string;
  /** A text that is in the file once. */
  readonly from: string;
  readonly to: string;
}

/** The scanner declares one name otherwise than the model. */
export interface DeclarationMutant {
  readonly kind: 'declaration';
  /** Id of the case that finds it. */
  readonly case: string;
  /** Variable or method. */
  readonly name: string;
  /** What is planted. */
  readonly change: DeclarationChange;
}

/** Makes the mutants of one file. */
export function inFile(
  file: string,
  ...replacements: readonly (readonly [id: string, from: string, to: string])[]
): readonly SourceMutant[] {
  return replacements.map(([id, from, to]) => ({ kind: 'source', case: id, file, from, to }));
}

/** One replacement that several cases find. @param ids what follows the area in their ids */
export function forCases(
  area: string,
  ids: readonly string[],
  from: string,
  to: string,
): readonly (readonly [id: string, from: string, to: string])[] {
  return ids.map((id) => [`${area}.${id}`, from, to] as const);
}
