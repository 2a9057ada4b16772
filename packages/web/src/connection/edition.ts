import { type Edition, isFrom, type Release, releaseOf, variantWith } from '@azimuth/model';

/** Does a scanner of this edition have what came with `release`? */
export function hasSince(edition: Edition | undefined, release: Release): boolean {
  return edition !== undefined && isFrom(edition.release, release);
}

/** @param has which of the things it has by which variants are told apart */
export function editionOf(version: string, has: Parameters<typeof variantWith>[0]): Edition {
  return { release: releaseOf(version), variant: variantWith(has) };
}
