import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';

/** A time without the scanner that somebody here has asked for: a reboot, or a new address. */
export type Absence =
  /** @property reason what the scanner does: `reboots` */
  | { readonly kind: 'leaving' | 'away'; readonly reason: string; readonly since: number }
  /** @property seconds how long it was away */
  | { readonly kind: 'back'; readonly reason: string; readonly seconds: number };

/** ms for which it is shown that the scanner is back. */
const shownFor = 10_000;
/** ms after which a scanner that never went away counts as back: its absence was too short to be seen. */
const leavesWithin = 15_000;

/** Follows the absences of a scanner that this page has caused. */
export class Absences {
  readonly #current: Signal<Absence | undefined> = signal(undefined);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param isGone whether the scanner does not answer now */
  constructor(isGone: () => boolean) {
    effect(() => {
      const gone = isGone();
      const absence = this.#current.peek();
      if (absence === undefined || absence.kind === 'back') return;
      if (gone) this.#set({ ...absence, kind: 'away' });
      else if (absence.kind === 'away') this.#back();
    });
  }

  get current(): ReadonlySignal<Absence | undefined> {
    return this.#current;
  }

  /** The scanner was asked for something that takes it away for a while. */
  expect(reason: string): void {
    this.#set({ kind: 'leaving', reason, since: performance.now() });
    this.#timer = setTimeout(() => {
      if (this.#current.peek()?.kind === 'leaving') this.#back();
    }, leavesWithin);
  }

  /** It is not waited for any more. */
  forget(): void {
    this.#set(undefined);
  }

  #back(): void {
    const absence = this.#current.peek();
    if (absence === undefined || absence.kind === 'back') return;
    const seconds = Math.round((performance.now() - absence.since) / 1000);
    this.#set({ kind: 'back', reason: absence.reason, seconds });
    this.#timer = setTimeout(() => this.forget(), shownFor);
  }

  #set(absence: Absence | undefined): void {
    clearTimeout(this.#timer);
    this.#current.value = absence;
  }
}
