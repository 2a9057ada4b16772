import type { ScannerLink } from '../connection/scanner-link.js';
import { JobProgress } from '../jobs/job-progress.js';
import { linkTo } from '../routing/route.js';
import { type FirmwareUpdate, stages } from './firmware-update.js';

/** How far an update is. Nothing before it begins. */
export function Steps({ update }: { update: FirmwareUpdate }) {
  const state = update.job.state.value;
  if (state.kind === 'idle') return null;
  const at = stages.findIndex(([stage]) => stage === update.stage.value);
  return (
    <ol class="update-steps">
      {stages.map(([stage, words], index) => {
        const isDone = state.kind === 'done' || index < at;
        const isNow = state.kind === 'running' && index === at;
        const isFailed = state.kind === 'failed' && index === at;
        const word = isDone ? 'done' : isNow ? 'now' : isFailed ? 'failed' : 'to come';
        return (
          <li key={stage} class={word.replace(' ', '-')} aria-current={isNow ? 'step' : undefined}>
            <span class="step-mark" aria-hidden="true">
              {isDone ? '✓' : isFailed ? '✕' : index + 1}
            </span>
            {isNow ? <JobProgress job={update.job} failed="" /> : <span>{words}</span>}
            <span class="hidden-text">: {word}</span>
          </li>
        );
      })}
    </ol>
  );
}

/** What an update has led to. */
export function Outcome({ link, update }: { link: ScannerLink; update: FirmwareUpdate }) {
  const state = update.job.state.value;
  if (state.kind === 'failed') {
    return (
      <div class="notice bad" role="alert">
        <strong>The firmware was not installed</strong>
        <span>{state.reason}</span>
        {link.state.value.kind !== 'gone' && update.stage.value === 'installing' && (
          <span class="soft">The scanner runs what it ran before. Nothing has changed.</span>
        )}
      </div>
    );
  }
  if (state.kind !== 'done') return null;
  const { from, to } = state.result;
  return (
    <div class="notice" role="status">
      <strong>{from === to ? `Firmware ${to} is installed again` : `Firmware ${to} is installed`}</strong>
      {from !== to && <span>Before, the scanner had {from}.</span>}
      <a href={linkTo('overview')}>See the scanner</a>
    </div>
  );
}
