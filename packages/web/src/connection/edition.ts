import { type Edition, isFrom, type Release, releaseOf, type Variant } from '@azimuth/model';

/** Does a scanner of this edition have what came with `release`? */
export function hasSince(edition: Edition | undefined, release: Release): boolean {
  return edition !== undefined && isFrom(edition.release, release);
}

export function editionOf(version: string, hasFields: boolean): Edition {
  const variant: Variant = hasFields ? 'full' : 'core';
  return { release: releaseOf(version), variant };
}
