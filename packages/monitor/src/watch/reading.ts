import { AnswerError, RateLimitError, type Scanner, ScannerError, UnreachableError } from '@azimuth/client';
import { Refusal, type Variable } from '@azimuth/model';

/** Longest time (ms) for the answer to one request. A scanner that hangs delays nobody else. */
export const longestAnswer = 3000;

/** An answer to a question for a variable. */
export type Reading =
  | { readonly is: 'value'; readonly value: unknown }
  /** The scanner has no such variable in its release or variant. */
  | { readonly is: 'missing' }
  /** The answer is nothing that the interface allows. */
  | { readonly is: 'malformed'; readonly error: unknown };

/** What a watch needs of a scanner to ask it. */
export type AskedScanner = Pick<Scanner, 'readAny'>;

/** What a watch needs of a scanner. No login: all of it is open to everybody. */
export type WatchedClient = AskedScanner & Pick<Scanner, 'url' | 'eventsAny'>;

/**
 * Reads a variable, and checks its value: whatever a scanner sends, the value has the type and the bounds that the
 * interface states.
 * @param name in requests
 * @throws UnreachableError, RateLimitError if the scanner does not answer
 */
export async function readVariable(
  scanner: AskedScanner,
  { name, variable }: { readonly name: string; readonly variable: Variable<unknown> },
): Promise<Reading> {
  try {
    return checkedReading(variable, await scanner.readAny(name, { timeoutMs: longestAnswer }));
  } catch (error) {
    if (error instanceof ScannerError && error.statusName === 'notFound') return { is: 'missing' };
    if (error instanceof ScannerError || error instanceof AnswerError) return { is: 'malformed', error };
    throw error;
  }
}

/** Checks a value against the type of its variable. */
export function checkedReading({ name, type }: Variable<unknown>, json: unknown): Reading {
  try {
    return { is: 'value', value: type.fromJson(json, name) };
  } catch (error) {
    if (error instanceof Refusal) return { is: 'malformed', error };
    throw error;
  }
}

/** True for errors that mean that the scanner does not answer now. */
export function isSilence(error: unknown): error is UnreachableError | RateLimitError {
  return error instanceof UnreachableError || error instanceof RateLimitError;
}
