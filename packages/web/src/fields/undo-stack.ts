import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';

interface Steps<T> {
  readonly past: readonly T[];
  readonly present: T;
  readonly future: readonly T[];
}

const mostSteps = 200;

/** A value with the steps that led to it, and those that were undone. */
export class UndoStack<T extends object> {
  readonly #steps: Signal<Steps<T>>;
  #gesture: unknown;

  constructor(initial: T) {
    this.#steps = signal({ past: [], present: initial, future: [] });
  }

  readonly present: ReadonlySignal<T> = computed(() => this.#steps.value.present);
  readonly canUndo: ReadonlySignal<boolean> = computed(() => this.#steps.value.past.length > 0);
  readonly canRedo: ReadonlySignal<boolean> = computed(() => this.#steps.value.future.length > 0);

  /**
   * Makes a step. What was undone is lost.
   * @param gesture what the person does now, if one gesture makes many changes: those with the same gesture, one after
   *   another, are one step
   */
  change(next: T, gesture?: unknown): void {
    const { past, present } = this.#steps.peek();
    if (next === present) return;
    const goesOn = gesture !== undefined && gesture === this.#gesture;
    this.#gesture = gesture;
    this.#steps.value = {
      past: goesOn ? past : [...past, present].slice(-mostSteps),
      present: next,
      future: [],
    };
  }

  undo(): void {
    const { past, present, future } = this.#steps.peek();
    const before = past.at(-1);
    if (before === undefined) return;
    this.#gesture = undefined;
    this.#steps.value = { past: past.slice(0, -1), present: before, future: [present, ...future] };
  }

  redo(): void {
    const { past, present, future } = this.#steps.peek();
    const [next, ...rest] = future;
    if (next === undefined) return;
    this.#gesture = undefined;
    this.#steps.value = { past: [...past, present], present: next, future: rest };
  }

  /** Forgets all steps. */
  reset(value: T): void {
    this.#gesture = undefined;
    this.#steps.value = { past: [], present: value, future: [] };
  }
}
