import { ClientError, NotDoneError } from '@azimuth/client';
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';

/** State of one thing in a run, as far as it is known. */
export type ItemState =
  | { readonly kind: 'waiting' }
  /** @property stage the present step, in words */
  | { readonly kind: 'doing'; readonly stage: string }
  | { readonly kind: 'done'; readonly text: string }
  | { readonly kind: 'failed'; readonly reason: string }
  /** It was not begun: the run was stopped before. */
  | { readonly kind: 'stopped' };

/** One of the things of a run. */
export interface RunItem<T> {
  readonly of: T;
  readonly state: ReadonlySignal<ItemState>;
}

interface RunOptions {
  /** Number of things that are done at the same time. */
  readonly atOnce: number;
  /** True if nothing new is begun after a failure. */
  readonly stopsAtFailure: boolean;
}

/**
 * Does the same to one thing. Resolves with what was done, in words.
 * @throws ClientError
 */
export type ItemAct<T> = (item: T, tell: (stage: string) => void) => Promise<string>;

/** The same act at several things. What is begun is brought to its end; what is not begun can be stopped. */
export class SiteRun<T> {
  readonly #entries: readonly { readonly of: T; readonly state: Signal<ItemState> }[];
  readonly #act: ItemAct<T>;
  readonly #options: RunOptions;
  readonly #isRunning: Signal<boolean> = signal(false);
  #isStopped = false;

  constructor(items: readonly T[], act: ItemAct<T>, options: RunOptions) {
    this.#entries = items.map((of) => ({ of, state: signal<ItemState>({ kind: 'waiting' }) }));
    this.#act = act;
    this.#options = options;
  }

  get items(): readonly RunItem<T>[] {
    return this.#entries;
  }

  get isRunning(): ReadonlySignal<boolean> {
    return this.#isRunning;
  }

  /** The number of things in a state. */
  count(kind: ItemState['kind']): number {
    return this.#entries.filter(({ state }) => state.value.kind === kind).length;
  }

  /** The things that failed or were not begun. */
  get left(): readonly T[] {
    return this.#entries
      .filter(({ state }) => ['failed', 'stopped'].includes(state.value.kind))
      .map(({ of }) => of);
  }

  /** Begins nothing new. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Does it. Resolves when everything that was begun has ended. */
  async start(): Promise<void> {
    this.#isRunning.value = true;
    const waiting = this.#entries.values();
    const worker = async () => {
      for (const { of, state } of waiting) {
        if (this.#isStopped) state.value = { kind: 'stopped' };
        else await this.#do(of, state);
      }
    };
    try {
      await Promise.all(Array.from({ length: this.#options.atOnce }, worker));
    } finally {
      this.#isRunning.value = false;
    }
  }

  async #do(of: T, state: Signal<ItemState>): Promise<void> {
    const tell = (stage: string) => {
      state.value = { kind: 'doing', stage };
    };
    tell('');
    try {
      state.value = { kind: 'done', text: await this.#act(of, tell) };
    } catch (error) {
      state.value = { kind: 'failed', reason: failureText(error) };
      if (this.#options.stopsAtFailure) this.stop();
    }
  }
}

/** The reason of a failure for a person. */
export function failureText(error: unknown): string {
  if (error instanceof NotDoneError && error.detail !== '') return error.detail;
  return error instanceof ClientError || error instanceof Error ? error.message : String(error);
}
