import type { Level } from '@azimuth/model';
import { type Signal, signal } from '@preact/signals';

interface Wanted {
  /** The level that is needed; undefined if any will do. */
  readonly level: Level | undefined;
  readonly done: (entered: boolean) => void;
}

/** The login that something on a page waits for. */
export const wanted: Signal<Wanted | undefined> = signal(undefined);

/** Asks for a login of at least this level, or of any. Answers whether there is one. */
export function loginWanted(level?: Level): Promise<boolean> {
  return new Promise((resolve) => {
    wanted.value = {
      level,
      done: (entered) => {
        wanted.value = undefined;
        resolve(entered);
      },
    };
  });
}
