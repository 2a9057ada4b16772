import { Fault, parseInput, type ValueType } from '@azimuth/model';

/**
 * The value that words mean, in JSON or in its natural form, checked.
 * @throws Fault, as the scanner would refuse it.
 */
export function valueOfWords<T>(type: ValueType<T>, name: string, words: string): T {
  return type.fromJson(
    placed(name, () => parseInput(type.shape, words)),
    name,
  );
}

/** Words alone do not know where they stand: the place is put before what is wrong with them. */
export function placed<T>(at: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof Fault && error.at === '') throw new Fault(error.status, at, error.reason);
    throw error;
  }
}
