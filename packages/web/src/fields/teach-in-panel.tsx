import { extensions } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import { Act, NeedsLevel } from '../connection/acts.js';
import { knownValue } from '../connection/declarations.js';
import { ParameterForm } from '../forms/parameter-form.js';
import { StateMark } from '../parts/states.js';
import { Since } from '../parts/texts.js';
import { changeText } from './changes-bar.js';
import { areaOf } from './contour.js';
import { type DraftChange, draftChanges } from './draft.js';
import type { FieldEditor } from './field-editor.js';
import { InspectorPanel } from './setting-control.js';

const { teachIn } = extensions.members;

export function TeachInPanel({ editor }: { editor: FieldEditor }) {
  const busy = useSignal(false);
  const made = useSignal<readonly DraftChange[] | undefined>(undefined);
  const since = editor.teachingSince.value;
  const hasEdits = editor.changes.value.length > 0;
  const start = async () => {
    made.value = undefined;
    await editor.link.call('StartTeachIn');
    editor.teachingSince.value = performance.now();
  };
  const stop = async () => {
    // The scanner has stopped recording, whatever the result is.
    editor.teachingSince.value = undefined;
    const before = editor.scanner.definitions.peek();
    await editor.link.call('StopTeachIn');
    await editor.scanner.readAgain();
    const after = editor.scanner.definitions.peek();
    if (before !== undefined && after !== undefined) made.value = draftChanges(before, after);
  };
  return (
    <InspectorPanel editor={editor} label="Teach-in" title="Teach-in">
      {since === undefined && <Explanation editor={editor} />}
      {hasEdits && since === undefined && (
        <p class="small refusal">
          Send or discard your edits first: teach-in changes the fields of the scanner.
        </p>
      )}
      {since === undefined ? (
        <div class="row">
          <Act kind="main" level="AuthorizedClient" busy={busy} disabled={hasEdits} act={start}>
            Start teach-in
          </Act>
          <NeedsLevel level="AuthorizedClient" />
        </div>
      ) : (
        <>
          <p role="status">
            <StateMark severity="warn">Recording</StateMark> for <Since start={since} /> s. A few seconds are
            enough.
          </p>
          <Preview editor={editor} />
          <div class="row">
            <Act kind="main" level="AuthorizedClient" busy={busy} act={stop}>
              Stop, and make the field
            </Act>
            <Act level="AuthorizedClient" busy={busy} act={start}>
              Start again
            </Act>
          </div>
        </>
      )}
      {made.value !== undefined && <Made changes={made.value} editor={editor} />}
    </InspectorPanel>
  );
}

function Explanation({ editor }: { editor: FieldEditor }) {
  const distance = knownValue(editor.link, teachIn)?.DistanceInFront;
  const before = distance === undefined ? 'a little' : `${distance} mm`;
  return (
    <>
      <p>
        The scanner records what is around it, and makes a contour that ends {before} before everything that
        it saw. Clear the area of people and vehicles first.
      </p>
      <p class="small soft">
        Every field that has no contour gets it. If there is no such field, a new one is made, in a group that
        is always active. It counts at once; save it to keep it after a reboot. A field whose contour is a
        reference gets a band around what was seen.
      </p>
      <ParameterForm name={teachIn.name} label="Settings of teach-in" />
    </>
  );
}

/** Size of the contour, if the recording stopped now. */
function Preview({ editor }: { editor: FieldEditor }) {
  const contour = editor.seenWhileTeaching.value;
  if (contour.length === 0) return null;
  return (
    <p class="small soft">
      The dashed outline on the plan shows the field so far: about {(areaOf(contour) / 1e6).toFixed(1)}
      <span class="unit">m²</span>. Whatever comes nearer makes it smaller.
    </p>
  );
}

function Made({ changes, editor }: { changes: readonly DraftChange[]; editor: FieldEditor }) {
  return (
    <div role="status">
      <StateMark severity="good">Done</StateMark>
      <ul class="small">
        {changes.map((change) => (
          <li key={`${change.of} ${change.id}`}>
            {change.of === 'evaluation' ? (
              <button type="button" class="link" onClick={() => editor.select(change.id)}>
                {changeText(change)}
              </button>
            ) : (
              changeText(change)
            )}
          </li>
        ))}
      </ul>
      {changes.length === 0 && <p class="small soft">The scanner has not told what it changed.</p>}
    </div>
  );
}
