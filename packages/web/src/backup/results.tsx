import type { WrittenParameter } from '@azimuth/client';
import { counted, general } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import { attempt } from '../connection/attempt.js';
import { levelToCall } from '../connection/needed-level.js';
import type { ScannerLink } from '../connection/scanner-link.js';
import type { RestoreDraft } from './restore-draft.js';

const words = {
  written: 'written',
  refused: 'refused',
  unanswered: 'sent, but no answer came: it may be written or not',
  left: 'not written',
} as const;

/** What a restore has written and what not. Nothing before it has ended. */
export function Results({ link, draft }: { link: ScannerLink; draft: RestoreDraft }) {
  const state = draft.writing.state.value;
  if (state.kind !== 'done') return null;
  const written = state.result.filter(({ outcome }) => outcome === 'written').length;
  const others = state.result.filter(({ outcome }) => outcome !== 'written');
  const all = others.length === 0;
  const isSaved = link.stored.unsaved.value?.length === 0;
  return (
    <>
      <div class={`notice ${all ? '' : 'warn'}`} role="status">
        <strong>
          {all
            ? written === 1
              ? 'The parameter is restored'
              : `All ${written} parameters are restored`
            : `${written} of ${counted(state.result.length, 'parameter')} ${written === 1 ? 'is' : 'are'} restored`}
        </strong>
        <span>
          {isSaved
            ? 'They count now, and are saved.'
            : 'They count now, and are lost at a reboot unless you save them.'}
        </span>
      </div>
      {others.length > 0 && <Others results={others} />}
      <div class="row">
        {written > 0 && !isSaved && <SaveButton link={link} />}
        {others.length > 0 && (
          <button type="button" onClick={() => draft.writing.clear()}>
            Back to the list
          </button>
        )}
      </div>
    </>
  );
}

function Others({ results }: { results: readonly WrittenParameter[] }) {
  return (
    <div class="wide">
      <table>
        <thead>
          <tr>
            <th scope="col">Parameter</th>
            <th scope="col">What became of it</th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
          {results.map(({ name, outcome, reason }) => (
            <tr key={name}>
              <td>{name}</td>
              <td>{words[outcome]}</td>
              <td>{reason}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function SaveButton({ link }: { link: ScannerLink }) {
  const busy = useSignal(false);
  const save = () => attempt(busy, levelToCall(general.members.WriteEeprom), () => link.save());
  return (
    <button type="button" class="main" disabled={busy.value} onClick={save}>
      Save
    </button>
  );
}
