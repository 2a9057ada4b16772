import {
  type Edition,
  isFrom,
  leastVariantWith,
  type Release,
  releaseOf,
  type Variable,
} from '@azimuth/model';

/** Does a scanner of this edition have what came with `release`? */
export function hasSince(edition: Edition | undefined, release: Release): boolean {
  return edition !== undefined && isFrom(edition.release, release);
}

/** @param there what the scanner has */
export function editionOf(version: string, there: readonly Variable<unknown>[]): Edition {
  return { release: releaseOf(version), variant: leastVariantWith(there) };
}
