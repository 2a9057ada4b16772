import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';

interface Steps<T> {
  readonly past: readonly T[];
  /** The edits; undefined while there is nothing that the scanner does not have. */
  readonly draft: T | undefined;
  readonly future: readonly T[];
}

/** Steps that can be undone. An older one is forgotten. */
const mostSteps = 200;

/**
 * The edits of something that a scanner has, with the steps that led to them and those that were undone. The steps stay
 * when the edits are sent or discarded: to undo that makes a draft again.
 */
export class EditHistory<T> {
  readonly #steps: Signal<Steps<T>> = signal({ past: [], draft: undefined, future: [] });
  readonly #same: (one: T, other: T) => boolean;
  #gesture: unknown;
  /** Drafts that are on their way to the scanner. */
  #sending = 0;

  constructor(same: (one: T, other: T) => boolean) {
    this.#same = same;
  }

  readonly draft: ReadonlySignal<T | undefined> = computed(() => this.#steps.value.draft);
  readonly canUndo: ReadonlySignal<boolean> = computed(() => this.#steps.value.past.length > 0);
  readonly canRedo: ReadonlySignal<boolean> = computed(() => this.#steps.value.future.length > 0);

  /**
   * Makes a step. Undone steps are lost.
   * @param now what the page shows before it
   * @param gesture what the person does now, if one gesture makes many changes: those with the same gesture, one after
   * another, are one step
   */
  change(now: T, next: T, gesture?: unknown): void {
    if (next === now) return;
    const { past } = this.#steps.peek();
    const goesOn = gesture !== undefined && gesture === this.#gesture;
    this.#gesture = gesture;
    this.#steps.value = { past: goesOn ? past : after(past, now), draft: next, future: [] };
  }

  /** Takes the last step back. @param scanners what the scanner has */
  undo(scanners: T): void {
    const { past, draft, future } = this.#steps.peek();
    const before = past.at(-1);
    if (before === undefined) return;
    this.#show(before, scanners, past.slice(0, -1), [draft ?? scanners, ...future]);
  }

  /** Makes an undone step again. @param scanners what the scanner has */
  redo(scanners: T): void {
    const { past, draft, future } = this.#steps.peek();
    const [next, ...rest] = future;
    if (next === undefined) return;
    this.#show(next, scanners, after(past, draft ?? scanners), rest);
  }

  /**
   * Sends the draft. Steps meanwhile stay a draft, also one back to what the scanner is about to lose. Once the scanner
   * has the draft, the page follows the scanner again, unless it shows something else by then.
   * @param scanners what the scanner has in the end
   * @throws what `sending` throws
   */
  async send(draft: T, sending: () => Promise<void>, scanners: () => T): Promise<void> {
    this.#sending++;
    try {
      await sending();
      if (this.#sending === 1) this.#follow(draft);
    } finally {
      this.#sending--;
      this.#gesture = undefined;
      if (this.#sending === 0) this.#follow(scanners());
    }
  }

  /** Drops the draft, without a step, if it is what the scanner has. */
  #follow(scanners: T): void {
    const steps = this.#steps.peek();
    if (steps.draft !== undefined && this.#same(steps.draft, scanners))
      this.#steps.value = { ...steps, draft: undefined };
  }

  /** Goes back to what the scanner has, as a step of its own. @param scanners what the scanner has */
  discard(scanners: T): void {
    const { past, draft } = this.#steps.peek();
    if (draft !== undefined) this.#show(scanners, scanners, after(past, draft), []);
  }

  /** Records a change that the scanner made itself. A draft is dropped, as a step before it. @param before what it had */
  happened(before: T): void {
    this.discard(before);
    this.#steps.value = { past: after(this.#steps.peek().past, before), draft: undefined, future: [] };
  }

  #show(shown: T, scanners: T, past: readonly T[], future: readonly T[]): void {
    this.#gesture = undefined;
    this.#steps.value = { past, draft: shown, future };
    if (this.#sending === 0) this.#follow(scanners);
  }
}

function after<T>(past: readonly T[], now: T): readonly T[] {
  return [...past, now].slice(-mostSteps);
}
