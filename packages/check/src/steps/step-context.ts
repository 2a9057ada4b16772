import type { LoginLevel } from '@azimuth/model';
import type { Mismatch } from '../match/matcher.js';
import type { CheckSubject, CheckTarget } from '../scanner/checked-scanner.js';
import type { Capture } from '../telegram/capture.js';
import type { HttpExchange } from '../wire/http-exchange.js';

/** What the steps of one case share. */
export interface StepContext {
  readonly target: CheckTarget;
  readonly subject: CheckSubject;
  readonly http: HttpExchange;
  /** Values that steps have saved, by name. */
  readonly saved: Map<string, unknown>;
  readonly signal: AbortSignal;
  /** What was taken of streams in this check, by the settings: cases that need the same share it. */
  readonly samples: Map<string, Capture>;
  /** Notes the value of a variable before a step changes it: it is put back after the case. */
  changing(name: string, before: unknown): void;
  /** Adds what has to be closed when the case is over; the last is closed first. */
  closeAtEnd(close: () => unknown): void;
}

/** A scanner did not do what a step expects. */
export class Unmet extends Error {
  override readonly name = 'Unmet';

  constructor(
    readonly mismatch: Mismatch,
    /** Commands for a terminal that show it by hand. */
    readonly byHand: readonly string[] = [],
  ) {
    super(`${mismatch.at}: expected ${mismatch.expected}, came ${mismatch.came}`);
  }
}

/** A case cannot be tested here: something that it needs is missing. */
export class NotTestable extends Error {
  override readonly name = 'NotTestable';
}

/** Returns the password of a level. @throws NotTestable if it is not known */
export function passwordOf({ target }: Pick<StepContext, 'target'>, level: LoginLevel): string {
  const password = target.passwords[level];
  if (password === undefined) throw new NotTestable(`needs the password of ${level}`);
  return password;
}

/** Longest time of an answer in ms, if the target states none. */
export const usualTimeout = 5000;

/** Returns `http(s)://HOST:PORT` of the target, or of its HTTPS. @throws NotTestable if it has no HTTPS */
export function targetUrl(over: 'https' | undefined, { target }: Pick<StepContext, 'target'>): string {
  const isSecure = target.url.startsWith('https:');
  const url = over === undefined || isSecure ? target.url : target.httpsUrl;
  if (url === undefined) throw new NotTestable('needs HTTPS');
  return url;
}
