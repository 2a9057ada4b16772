import { counted } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import { attempt, NeedsLevel } from '../connection/acts.js';
import { changesTo } from '../forms/differences.js';
import { levelOf, type OutputDraft } from './output-draft.js';

/** Changes that the scanner does not have yet, with the buttons that apply or drop them. Nothing if there are none. */
export function DraftBar({ draft }: { draft: OutputDraft }) {
  const busy = useSignal(false);
  const changes = draft.changes.value;
  if (changes.length === 0) return null;
  const level = levelOf(changes);
  const lines = changesTo(
    changes.map(({ variable }) => variable),
    ({ name }) => changes.find(({ variable }) => variable.name === name)?.from,
    ({ name }) => changes.find(({ variable }) => variable.name === name)?.to,
  );
  return (
    <section class="panel changes-bar" aria-label="Changes that are not applied">
      <h2>{counted(lines.length, 'change')} not applied</h2>
      <ul class="small changed">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {draft.refusals.value.size > 0 && (
        <p class="small refusal" role="alert">
          Not applied: a value below is not allowed.
        </p>
      )}
      <div class="row">
        <button
          type="button"
          class="main"
          disabled={busy.value}
          onClick={() => attempt(busy, level, () => draft.apply())}
        >
          {busy.value ? 'Applying …' : 'Apply'}
        </button>
        <button type="button" disabled={busy.value} onClick={() => draft.undo()}>
          Undo
        </button>
        <button type="button" disabled={busy.value} onClick={() => draft.discard()}>
          Discard
        </button>
        <NeedsLevel level={level} />
      </div>
    </section>
  );
}
