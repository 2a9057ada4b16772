import type { CallLevel, Section } from '../declaration.js';
import type { Level, LoginLevel } from '../envelope.js';
import type { MethodHook, ProductScanner, VariableHooks } from '../product.js';
import type { Release } from '../release.js';
import type { IntegerFormat } from '../types/integer-format.js';

/** A value type as data. `initial` is the factory value. */
export type TypeDefinition =
  | { readonly kind: 'boolean'; readonly initial?: boolean | undefined }
  | {
      readonly kind: 'integer';
      /** `uint32` by default. */
      readonly format?: IntegerFormat | undefined;
      readonly minimum?: number | undefined;
      readonly maximum?: number | undefined;
      readonly initial?: number | undefined;
    }
  | {
      readonly kind: 'float';
      readonly minimum?: number | undefined;
      readonly maximum?: number | undefined;
      readonly initial?: number | undefined;
    }
  | {
      readonly kind: 'enumeration';
      /** Numbers by their names. */
      readonly values: Readonly<Record<string, number>>;
      /** `uint8` by default. */
      readonly format?: IntegerFormat | undefined;
      /** The first number by default. */
      readonly initial?: number | undefined;
    }
  | {
      readonly kind: 'string';
      /** Characters. */
      readonly maxLength: number;
      readonly minLength?: number | undefined;
      readonly initial?: string | undefined;
    }
  | {
      readonly kind: 'address';
      readonly of: 'IPv4' | 'MAC';
      readonly initial?: readonly number[] | undefined;
    }
  | {
      readonly kind: 'array';
      readonly of: TypeDefinition;
      readonly maxItems: number;
      readonly minItems?: number | undefined;
      readonly initial?: readonly unknown[] | undefined;
    }
  | { readonly kind: 'struct'; readonly members: Readonly<Record<string, TypeDefinition>> };

/** Narrower bounds of the type of an existing variable. Bounds of members and items stand inside. */
export interface RangeDefinition {
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  /** Names of the values of an enumeration that stay. */
  readonly values?: readonly string[] | undefined;
  /** Bounds of each item of an array. */
  readonly of?: RangeDefinition | undefined;
  /** Bounds of members of a struct. */
  readonly members?: Readonly<Record<string, RangeDefinition>> | undefined;
}

/** Facts of an own variable or method that do not depend on its kind. */
interface OwnDefinition {
  /** Name of an own group, or of one of the interface. */
  readonly group: string;
  /** Purpose, in one line for a person. */
  readonly text: string;
  /** First version of the product that has it; all of them by default. */
  readonly since?: string | undefined;
}

/** An own variable. */
export interface OwnVariable extends OwnDefinition, VariableHooks {
  readonly type: TypeDefinition;
  /** Lowest level that may write it; read-only by default. */
  readonly write?: Level | undefined;
  readonly unit?: string | undefined;
  /** True if clients can subscribe to its changes. */
  readonly event?: boolean | undefined;
  /**
   * True if no journal has the values that are written. By default, it is true for a computed variable whose name, or that of
   * a member, looks like that of a secret.
   */
  readonly secret?: boolean | undefined;
}

/** An own method. */
export interface OwnMethod extends OwnDefinition {
  readonly level: CallLevel;
  /** Members of the request. */
  readonly request?: Readonly<Record<string, TypeDefinition>> | undefined;
  /** Members of the response. */
  readonly response?: Readonly<Record<string, TypeDefinition>> | undefined;
  /**
   * Names of the members of the request and of the response that no journal has. By default, they are those whose name, or
   * that of a member in them, looks like that of a secret.
   */
  readonly secrets?: readonly string[] | undefined;
  /** Data that a call loses for good, as a text that follows "loses". */
  readonly loses?: string | undefined;
  readonly called?: MethodHook | undefined;
}

/** A performance profile. */
export interface ProfileDefinition {
  /** Scans a second, in 1/100 Hz. */
  readonly frequency: number;
  /** Angle from beam to beam, in 1/10000°. */
  readonly resolution: number;
  /** Degrees of a segment; by default 30 below 30 Hz, and 60 from 30 Hz on. */
  readonly segment?: number | undefined;
}

/** An own group. */
export interface OwnGroup {
  /** `device` by default. LoadApplicationDefaults resets `application` only. */
  readonly section?: Section | undefined;
}

/** First password of one scanner, as printed on its label. */
export interface LabelPassword {
  readonly serialNumber: string;
  readonly level: LoginLevel;
  readonly password: string;
}

/** A product of one's own. All that is left out is as in the built-in product. */
export interface ProductDefinition {
  /** Name in DeviceIdent, up to 9 characters. */
  readonly name: string;
  /** Up to 18 characters. */
  readonly deviceType: string;
  /** Up to 32 characters. */
  readonly orderNumber: string;
  /** Realm of every login, up to 64 characters. Passwords that are stored with one realm do not count with another. */
  readonly realm: string;
  /** Beginning of the response headers: `Acme` makes `Acme-Detail`. */
  readonly headerPrefix?: string | undefined;
  /** Beginning of the metrics: `acme` makes `acme_scans_total`. */
  readonly metricPrefix?: string | undefined;
  /** First three bytes of MAC addresses: `02:AC:3E`. */
  readonly macPrefix?: string | undefined;
  /** Own versions, each with the release of the interface that it is based on. */
  readonly releases: Readonly<Record<string, Release>>;
  readonly groups?:
    | {
        /** Own groups by name. */
        readonly added?: Readonly<Record<string, OwnGroup>> | undefined;
        /** Names of groups of the interface that the product does not have. */
        readonly removed?: readonly string[] | undefined;
      }
    | undefined;
  readonly variables?: Readonly<Record<string, OwnVariable>> | undefined;
  readonly methods?: Readonly<Record<string, OwnMethod>> | undefined;
  /** Performance profiles by number, in place of those of the interface. */
  readonly profiles?: Readonly<Record<number, ProfileDefinition>> | undefined;
  /** Narrower bounds of existing variables, by name. */
  readonly ranges?: Readonly<Record<string, RangeDefinition>> | undefined;
  /** Factory defaults of existing variables, by name. */
  readonly defaults?: Readonly<Record<string, unknown>> | undefined;
  /** Passwords of a new scanner by user level. */
  readonly firstPasswords?: Readonly<Partial<Record<LoginLevel, string>>> | undefined;
  /** First passwords of single scanners; `labelPasswords` reads them from a file. */
  readonly labels?: readonly LabelPassword[] | undefined;
  /**
   * What a scanner of the product does otherwise than the interface states, on purpose: the reason by the id of the case of
   * `azimuth check` that it does not pass.
   */
  readonly deviations?: Readonly<Record<string, string>> | undefined;
  /** Called at each boot of a scanner. It may return a function that is called when the scanner goes down. */
  readonly start?: ((scanner: ProductScanner) => unknown) | undefined;
}
