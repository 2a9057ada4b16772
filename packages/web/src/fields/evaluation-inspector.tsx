import { counted, type Evaluation, type FieldDefinitions, FieldState } from '@azimuth/model';
import type { ScannerLink } from '../connection/scanner-link.js';
import { isLeaf } from '../forms/control.js';
import { stateWord } from '../live/field-words.js';
import { StateMark } from '../parts/state-mark.js';
import { BackToList } from './back-to-list.js';
import { areaOf } from './contour-editing.js';
import { CornerTable } from './corner-table.js';
import { evaluationWith, shapeAt } from './definition-shapes.js';
import { typeOfGroup, withCopy, withMembership, withoutEvaluation } from './draft.js';
import { subjectOf } from './fault-subject.js';
import { type FieldEditor, isField } from './field-editor.js';
import { distanceResults, fieldResults } from './field-results.js';
import { memberHints, membersOfDistance, membersWithoutEffect } from './member-hints.js';
import { SettingControl } from './setting-control.js';
import { spokenFault } from './spoken-fault.js';

interface Properties {
  readonly editor: FieldEditor;
  readonly link: ScannerLink;
  readonly evaluation: Evaluation;
}

/** Everything about one evaluation: its result, its settings, its groups, and its corners. */
export function EvaluationInspector({ editor, link, evaluation }: Properties) {
  const definitions = editor.definitions.value;
  const isWhole = editor.scanner.definable.value === 'whole';
  if (definitions === undefined) return null;
  const { Id, Name, Points } = evaluation;
  const faults = editor.faults.value.filter(({ at }) => {
    const subject = subjectOf(definitions, at);
    return subject?.of === 'evaluation' && subject.id === Id;
  });
  return (
    <section class="panel inspector-panel" aria-label={`Field ${Id}`}>
      <div class="inspector-head">
        <BackToList editor={editor} />
        <h2>
          {isField(evaluation) ? 'Field' : 'Distance'} {Id} {Name}
        </h2>
        <Result link={link} evaluation={evaluation} />
      </div>
      {faults.map(({ reason }) => (
        <p key={reason} class="refusal" role="alert">
          Not valid: {spokenFault(reason)}.
        </p>
      ))}
      {isWhole && <Acts editor={editor} definitions={definitions} id={Id} />}
      {isWhole && <Settings editor={editor} evaluation={evaluation} />}
      {isWhole && <Membership editor={editor} definitions={definitions} evaluation={evaluation} />}
      {!isField(evaluation) && <Line editor={editor} evaluation={evaluation} />}
      <h3>Contour</h3>
      {Points.length === 0 ? (
        <p class="small soft">
          It has no contour yet, so it is not evaluated. Choose Polygon, Rectangle or Sector above the view
          and draw it.
        </p>
      ) : (
        <>
          <p class="small soft">
            {counted(Points.length, 'corner')}, {(areaOf(Points) / 1e6).toFixed(2)} m². Drag a corner in the
            view, or select it and press the arrow keys: 10 mm, with Shift 100 mm. Delete takes it out.
          </p>
          <CornerTable editor={editor} evaluation={evaluation} of="Points" />
          {isWhole && (
            <div class="row">
              <button type="button" onClick={() => editor.editEvaluation(Id, { Points: [] })}>
                Clear the contour
              </button>
            </div>
          )}
        </>
      )}
    </section>
  );
}

function Result({ link, evaluation }: { link: ScannerLink; evaluation: Evaluation }) {
  if (!isField(evaluation)) return <DistanceText link={link} id={evaluation.Id} />;
  const result = fieldResults(link.value('FieldEvaluationResult')).get(evaluation.Id);
  const { severity, word } = stateWord(result?.state ?? FieldState.NOT_CONFIGURED);
  return (
    <p>
      <StateMark severity={severity}>{word}</StateMark>{' '}
      {result?.position !== undefined && (
        <span class="small soft">
          nearest object at x {result.position.x} mm, y {result.position.y} mm
        </span>
      )}
    </p>
  );
}

