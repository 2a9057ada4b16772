import type { Declaration, Group, Variable } from './declaration.js';
import type { LoginLevel } from './envelope.js';
import type { ProfileFacts } from './performance-profile.js';
import { type Equipment, firmwareVersion, type Release } from './release.js';

/** Lines of the log of a scanner. */
interface ProductLog {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** The scanner that a hook of a product runs for. Each scanner has one object of its own. */
export interface ProductScanner {
  readonly serialNumber: string;
  readonly log: ProductLog;
  /**
   * Returns the value of a variable of the interface, an own one or `x/` with an extension.
   * @throws TypeError for a name that the scanner does not have
   */
  read(name: string): unknown;
  /** Tells the scanner that own variables with a `computed` hook have new values. Events are pushed then. */
  changed(...names: string[]): void;
  /** Refuses a write or a call with status 9. Its reason goes to the client. */
  refuse(reason: string): never;
}

/** What an own variable does beyond keeping its value. */
export interface VariableHooks {
  /** Returns the value; the variable is then not kept by the scanner. */
  readonly computed?: ((scanner: ProductScanner) => unknown) | undefined;
  /** Returns the reason why a value is refused; nothing, or false, if it is not. Called before a write takes effect. */
  readonly refuses?:
    | ((value: unknown, scanner: ProductScanner) => string | false | null | undefined)
    | undefined;
  /**
   * Takes a value. With `computed`: called by each write instead of the scanner's own storage; it may refuse. Without:
   * called at each boot, and after each change.
   */
  readonly written?: ((value: unknown, scanner: ProductScanner) => unknown) | undefined;
  /** Names of variables whose change is a change of this computed one. */
  readonly from?: readonly string[] | undefined;
}

/** Performs an own method. Returns its response, or a promise of it. */
export type MethodHook = (request: Readonly<Record<string, unknown>>, scanner: ProductScanner) => unknown;

/** A version of the firmware of a product. */
export interface ProductRelease {
  /** Its number: `5.0.1`. */
  readonly version: string;
  /** Release of the interface that it is based on. */
  readonly base: Release;
}

/** What a scanner calls itself, and how it differs from the interface that all products share. */
export interface Product {
  /** Name in DeviceIdent. A folder remembers it. */
  readonly name: string;
  readonly deviceType: string;
  readonly orderNumber: string;
  /** Realm of every login. */
  readonly realm: string;
  /** Beginning of the names of its response headers, as in `Azimuth-Detail`. */
  readonly headerPrefix: string;
  /** Beginning of the names of its metrics, as in `azimuth_scans_total`. */
  readonly metricPrefix: string;
  /** The vendor's three bytes of each MAC address. */
  readonly macPrefix: readonly number[];
  /** Oldest first. */
  readonly releases: readonly ProductRelease[];
  /** Passwords of a new scanner by user level. */
  readonly firstPasswords: Readonly<Record<LoginLevel, string>>;
  /** Passwords of single new scanners, by serial number: they are printed on their labels. */
  readonly labels: ReadonlyMap<string, Readonly<Partial<Record<LoginLevel, string>>>>;
  /** Why the passwords of single scanners could not be read: a scanner that needs its first passwords cannot start then. */
  readonly labelsMissing?: string | undefined;
  /** Performance profiles by number. */
  readonly profiles: Readonly<Record<number, ProfileFacts>>;
  /** Groups of the interface that the product has, with their declarations, then its own groups. */
  readonly groups: readonly Group<Readonly<Record<string, Declaration>>>[];
  /** Variables under `/x/`. */
  readonly extensions: readonly Variable<unknown>[];
  /** Reasons of what it does otherwise on purpose, by the id of the case of `azimuth check`. */
  readonly deviations: ReadonlyMap<string, string>;
  /** Hooks of own variables by name. */
  readonly hooks: ReadonlyMap<string, VariableHooks>;
  /** What own methods do, by name. */
  readonly methods: ReadonlyMap<string, MethodHook>;
  /** Called at each boot of a scanner. The function that it returns is called when the scanner goes down. */
  readonly start?: ((scanner: ProductScanner) => unknown) | undefined;
  lacks(name: string, version: string | undefined): boolean;
}

/** Interface that a scanner serves: release, variant, and the product with its version, if it is not the built-in one. */
export interface Edition extends Equipment {
  readonly product?: Product | undefined;
}

/** Returns the version of the firmware as DeviceIdent states it, at most 8 characters. */
export function versionTextOf({ release, version }: Pick<Edition, 'release' | 'version'>): string {
  return version ?? firmwareVersion(release);
}

/** Returns the facts of an edition as plain data, for documents. */
export function editionFacts({ release, variant, product, version }: Edition): EditionFacts {
  return product === undefined ? { release, variant } : { release, variant, product: product.name, version };
}

/** An edition as documents state it. */
export interface EditionFacts extends Pick<Edition, 'release' | 'variant' | 'version'> {
  /** Name of the product; undefined for the built-in one. */
  readonly product?: string | undefined;
}
