import type { Level, Variable } from '@azimuth/model';
import type { Signal } from '@preact/signals';
import { attempt } from '../connection/attempt.js';
import type { ScannerLink } from '../connection/scanner-link.js';
import { type Refusal, refusalBy, refusalOf } from './refusal.js';

/** What a form shows of a write. */
interface Shown {
  readonly busy: Signal<boolean>;
  /** Why the value was not taken; undefined if nothing is wrong. */
  readonly refusal: Signal<Refusal | undefined>;
}

/**
 * Writes a value that the rules of the model take. What the model or the scanner finds wrong with it goes to `refusal`;
 * other failures are told.
 * @returns whether it was written
 */
export async function writeChecked(
  link: ScannerLink,
  variable: Variable<unknown>,
  value: unknown,
  level: Level,
  { busy, refusal }: Shown,
): Promise<boolean> {
  const { name } = variable;
  refusal.value = refusalBy(variable, value);
  if (refusal.value !== undefined) return false;
  const done = await attempt(busy, level, async () => {
    try {
      await link.write(name, value);
    } catch (error) {
      refusal.value = refusalOf(name, error);
      if (refusal.value === undefined) throw error;
    }
  });
  return done && refusal.value === undefined;
}
