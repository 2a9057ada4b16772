import { concurrently } from '@azimuth/async';
import { extensionPrefix } from '@azimuth/model';
import type { Calls } from '../calls.js';
import { AnswerError, ScannerError } from '../errors.js';

/** A scanner answers a few reads at once well, and many with HTTP 429. */
const atOnce = 4;

/** The values of variables, by their names as they are read. A variable that the scanner does not have is left out. */
export async function currentValues(
  scanner: Pick<Calls, 'readAny'>,
  names: readonly string[],
): Promise<ReadonlyMap<string, unknown>> {
  const found = await concurrently(atOnce, names, async (name): Promise<[string, unknown][]> => {
    try {
      return [[name, await scanner.readAny(name)]];
    } catch (error) {
      if (isMissing(error, name)) return [];
      throw error;
    }
  });
  return new Map(found.flat());
}

/** Does a failed read mean that the scanner does not have the variable? One without `/x/` answers there as any web server. */
export function isMissing(error: unknown, name: string): boolean {
  if (error instanceof ScannerError) return error.statusName === 'notFound';
  return error instanceof AnswerError && name.startsWith(extensionPrefix);
}
