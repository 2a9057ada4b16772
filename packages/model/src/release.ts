/** Firmware releases that a scanner can run as, oldest first. */
export const releases = ['1.4.0', '1.5.0', '2.1.0', '2.2.0', '2.2.1', '2.3.1', '2.3.3', '2.4.4'] as const;

export type Release = (typeof releases)[number];

/** Returns the version that a scanner of a release states in DeviceIdent, at most 8 characters. */
export function firmwareVersion(release: Release): string {
  return `${release}.0R`;
}

export const oldestRelease: Release = releases[0];
export const newestRelease: Release = releases[releases.length - 1] ?? oldestRelease;

export function isRelease(name: string): name is Release {
  return releases.some((release) => release === name);
}

/** Releases of the family that were for another type only. */
const foreignReleases: Readonly<Record<string, string>> = { '2.0.0': 'picoScan120' };

/**
 * Returns the reason why a name is not a release of this scanner: `expected 1.4.0, …, 2.4.4, got "2.0.0", which was for
 * another type, the picoScan120`.
 */
export function releaseMistake(name: string): string {
  const type = foreignReleases[name];
  const foreign = type === undefined ? '' : `, which was for another type, the ${type}`;
  return `expected ${releases.join(', ')}, got "${name}"${foreign}`;
}

/** Returns true if `release` is the same as `other`, or newer. */
export function isFrom(release: Release, other: Release): boolean {
  return releases.indexOf(release) >= releases.indexOf(other);
}

/**
 * Returns the release whose interface a firmware has: the newest that is not newer than it. A firmware older than all
 * of them has the oldest interface.
 * @param version as DeviceIdent states it, `2.4.4.0R`
 */
export function releaseOf(version: string): Release {
  const numbers = /^(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number) ?? [];
  const exact = numbers.join('.');
  if (isRelease(exact)) return exact;
  const older = releases.filter((release) => !isNewer(release, numbers));
  return older.at(-1) ?? oldestRelease;
}

/** Returns true if a version of three numbers, for example `5.0.1`, is newer than another. */
export function isNewerVersion(version: string, other: string): boolean {
  return isNewer(version, other.split('.').map(Number));
}

function isNewer(version: string, numbers: readonly number[]): boolean {
  for (const [index, part] of version.split('.').map(Number).entries()) {
    const other = numbers[index] ?? 0;
    if (part !== other) return part > other;
  }
  return false;
}

/**
 * Equipment of a scanner, each less than the one before. `basic` has no fields, IMU, encoder, contamination and
 * recorder. `picoScan120` is the smaller type: it also lacks profiles, and all filters except the particle filter.
 */
export const variants = ['full', 'basic', 'picoScan120'] as const;

export type Variant = (typeof variants)[number];

/** Variants in words: `full, basic or picoScan120`. */
export const variantsInWords = `${variants.slice(0, -1).join(', ')} or ${variants.at(-1)}`;

export function isVariant(name: string): name is Variant {
  return variants.some((variant) => variant === name);
}

/** Returns the variant that is meant by what a user typed or a file contains. `core` is a former name of `basic`. */
export function variantNamed(name: string): Variant | undefined {
  if (name === 'core') return 'basic';
  return isVariant(name) ? name : undefined;
}

/** Returns true if a scanner of `variant` has everything that one of `other` has. */
export function hasAllOf(variant: Variant, other: Variant): boolean {
  return variants.indexOf(variant) <= variants.indexOf(other);
}

/** Returns the least equipped variant that has all of these variables and methods. */
export function leastVariantWith(all: Iterable<{ readonly variant: Variant | undefined }>): Variant {
  const needed = [...all].flatMap(({ variant }) => variant ?? []);
  return variants.findLast((variant) => needed.every((other) => hasAllOf(variant, other))) ?? 'full';
}

/** The release that a scanner runs, its variant, and the product that it is: they decide what it serves. */
export interface Equipment {
  readonly release: Release;
  readonly variant: Variant;
  /** Undefined for the built-in product. */
  readonly product?:
    | {
        /** Returns true if the product does not have a part of the interface in this version of its firmware. */
        lacks(name: string, version: string | undefined): boolean;
      }
    | undefined;
  /** Version of the product's own firmware; undefined for the built-in product, whose versions are the releases. */
  readonly version?: string | undefined;
}
