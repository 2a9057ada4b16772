import { type ReadonlySignal, type Signal, signal } from '@preact/signals';

/** ms: no 3D recording takes longer; then the scanner ends and saves it. */
const longest = 30_000;
/** ms between two looks whether it is saved. */
const lookEvery = 300;
/** ms after the longest time until it is looked whether the recording was saved. */
const grace = 1000;

export type RunState =
  | { readonly kind: 'idle' }
  /** @property since ms, by `now` */
  | { readonly kind: 'recording'; readonly since: number }
  | { readonly kind: 'saving' };

interface Options {
  /** Whether the scanner saves a 3D recording now (MergeSaving). */
  readonly isSaving: () => Promise<boolean>;
  /** A 3D recording was saved: the file is new. */
  readonly saved: () => void;
  readonly pause: (ms: number) => Promise<void>;
  /** ms */
  readonly now: () => number;
}

/**
 * A 3D recording that was started here. Not every scanner tells that it records (MergeRunning is not in the published
 * description): so this counts the time, and looks itself whether the recording is saved.
 */
export class RecordingRun {
  readonly #options: Options;
  readonly #state: Signal<RunState> = signal({ kind: 'idle' });

  constructor(options: Options) {
    this.#options = options;
  }

  get state(): ReadonlySignal<RunState> {
    return this.#state;
  }

  /** The scanner has begun. */
  async started(): Promise<void> {
    const { now, pause } = this.#options;
    const own: RunState = { kind: 'recording', since: now() };
    this.#state.value = own;
    await pause(longest + grace);
    if (this.#state.peek() === own) await this.stopped();
  }

  /** It was stopped, or has ended: waits until it is saved. Errors of the scanner end the waiting. */
  async stopped(): Promise<void> {
    if (this.#state.peek().kind === 'saving') return;
    const { isSaving, pause, saved } = this.#options;
    this.#state.value = { kind: 'saving' };
    try {
      while (await isSaving()) await pause(lookEvery);
    } finally {
      this.#state.value = { kind: 'idle' };
    }
    saved();
  }
}
