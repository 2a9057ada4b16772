import { backupRestore } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import { mayNow } from '../connection/attempt.js';
import { levelToCall } from '../connection/needed-level.js';
import type { ScannerLink } from '../connection/scanner-link.js';
import { NeedsLevel } from '../forms/needs-level.js';
import { JobProgress } from '../jobs/job-progress.js';
import { confirmed } from '../parts/dialogs.js';
import type { Comparison, RestoreDraft } from './restore-draft.js';

const { RestoreParameterBackup } = backupRestore.members;
const level = levelToCall(RestoreParameterBackup);

/** Has the scanner restore a whole file: all of it or nothing, saved at once. The only way for an encrypted file. */
export function WholeRestore({
  link,
  draft,
  comparison,
}: {
  link: ScannerLink;
  draft: RestoreDraft;
  comparison: Comparison;
}) {
  const isOnly = comparison.content === undefined;
  return isOnly ? (
    <Form link={link} draft={draft} comparison={comparison} />
  ) : (
    <details class="collapsible">
      <summary>
        <span class="collapsible-title">Restore the whole file at once</span>{' '}
        <span class="soft small">
          by the scanner: all or nothing, saved at once, with name and network settings
        </span>
      </summary>
      <Form link={link} draft={draft} comparison={comparison} />
    </details>
  );
}

function Form({
  link,
  draft,
  comparison,
}: {
  link: ScannerLink;
  draft: RestoreDraft;
  comparison: Comparison;
}) {
  const passphrase = useSignal('');
  const { content, other, bytes, fileName } = comparison;
  const restore = async (event: Event) => {
    event.preventDefault();
    const question = {
      title: 'Restore the whole file?',
      text: `All parameters of ${fileName} replace those of the scanner, and are saved at once.${
        other === undefined
          ? ''
          : ' The backup is of another scanner: this one gets its name, and after a reboot its address.'
      }`,
      calls: RestoreParameterBackup,
      act: 'Restore',
      danger: true,
    };
    if (!(await mayNow(level)) || !(await confirmed(question))) return;
    await draft.restoreWhole(link, bytes, passphrase.peek());
  };
  const state = draft.whole.state.value;
  return (
    <form class="stack" onSubmit={restore}>
      <div class="row end">
        {content === undefined && (
          <label class="field">
            <span class="small soft">Passphrase of the file</span>
            <input
              type="password"
              autocomplete="off"
              maxLength={256}
              value={passphrase.value}
              onInput={({ currentTarget }) => {
                passphrase.value = currentTarget.value;
              }}
            />
          </label>
        )}
        <button type="submit" class="danger" disabled={draft.whole.isRunning || draft.writing.isRunning}>
          Restore the whole file
        </button>
        <NeedsLevel level={level} />
      </div>
      <JobProgress job={draft.whole} failed="Nothing was restored" />
      {state.kind === 'done' && <Outcome failed={state.result.failed} rebooted={state.result.rebooted} />}
    </form>
  );
}

function Outcome({ failed, rebooted }: { failed: readonly string[]; rebooted: boolean }) {
  return (
    <div class={`notice ${failed.length === 0 ? '' : 'warn'}`} role="status">
      <strong>The file is restored and saved</strong>
      {rebooted && <span>The scanner has rebooted.</span>}
      {failed.length > 0 && <span>These parameters stay as they were: {failed.join(', ')}</span>}
    </div>
  );
}
