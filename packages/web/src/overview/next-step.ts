import type { LoginLevel, Method } from '@azimuth/model';
import type { KnownValues } from '../connection/known-value.js';
import type { Sending } from '../data-route/sending.js';
import type { Severity } from '../parts/severity.js';

/** What a page knows of a scanner when it says what to do next. */
export interface Situation extends KnownValues {
  /** The scanner does not answer: all that is known of it is what it said last. */
  readonly isGone: boolean;
  /** Parameters that a reboot would change; undefined if that is not known. */
  readonly unsaved: readonly string[] | undefined;
  /** What it tells about the scan data that it sends. */
  readonly sending: Sending;
  /** The level that is logged in with the public password of the factory; undefined if there is none. */
  readonly factoryPasswordOf: LoginLevel | undefined;
}

/** The way to mend something: a page, or something that is done at once. */
export type Remedy =
  | { readonly kind: 'page'; readonly page: string; readonly rest: string; readonly words: string }
  | {
      readonly kind: 'call';
      readonly method: Pick<Method<unknown, unknown>, 'name' | 'facts'>;
      readonly words: string;
    }
  | { readonly kind: 'save'; readonly words: string };

/** Something to do, with the reason and the way to do it. */
export interface NextStep {
  readonly id: string;
  readonly severity: Severity;
  readonly title: string;
  readonly why: string;
  readonly remedy?: Remedy | undefined;
}

/** One reason to do something; undefined while it does not apply. */
export type Rule = (situation: Situation) => NextStep | undefined;

/** The page of one parameter. */
export function toParameter(name: string, words: string): Remedy {
  return { kind: 'page', page: 'parameters', rest: name, words };
}
