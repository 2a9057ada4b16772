import type { Job } from './job.js';

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
