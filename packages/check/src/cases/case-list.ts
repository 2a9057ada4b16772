import type { ConformanceCase } from './case.js';

/** What the cases of a list have in common, unless they state otherwise. */
type Usual = Pick<ConformanceCase, 'place' | 'level' | 'stage'> & Partial<ConformanceCase>;

/** A case of a list: what differs from the usual. Its id lacks the area. */
export type ListedCase = Pick<ConformanceCase, 'id' | 'clause' | 'steps'> & Partial<ConformanceCase>;

/** Makes cases that have much in common. @param area beginning of their ids */
export function caseList(
  area: string,
  usual: Usual,
  ...cases: readonly ListedCase[]
): readonly ConformanceCase[] {
  return cases.map((one) => ({ ...usual, ...one, id: `${area}.${one.id}` }));
}
