import { EvaluationGroupType, extensions } from '@azimuth/model';
import { useEffect } from 'preact/hooks';
import { Act, NeedsLevel } from '../connection/acts.js';
import { knownValue } from '../connection/declarations.js';
import { ParameterForm } from '../forms/parameter-form.js';
import { Choice, setting } from '../parts/inputs.js';
import { StateMark } from '../parts/states.js';
import { Since } from '../parts/texts.js';
import { changeText } from './changes-bar.js';
import { areaOf } from './contour.js';
import { type DraftChange, typeOfGroup } from './draft.js';
import { type FieldEditor, noFields } from './field-editor.js';
import { InspectorPanel } from './setting-control.js';
import { fieldsWithoutContour, type TeachInOptions, teachInLevel, teachInOf } from './teach-in.js';

const { teachIn } = extensions.members;
const distance = EvaluationGroupType.PERPENDICULAR_DISTANCE;

export function TeachInPanel({ editor }: { editor: FieldEditor }) {
  const teaching = teachInOf(editor);
  const { busy } = teaching;
  const made = teaching.made.value;
  const since = editor.teachingSince.value;
  const hasEdits = editor.changes.value.length > 0;
  const { seconds } = teaching.options.value;
  const start = () => teaching.start();
  // The result is shown once.
  useEffect(() => setting(teaching.made, undefined), [teaching]);
  return (
    <InspectorPanel editor={editor} label="Teach-in" title="Teach-in">
      {since === undefined && <Explanation editor={editor} />}
      {since === undefined && <Options editor={editor} />}
      {hasEdits && since === undefined && (
        <p class="small refusal">
          Send or discard your edits first: teach-in changes the fields of the scanner.
        </p>
      )}
      {since === undefined ? (
        <div class="row">
          <Act kind="main" level={teachInLevel} busy={busy} disabled={hasEdits} act={start}>
            Start teach-in
          </Act>
          <NeedsLevel level={teachInLevel} />
        </div>
      ) : (
        <>
          <p role="status">
            <StateMark severity="warn">Recording</StateMark> for <Since start={since} /> s.{' '}
            {seconds === 0 ? 'A few seconds are enough.' : `It stops after ${seconds} s.`}
          </p>
          <Preview editor={editor} />
          <div class="row">
            <Act kind="main" level={teachInLevel} busy={busy} act={() => teaching.stop()}>
              Stop, and make the field
            </Act>
            <Act level={teachInLevel} busy={busy} act={start}>
              Start again
            </Act>
          </div>
        </>
      )}
      {made !== undefined && <Made changes={made} editor={editor} />}
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

const durations = [0, 2, 5, 10, 30, 60] as const;

function Options({ editor }: { editor: FieldEditor }) {
  const { options } = teachInOf(editor);
  const { asReference, group, seconds } = options.value;
  const set = (changed: Partial<TeachInOptions>) => {
    options.value = { ...options.peek(), ...changed };
  };
  const definitions = editor.definitions.value ?? noFields;
  const empty = fieldsWithoutContour(editor);
  const groups = definitions.groups.filter((one) => typeOfGroup(definitions, one) !== distance);
  return (
    <div class="stack">
      {empty.length > 0 && (
        <p class="small">
          These have no contour, and get it: {empty.map(({ Id, Name }) => `${Id} ${Name}`.trim()).join(', ')}.
          Their own settings say what it is.
        </p>
      )}
      {empty.length === 0 && editor.scanner.definable.value === 'all' && (
        <>
          <Choice
            words="Makes"
            value={Number(asReference)}
            choose={(one) => set({ asReference: one === 1 })}
            options={[
              [0, 'a field: what is free now has to stay free'],
              [1, 'a reference: what is there now has to stay there'],
            ]}
          />
          <Choice
            words="In the group"
            value={group}
            choose={(one) => set({ group: one })}
            options={[
              [0, 'always active'],
              ...groups.map(({ Id, Name }) => [Id, `${Id} ${Name}`.trim()] as const),
            ]}
          />
        </>
      )}
      <Choice
        words="Stops"
        value={seconds}
        choose={(one) => set({ seconds: one })}
        options={durations.map((one) => [one, one === 0 ? 'by hand' : `after ${one} s`])}
      />
    </div>
  );
}

/** Size of the contour, if the recording stopped now. */
function Preview({ editor }: { editor: FieldEditor }) {
  const contour = editor.seenWhileTeaching.value;
  if (contour.length === 0) return null;
  // A reference was made for this teach-in, or was there without a contour.
  if (fieldsWithoutContour(editor).some(({ ContourAsReference }) => ContourAsReference)) {
    return (
      <p class="small soft">
        The dashed outline on the plan shows what is free so far. A reference becomes a band behind it.
      </p>
    );
  }
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
