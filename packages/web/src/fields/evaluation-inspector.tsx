import { counted, type Evaluation, FieldState, mostCorners, type Point } from '@azimuth/model';
import { LeafControl } from '../forms/leaf-control.js';
import { isLeaf } from '../forms/value-text.js';
import { Tick } from '../parts/inputs.js';
import { type Column, Facts, Quantity, Table } from '../parts/panels.js';
import { StateMark } from '../parts/states.js';
import { distanceResults, fieldResults, stateWord } from '../plan/field-areas.js';
import { areaOf, middleOfSide, withCornerAfter } from './contour.js';
import { DistanceDependence } from './distance-dependence.js';
import { spokenReason, subjectOf, typeOfGroup } from './draft.js';
import { type EvaluationPart, type FieldEditor, isField, noFields } from './field-editor.js';
import { contourFromText, fieldFromText, jsonText } from './field-json.js';
import { JsonPanel } from './json-panel.js';
import { ReadContours } from './read-contours.js';
import {
  evaluationWith,
  InspectorPanel,
  SettingControl,
  shapeOf,
  useRefusedInput,
} from './setting-control.js';
import '../style/forms.css';

interface Properties {
  readonly editor: FieldEditor;
  readonly evaluation: Evaluation;
}

export function EvaluationInspector({ editor, evaluation }: Properties) {
  const definitions = editor.definitions.value;
  const isDefinable = editor.scanner.definable.value === 'all';
  if (definitions === undefined) return null;
  const { Id, Name, Points } = evaluation;
  const refusals = editor.refusals.value.filter(({ at }) => {
    const subject = subjectOf(definitions, at);
    return subject?.of === 'evaluation' && subject.id === Id;
  });
  return (
    <InspectorPanel
      editor={editor}
      label={`Field ${Id}`}
      title={`${isField(evaluation) ? 'Field' : 'Distance'} ${Id} ${Name}`}
      state={<Result editor={editor} evaluation={evaluation} />}
    >
      {refusals.map(({ reason }) => (
        <p key={reason} class="refusal" role="alert">
          Not valid: {spokenReason(reason)}.
        </p>
      ))}
      {isDefinable && <Acts editor={editor} evaluation={evaluation} />}
      {isDefinable && <Settings editor={editor} evaluation={evaluation} />}
      {isDefinable && isField(evaluation) && <DistanceDependence editor={editor} evaluation={evaluation} />}
      {isDefinable && <Membership editor={editor} evaluation={evaluation} />}
      {!isField(evaluation) && <Line editor={editor} evaluation={evaluation} />}
      <h3>Contour</h3>
      {Points.length === 0 ? (
        <NoContour editor={editor} />
      ) : (
        <>
          <p class="small soft">
            {counted(Points.length, 'corner')}, {(areaOf(Points) / 1e6).toFixed(2)} m². Drag a corner in the
            view, or select it and press the arrow keys: 10 mm, with Shift 100 mm. Delete takes it out.
          </p>
          <CornerTable editor={editor} evaluation={evaluation} of="Points" />
          {isDefinable && (
            <div class="row">
              <button type="button" onClick={() => editor.editEvaluation(Id, { Points: [] })}>
                Clear the contour
              </button>
            </div>
          )}
        </>
      )}
      {editor.scanner.knowsContours.value && (
        <JsonPanel
          title="Contour as JSON"
          text={jsonText(Points)}
          read={contourFromText}
          use={(points) => editor.editEvaluation(Id, { Points: points })}
        />
      )}
      {isDefinable && (
        <JsonPanel
          title="Whole field as JSON"
          text={jsonText(evaluation)}
          read={(text) => fieldFromText(text, Id)}
          use={({ Id: _, ...changed }) => editor.editEvaluation(Id, changed)}
        />
      )}
    </InspectorPanel>
  );
}

function NoContour({ editor }: Pick<Properties, 'editor'>) {
  const { definable, lackContours } = editor.scanner;
  if (definable.value === 'nothing')
    return <p class="small soft">This release lets no client read or change contours.</p>;
  if (lackContours.value) return <ReadContours editor={editor} />;
  return (
    <p class="small soft">
      It has no contour yet, so it is not evaluated. Choose Polygon, Rectangle or Sector above the view and
      draw it.
    </p>
  );
}

