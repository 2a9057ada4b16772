/** The firmware releases that a scanner can run as, oldest first. */
export const releases = ['1.4.0', '1.5.0', '2.1.0', '2.2.0', '2.3.1', '2.3.3', '2.4.4'] as const;

export type Release = (typeof releases)[number];

/** The version that a scanner of a release states in DeviceIdent, at most 8 characters. */
export function firmwareVersion(release: Release): string {
  return `${release}.0R`;
}

export const oldestRelease: Release = releases[0];
export const newestRelease: Release = releases[releases.length - 1] ?? oldestRelease;

export function isRelease(name: string): name is Release {
  return releases.some((release) => release === name);
}

/** Is `release` the same as `other`, or newer? */
export function isFrom(release: Release, other: Release): boolean {
  return releases.indexOf(release) >= releases.indexOf(other);
}

/** What a scanner is equipped with: `core` has no fields, IMU, encoder, contamination and recorder. */
export const variants = ['full', 'core'] as const;

export type Variant = (typeof variants)[number];

export function isVariant(name: string): name is Variant {
  return variants.some((variant) => variant === name);
}

/** Which interface a scanner serves: the release it runs and the variant it is. */
export interface Edition {
  readonly release: Release;
  readonly variant: Variant;
}
