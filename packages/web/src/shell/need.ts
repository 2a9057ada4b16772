import type { Declaration, Edition } from '@azimuth/model';

/** A part of the interface, as the model declares it. */
export type Need = Pick<Declaration, 'isIn'>;

/** Those whose part of the interface a scanner of this edition has. Before the edition is known, all of them. */
export function availableIn<T extends { readonly needs?: Need }>(
  pages: readonly T[],
  edition: Edition | undefined,
): readonly T[] {
  if (edition === undefined) return pages;
  return pages.filter(({ needs }) => needs === undefined || needs.isIn(edition));
}