function Result({ editor, evaluation }: Properties) {
  if (!isField(evaluation)) return <DistanceText editor={editor} id={evaluation.Id} />;
  const result = fieldResults(editor.link.value('FieldEvaluationResult')).get(evaluation.Id);
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

function DistanceText({ editor, id }: { editor: FieldEditor; id: number }) {
  const result = distanceResults(editor.link.value('perpendicularDistanceResult')).get(id);
  if (result === undefined)
    return <p class="small soft">No distance: nothing is in the area, or it is not active.</p>;
  const { minimumDistance, maximumDistance } = result;
  return (
    <Facts
      of={[
        ['Smallest distance', <Distance mm={minimumDistance} />],
        ['Largest distance', <Distance mm={maximumDistance} />],
      ]}
    />
  );
}

function Distance({ mm }: { mm: number }) {
  return (
    <>
      <Quantity value={mm} unit="mm" />{' '}
      {mm !== 0 && <span class="small soft">{mm > 0 ? 'left of the line' : 'right of the line'}</span>}
    </>
  );
}

function Acts({ editor, evaluation: { Id } }: Properties) {
  return (
    <div class="row">
      <button type="button" onClick={() => editor.copy(Id)}>
        Duplicate
      </button>
      <button type="button" class="danger" onClick={() => editor.remove('evaluation', Id)}>
        Delete
      </button>
    </div>
  );
}

function Settings({ editor, evaluation }: Properties) {
  const shape = shapeOf('evaluations');
  const members = shape.kind === 'struct' ? Object.entries(shape.members) : [];
  const current: Readonly<Record<string, unknown>> = { ...evaluation };
  const apply = (name: string, value: unknown) => {
    const changed = evaluationWith(evaluation, name, value);
    const line =
      name === 'Type' && !isField(changed) && changed.ReferenceLine.length < 2
        ? { ReferenceLine: changed.Points.slice(0, 2) }
        : {};
    const { Id, ...rest } = changed;
    editor.editEvaluation(Id, { ...rest, ...line }, `typed ${Id} ${name}`);
  };
  return (
    <div class="stack">
      {members
        .filter(([name, { shape: of }]) => isLeaf(of) && name !== 'Id' && !membersWithoutEffect.has(name))
        .filter(([name]) => isField(evaluation) || membersOfDistance.has(name))
        .map(([name, { shape: of }]) => (
          <SettingControl
            key={`${evaluation.Id} ${name}`}
            name={name}
            shape={of}
            value={current[name]}
            apply={(value) => apply(name, value)}
            hint={memberHints.get(name)}
          />
        ))}
    </div>
  );
}

function Membership({ editor, evaluation: { Id, Type } }: Properties) {
  const definitions = editor.definitions.value ?? noFields;
  const fitting = definitions.groups.filter((group) => (typeOfGroup(definitions, group) ?? Type) === Type);
  const isInNone = !fitting.some(({ Evaluations }) => Evaluations.includes(Id));
  return (
    <fieldset class="stacked membership">
      <legend>In groups</legend>
      {fitting.map((group) => (
        <Tick
          key={group.Id}
          checked={group.Evaluations.includes(Id)}
          change={(isMember) => editor.setMember(group.Id, Id, isMember)}
        >
          {group.Id} {group.Name}
        </Tick>
      ))}
      {isInNone && <p class="small refusal">In no group: it is never active.</p>}
    </fieldset>
  );
}

function Line({ editor, evaluation }: Properties) {
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

/** Describes a setting of an evaluation in a sentence. */
const memberHints: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    Type: 'A field says whether something is in its area. A perpendicular distance says how far things in it are from a line.',
    MinimumObjectSize: 'Smaller objects do not infringe the field. 0 detects everything.',
    InfringementThreshold: 'How many beams of an object must hit the field.',
    TreatMissingDataAsInfringed: 'A beam without any echo counts as a hit.',
    OcclusionHandling: 'How a beam counts that something nearer than the field blocks.',
    TimeForInfringedState: 'How long an object must be in the field until it is infringed.',
    TimeForFreeState: 'How long the field must be empty until it is free.',
    ReflectorsOnly: 'Only reflectors infringe the field.',
    ContourAsReference:
      'The field is infringed where nothing is in it. Teach-in makes a band around what is there.',
  } satisfies Partial<Record<keyof Evaluation, string>>),
);

