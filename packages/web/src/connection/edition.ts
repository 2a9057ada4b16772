import {
  type Edition,
  isFrom,
  isRelease,
  oldestRelease,
  type Release,
  releases,
  type Variant,
} from '@azimuth/model';

/**
 * The release whose interface a firmware has: the newest that is not newer than it. A firmware older than all of them has the
 * oldest interface.
 * @param version as DeviceIdent states it, `2.4.4.0R`
 */
export function releaseOf(version: string): Release {
  const numbers = /^(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number) ?? [];
  const exact = numbers.join('.');
  if (isRelease(exact)) return exact;
  const older = releases.filter((release) => !isNewer(release, numbers));
  return older.at(-1) ?? oldestRelease;
}

function isNewer(release: Release, numbers: readonly number[]): boolean {
  for (const [index, part] of release.split('.').map(Number).entries()) {
    const other = numbers[index] ?? 0;
    if (part !== other) return part > other;
  }
  return false;
}

/** Does a scanner of this edition have what came with `release`? */
export function hasSince(edition: Edition | undefined, release: Release): boolean {
  return edition !== undefined && isFrom(edition.release, release);
}

export function editionOf(version: string, hasFields: boolean): Edition {
  const variant: Variant = hasFields ? 'full' : 'core';
  return { release: releaseOf(version), variant };
}