function DistanceText({ link, id }: { link: ScannerLink; id: number }) {
  const result = distanceResults(link.value('perpendicularDistanceResult')).get(id);
  if (result === undefined)
    return <p class="small soft">No distance: nothing is in the area, or it is not active.</p>;
  const { minimumDistance, maximumDistance } = result;
  return (
    <dl class="facts">
      <dt>Smallest distance</dt>
      <dd>
        {minimumDistance}
        <span class="unit">mm</span> {sideOf(minimumDistance)}
      </dd>
      <dt>Largest distance</dt>
      <dd>
        {maximumDistance}
        <span class="unit">mm</span> {sideOf(maximumDistance)}
      </dd>
    </dl>
  );
}

function sideOf(distance: number) {
  if (distance === 0) return null;
  return <span class="small soft">{distance > 0 ? 'left of the line' : 'right of the line'}</span>;
}

function Acts({
  editor,
  definitions,
  id,
}: {
  editor: FieldEditor;
  definitions: FieldDefinitions;
  id: number;
}) {
  const duplicate = () => {
    const copy = withCopy(definitions, id);
    if (copy === undefined) return;
    editor.edit(copy.definitions);
    editor.select(copy.id);
  };
  const remove = () => {
    editor.edit(withoutEvaluation(definitions, id));
    editor.selection.value = undefined;
  };
  return (
    <div class="row">
      <button type="button" onClick={duplicate}>
        Duplicate
      </button>
      <button type="button" class="danger" onClick={remove}>
        Delete
      </button>
    </div>
  );
}

function Settings({ editor, evaluation }: { editor: FieldEditor; evaluation: Evaluation }) {
  const shape = shapeAt('evaluations');
  const members = shape.kind === 'struct' ? Object.entries(shape.members) : [];
  const current: Readonly<Record<string, unknown>> = { ...evaluation };
  const take = (name: string, value: unknown) => {
    const changed = evaluationWith(evaluation, name, value);
    const line =
      name === 'Type' && !isField(changed) && changed.ReferenceLine.length < 2
        ? { ReferenceLine: changed.Points.slice(0, 2) }
        : {};
    const { Id, ...rest } = changed;
    editor.editEvaluation(Id, { ...rest, ...line }, `typed ${Id} ${name}`);
  };
  return (
    <div class="settings">
      {members
        .filter(([name, { shape: of }]) => isLeaf(of) && name !== 'Id' && !membersWithoutEffect.has(name))
        .filter(([name]) => isField(evaluation) || membersOfDistance.has(name))
        .map(([name, { shape: of }]) => (
          <SettingControl
            key={`${evaluation.Id} ${name}`}
            name={name}
            shape={of}
            value={current[name]}
            take={(value) => take(name, value)}
            hint={hintOf(name)}
          />
        ))}
    </div>
  );
}

function hintOf(name: string): string | undefined {
  return Object.entries(memberHints).find(([member]) => member === name)?.[1];
}

function Membership({
  editor,
  definitions,
  evaluation,
}: {
  editor: FieldEditor;
  definitions: FieldDefinitions;
  evaluation: Evaluation;
}) {
  const { Id, Type } = evaluation;
  const fitting = definitions.groups.filter((group) => (typeOfGroup(definitions, group) ?? Type) === Type);
  const isInNone = !fitting.some(({ Evaluations }) => Evaluations.includes(Id));
  return (
    <fieldset class="membership">
      <legend>In groups</legend>
      {fitting.map((group) => (
        <label key={group.Id} class="row">
          <input
            type="checkbox"
            checked={group.Evaluations.includes(Id)}
            onChange={({ currentTarget }) =>
              editor.edit(withMembership(definitions, group.Id, Id, currentTarget.checked))
            }
          />
          {group.Id} {group.Name}
        </label>
      ))}
      {isInNone && <p class="small refusal">In no group: it is never active.</p>}
    </fieldset>
  );
}

function Line({ editor, evaluation }: { editor: FieldEditor; evaluation: Evaluation }) {
  return (
    <>
      <h3>Reference line</h3>
      <p class="small soft">
        Distances are measured from the straight line through these two points. To its left, seen along the
        arrow, they are positive.
      </p>
      {evaluation.ReferenceLine.length > 0 && (
        <CornerTable editor={editor} evaluation={evaluation} of="ReferenceLine" />
      )}
      <div class="row">
        <button type="button" onClick={() => editor.draw('line')}>
          Draw the line
        </button>
      </div>
    </>
  );
}
