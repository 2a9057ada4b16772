import { ClientError, NotDoneError } from '@azimuth/client';
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';

/** Long work, as a page shows it. */
type JobState<R> =
  | { readonly kind: 'idle' }
  /**
   * @property stage what is done now, in words
   * @property done how much of it, in the unit of `total`; both are undefined if nobody knows
   */
  | {
      readonly kind: 'running';
      readonly stage: string;
      readonly done: number | undefined;
      readonly total: number | undefined;
    }
  | { readonly kind: 'done'; readonly result: R }
  | { readonly kind: 'failed'; readonly reason: string };

/** Tells how far a job is. */
type Tell = (stage: string, done?: number, total?: number) => void;

/** Long work that goes on while other pages are shown. There is one run at a time. */
export class Job<R> {
  readonly #state: Signal<JobState<R>> = signal({ kind: 'idle' });

  get state(): ReadonlySignal<JobState<R>> {
    return this.#state;
  }

  get isRunning(): boolean {
    return this.#state.value.kind === 'running';
  }

  /** Does the work, unless it is being done already. A ClientError is its failure; other errors are thrown. */
  async run(stage: string, act: (tell: Tell) => Promise<R>): Promise<void> {
    if (this.#state.peek().kind === 'running') return;
    const tell: Tell = (now, done, total) => {
      this.#state.value = { kind: 'running', stage: now, done, total };
    };
    tell(stage);
    try {
      this.#state.value = { kind: 'done', result: await act(tell) };
    } catch (error) {
      this.#state.value = { kind: 'failed', reason: reasonOf(error) };
      if (!(error instanceof ClientError)) throw error;
    }
  }

  /** Forgets the outcome. */
  clear(): void {
    if (this.#state.peek().kind !== 'running') this.#state.value = { kind: 'idle' };
  }
}

/** Words for people: names of the interface only if there is nothing else to tell. */
function reasonOf(error: unknown): string {
  if (error instanceof NotDoneError && error.detail !== '') return error.detail;
  return error instanceof Error ? error.message : String(error);
}

/** A job of the same kind for each owner, a scanner usually. */
export function jobs<Owner extends object, R>(): (owner: Owner) => Job<R> {
  const made = new WeakMap<Owner, Job<R>>();
  return (owner) => {
    const job = made.get(owner) ?? new Job<R>();
    made.set(owner, job);
    return job;
  };
}

/** What a job is doing, or why it failed. Nothing before it begins, and nothing when it is done. */
export function JobProgress<R>({ job, failed }: { job: Job<R>; failed: string }) {
  const state = job.state.value;
  if (state.kind === 'failed') {
    return (
      <div class="notice bad" role="alert">
        <strong>{failed}</strong>
        <span>{state.reason}</span>
      </div>
    );
  }
  if (state.kind !== 'running') return null;
  const { stage, done, total } = state;
  const known = done !== undefined && total !== undefined && total > 0;
  return (
    <div class="progress" role="status">
      <span>
        {stage}
        {known && <span class="soft"> {Math.floor((100 * done) / total)} %</span>}
      </span>
      {known ? <progress value={done} max={total} aria-label={stage} /> : <progress aria-label={stage} />}
    </div>
  );
}
