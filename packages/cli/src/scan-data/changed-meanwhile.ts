import { isDeepStrictEqual } from 'node:util';
import { ClientError, type Scanner } from '@azimuth/client';
import { CommandFailure } from '../command-failure.js';

/** A variable with the value that it should have for a while. */
export interface Wish {
  readonly name: string;
  readonly value: unknown;
}

interface Change extends Wish {
  readonly before: unknown;
}

/**
 * Gives variables of a scanner other values while something is done, and puts the former ones back afterwards, however
 * that ends. What somebody else has changed meanwhile is left alone.
 * @throws CommandFailure naming what could not be put back
 */
export async function changedMeanwhile<T>(
  scanner: Scanner,
  wishes: readonly Wish[],
  act: () => Promise<T>,
): Promise<T> {
  const changes: Change[] = [];
  try {
    for (const wish of wishes) {
      const before = await scanner.readAny(wish.name);
      if (isDeepStrictEqual(before, wish.value)) continue;
      // Noted first: a write whose answer was lost may have been done.
      changes.unshift({ ...wish, before });
      await scanner.writeAny(wish.name, wish.value);
    }
    return await act();
  } finally {
    await putBack(scanner, changes);
  }
}

async function putBack(scanner: Scanner, changes: readonly Change[]): Promise<void> {
  const left: string[] = [];
  let reason = '';
  for (const { name, value, before } of changes) {
    try {
      if (isDeepStrictEqual(await scanner.readAny(name), value)) await scanner.writeAny(name, before);
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      left.push(`${name} ${JSON.stringify(before)}`);
      reason = error.message;
    }
  }
  if (left.length === 0) return;
  throw new CommandFailure(
    `the scanner's settings could not all be put back (${reason}); they were: ${left.join(', ')}`,
    'refused',
  );
}
