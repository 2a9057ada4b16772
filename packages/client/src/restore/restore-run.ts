import type { Calls } from '../calls.js';
import { ClientError, PasswordMissingError, RateLimitError, ScannerError } from '../errors.js';
import type { PlannedParameter } from './restore-plan.js';

/** What became of one parameter. */
export interface WrittenParameter {
  readonly name: string;
  readonly outcome: /** It has the value now. */
    | 'written'
    /** The scanner did not take the value. */
    | 'refused'
    /** It was sent, but no answer came: it may be written or not. */
    | 'unanswered'
    /** It was not sent. */
    | 'left';
  /** Why it is not written; empty if it is. */
  readonly reason: string;
  /** What went wrong with it; undefined if it is written, or was not sent. */
  readonly error?: ClientError;
}

export interface WriteOptions {
  /** Called with the number of answered parameters, their number in all, and the name of the next one. */
  readonly onProgress?: ((done: number, total: number, next: string) => void) | undefined;
  /** Stops behind the parameter that is being written. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes parameters one after the other, and tells for each of them what became of it. It goes on if the scanner refuses a
 * value, and writes that one again behind the others: ports, for example, may be exchanged with each other. It stops
 * if the scanner is gone or refuses the login. It does not save.
 */
export async function writeParameters(
  scanner: Pick<Calls, 'writeAny'>,
  parameters: readonly Pick<PlannedParameter, 'name' | 'to'>[],
  { onProgress = () => undefined, signal }: WriteOptions = {},
): Promise<readonly WrittenParameter[]> {
  const results = new Map<string, WrittenParameter>();
  let stopped: string | undefined;
  const write = async (name: string, to: unknown) => {
    if (signal?.aborted) stopped = 'stopped before';
    if (stopped !== undefined) return;
    onProgress(results.size, parameters.length, name);
    try {
      await scanner.writeAny(name, to);
      results.set(name, { name, outcome: 'written', reason: '' });
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      results.set(name, { name, outcome: outcomeOf(error), reason: error.message, error });
      if (!concernsValue(error)) stopped = error.message;
    }
  };
  for (const { name, to } of parameters) await write(name, to);
  for (const { name, to } of parameters) {
    if (results.get(name)?.outcome === 'refused') await write(name, to);
  }
  return parameters.map(
    ({ name }) => results.get(name) ?? { name, outcome: 'left', reason: stopped ?? 'stopped before' },
  );
}

function outcomeOf(error: ClientError): WrittenParameter['outcome'] {
  if (error instanceof ScannerError) return 'refused';
  return error instanceof PasswordMissingError || error instanceof RateLimitError ? 'left' : 'unanswered';
}

/** Does a refusal concern this value, and not the login or the scanner? */
function concernsValue(error: ClientError): boolean {
  return (
    error instanceof ScannerError &&
    error.statusName !== 'accessDenied' &&
    error.statusName !== 'internalServerError'
  );
}
