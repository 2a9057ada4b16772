import type { Variable } from '@azimuth/model';
import { differences } from './differences.js';

/** Parts of one parameter that are told one by one. */
const mostParts = 6;

/**
 * What changes if parameters take other values: a line for each part that differs.
 * @param from the value of a parameter now; undefined if it is not known
 * @param to its value afterwards; undefined if it stays
 */
export function changesTo(
  variables: readonly Variable<unknown>[],
  from: (variable: Variable<unknown>) => unknown,
  to: (variable: Variable<unknown>) => unknown,
): readonly string[] {
  return variables.flatMap((variable) => {
    const [now, then] = [from(variable), to(variable)];
    if (now === undefined || then === undefined) return [];
    const parts = differences(variable.type.shape, now, then, (member) => variable.unitOf(member));
    const lines = parts
      .slice(0, mostParts)
      .map(({ at, from: before, to: after }) => `${variable.name}${at}: ${before} → ${after}`);
    const more = parts.length - lines.length;
    return more > 0 ? [...lines, `${variable.name}: … and ${more} more`] : lines;
  });
}