/** The settings that have no effect, and the one that has a form of its own. */
const membersWithoutEffect: ReadonlySet<string> = new Set<keyof Evaluation>([
  'LowerZLimit',
  'UpperZLimit',
  'ObjectDistanceThreshold',
]);

/** Settings that a perpendicular distance uses. A field uses all of them. */
const membersOfDistance: ReadonlySet<string> = new Set<keyof Evaluation>(['Name', 'Type']);

interface CornerProperties {
  readonly editor: FieldEditor;
  readonly evaluation: Evaluation;
  readonly of: EvaluationPart['of'];
}

function CornerTable({ editor, evaluation, of }: CornerProperties) {
  const selection = editor.selection.value;
  const part = selection?.kind === 'evaluation' ? selection.part : undefined;
  const point = { editor, evaluation, of };
  const acts: Column<Point> = [
    <span class="hidden-text">Insert or delete</span>,
    (_, index) => <CornerActs editor={editor} evaluation={evaluation} index={index} />,
    'acts',
  ];
  return (
    <Table
      kind="corner-table"
      rows={evaluation[of]}
      keyOf={(_, index) => index}
      rowOf={(_, index) => ({ class: part?.of === of && part.index === index ? 'selected' : undefined })}
      columns={[
        ['#', (_, index) => index + 1, 'number soft'],
        [
          <Quantity value="x " unit="mm ahead" />,
          (_, index) => <Coordinate {...point} index={index} axis="x" />,
        ],
        [
          <Quantity value="y " unit="mm to the left" />,
          (_, index) => <Coordinate {...point} index={index} axis="y" />,
        ],
        ...(of === 'Points' ? [acts] : []),
      ]}
    />
  );
}

function Coordinate({
  editor,
  evaluation,
  of,
  index,
  axis,
}: CornerProperties & { index: number; axis: 'x' | 'y' }) {
  const points = evaluation[of];
  const shape = shapeOf('evaluations', of, axis);
  const input = useRefusedInput(points[index]?.[axis], (typed) => {
    const changed = points.map((point, at) => (at === index ? { ...point, [axis]: typed } : point));
    const { [of]: value } = evaluationWith(evaluation, of, changed);
    editor.editEvaluation(evaluation.Id, { [of]: value }, `typed ${evaluation.Id} ${of} ${index} ${axis}`);
  });
  if (!isLeaf(shape)) return null;
  const label = `${axis} of ${of === 'Points' ? 'corner' : 'point'} ${index + 1}`;
  return (
    <span onFocusCapture={() => editor.select(evaluation.Id, { of, index })}>
      <LeafControl shape={shape} label={label} {...input} />
    </span>
  );
}

function CornerActs({ editor, evaluation, index }: Omit<CornerProperties, 'of'> & { index: number }) {
  const { Id, Points } = evaluation;
  const insert = () => {
    editor.editEvaluation(Id, { Points: withCornerAfter(Points, index, middleOfSide(Points, index)) });
    editor.select(Id, { of: 'Points', index: index + 1 });
  };
  return (
    <>
      <button
        type="button"
        class="plain"
        aria-label={`Insert a corner after corner ${index + 1}`}
        title="Insert a corner after it"
        disabled={Points.length >= mostCorners}
        onClick={insert}
      >
        +
      </button>
      <button
        type="button"
        class="plain"
        aria-label={`Delete corner ${index + 1}`}
        title={Points.length > 3 ? 'Delete it' : 'Delete the contour: two corners are no area'}
        onClick={() => editor.deletePart(Id, { of: 'Points', index })}
      >
        ×
      </button>
    </>
  );
}
