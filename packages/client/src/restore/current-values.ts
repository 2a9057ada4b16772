import { concurrently } from '@azimuth/async';
import { extensionPrefix } from '@azimuth/model';
import type { Calls } from '../calls.js';
import { AnswerError, ScannerError } from '../errors.js';

/** Number of reads at the same time: a scanner answers many with HTTP 429. */
const atOnce = 4;

/** Reads the values of variables, by their names in requests. A variable that the scanner does not have is left out. */
export async function currentValues(
  scanner: Pick<Calls, 'readAny'>,
  names: readonly string[],
): Promise<ReadonlyMap<string, unknown>> {
  const values = await concurrently(atOnce, names, async (name): Promise<[string, unknown][]> => {
    try {
      return [[name, await scanner.readAny(name)]];
    } catch (error) {
      if (isMissing(error, name)) return [];
      throw error;
    }
  });
  return new Map(values.flat());
}

/**
 * True if a failed read means that the scanner does not have the variable. For `/x/`, a scanner without extensions
 * answers as any web server.
 */
export function isMissing(error: unknown, name: string): boolean {
  if (error instanceof ScannerError) return error.statusName === 'notFound';
  return error instanceof AnswerError && name.startsWith(extensionPrefix);
}
