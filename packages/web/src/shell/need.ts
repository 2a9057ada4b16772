import type { Declaration, Edition } from '@azimuth/model';

/** A part of the interface, as the model declares it. */
export type Need = Pick<Declaration, 'isIn'>;

/** What a scanner has of what pages need. */
export interface Has {
  /** Undefined until it is known. */
  readonly edition: Edition | undefined;
  /** Can its simulation be controlled from here? */
  readonly simulation: boolean;
}

/** Those whose part of the interface a scanner has. Before the edition is known, those of all editions. */
export function availableIn<T extends { readonly needs?: Need; readonly ofSimulation?: boolean }>(
  pages: readonly T[],
  { edition, simulation }: Has,
): readonly T[] {
  return pages.filter(
    ({ needs, ofSimulation = false }) =>
      (edition === undefined || needs === undefined || needs.isIn(edition)) && (simulation || !ofSimulation),
  );
}
