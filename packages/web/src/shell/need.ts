import type { Declaration, Edition } from '@azimuth/model';

/** A part of the interface, as the model declares it. */
export type Need = Pick<Declaration, 'isIn'>;

/** What a scanner has of what pages need. */
export interface Has {
  /** Undefined until it is known. */
  readonly edition: Edition | undefined;
  /** Can its simulation be controlled from here? */
  readonly simulation: boolean;
  /** Is it one of several scanners? */
  readonly others: boolean;
}

/** What a page can demand of a scanner. */
interface Demands {
  readonly needs?: Need;
  readonly ofSimulation?: boolean;
  readonly ofSeveral?: boolean;
}

/** Is a scanner known to lack what a page needs? */
export function lacks(edition: Edition | undefined, { needs }: Demands): boolean {
  return edition !== undefined && needs?.isIn(edition) === false;
}

/** Those whose demands a scanner meets. Before the edition is known, those of all editions. */
export function availableIn<T extends Demands>(
  pages: readonly T[],
  { edition, simulation, others }: Has,
): readonly T[] {
  return pages.filter(
    (page) =>
      !lacks(edition, page) &&
      (simulation || page.ofSimulation !== true) &&
      (others || page.ofSeveral !== true),
  );
}
