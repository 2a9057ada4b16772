import { isRelease, newestRelease, type Release, releases } from '@azimuth/model';

/** The number in a version: `2.4.4` of `2.4.4.0R` and of `V2.4.4`. */
export function versionIn(version: string): string {
  return /\d+\.\d+\.\d+/.exec(version)?.[0] ?? version;
}

/** The release of a version; one between two known releases behaves like the older of them. */
export function releaseOf(version: string | undefined): Release | undefined {
  const number = version === undefined ? '' : versionIn(version);
  if (isRelease(number)) return number;
  if (!/^\d+\.\d+\.\d+$/.test(number) || isBelow(newestRelease, number)) return undefined;
  return releases.findLast((release) => isBelow(release, number));
}

function isBelow(one: string, other: string): boolean {
  return one.localeCompare(other, 'en', { numeric: true }) < 0;
}
