import { ClientError, NotDoneError } from '@azimuth/client';
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';

/** Long work, as a page shows it. */
type JobState<R> =
  | { readonly kind: 'idle' }
  /**
   * @property stage the present step, in words
   * @property done how much of it, in the unit of `total`; both are undefined if nobody knows
   */
  | {
      readonly kind: 'running';
      readonly stage: string;
      readonly done: number | undefined;
      readonly total: number | undefined;
    }
  | { readonly kind: 'done'; readonly result: R }
  /** @property stage in which it failed */
  | { readonly kind: 'failed'; readonly stage: string; readonly reason: string };

/** Reports the progress of a job. */
type ReportProgress = (stage: string, done?: number, total?: number) => void;

/** Long work that continues while other pages are shown. There is one run at a time. */
export class Job<R> {
  readonly #state: Signal<JobState<R>> = signal({ kind: 'idle' });

  get state(): ReadonlySignal<JobState<R>> {
    return this.#state;
  }

  get isRunning(): boolean {
    return this.#state.value.kind === 'running';
  }

  /**
   * Does the work, unless it is being done already.
   * @param failureText returns the text for an error; undefined for an unexpected error, which is thrown. By default, a
   *   ClientError is expected
   */
  async run(
    stage: string,
    act: (tell: ReportProgress) => Promise<R>,
    failureText = clientFailureText,
  ): Promise<void> {
    if (this.#state.peek().kind === 'running') return;
    let at = stage;
    const tell: ReportProgress = (now, done, total) => {
      at = now;
      this.#state.value = { kind: 'running', stage: now, done, total };
    };
    tell(stage);
    try {
      this.#state.value = { kind: 'done', result: await act(tell) };
    } catch (error) {
      const words = failureText(error);
      this.#state.value = { kind: 'failed', stage: at, reason: words ?? String(error) };
      if (words === undefined) throw error;
    }
  }

  /** Forgets the outcome. */
  clear(): void {
    if (this.#state.peek().kind !== 'running') this.#state.value = { kind: 'idle' };
  }
}

/** Text for a person: names of the interface only if there is no other text. */
function clientFailureText(error: unknown): string | undefined {
  if (error instanceof NotDoneError && error.detail !== '') return error.detail;
  return error instanceof ClientError ? error.message : undefined;
}

/** Shows the stage of a job, the reason of its failure, or its result if that is a text. */
export function JobProgress<R>({
  job,
  failed,
  done,
}: {
  job: Job<R>;
  failed: string;
  done?: (result: R) => string;
}) {
  const state = job.state.value;
  switch (state.kind) {
    case 'idle':
      return null;
    case 'failed':
      return (
        <div class="notice bad" role="alert">
          <strong>{failed}</strong>
          <span>{state.reason}</span>
        </div>
      );
    case 'running':
      return <Progress {...state} />;
    case 'done':
      return done === undefined ? null : (
        <p class="soft" role="status">
          {done(state.result)}
        </p>
      );
  }
}

/** Shows the progress, if it is known, as a text and as a bar. */
export function Progress({
  stage,
  note,
  done,
  total,
}: {
  stage: string;
  note?: string;
  done?: number | undefined;
  total?: number | undefined;
}) {
  const known = done !== undefined && total !== undefined && total > 0;
  const percent = known ? `${Math.floor((100 * done) / total)} %` : undefined;
  return (
    <div class="stacked" role="status">
      <span>
        {stage} <span class="soft">{note ?? percent}</span>
      </span>
      <progress value={known ? done : undefined} max={known ? total : undefined} aria-label={stage} />
    </div>
  );
}
