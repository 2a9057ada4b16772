import {
  type Evaluation,
  EvaluationGroupState,
  type FieldDefinitions,
  FieldState,
  GroupActivation,
} from '@azimuth/model';
import { setting } from '../parts/inputs.js';
import { StateMark } from '../parts/states.js';
import {
  distanceResults,
  fieldResults,
  groupStates,
  type StateWord,
  stateWord,
} from '../plan/field-areas.js';
import { groupsOf, subjectOf } from './draft.js';
import { type FieldEditor, isField } from './field-editor.js';

export function FieldList({ editor }: { editor: FieldEditor }) {
  const definitions = editor.definitions.value;
  if (definitions === undefined) return null;
  const wrong = new Set(
    editor.refusals.value.map(({ at }) => subjectOf(definitions, at)).map((at) => at && `${at.of} ${at.id}`),
  );
  const unsent = new Set(editor.changes.value.map(({ of, id }) => `${of} ${id}`));
  const markOf = (subject: string) =>
    wrong.has(subject) ? 'not valid' : unsent.has(subject) ? 'not sent' : '';
  return (
    <>
      <Evaluations editor={editor} definitions={definitions} markOf={markOf} />
      <Groups editor={editor} definitions={definitions} markOf={markOf} />
    </>
  );
}

interface Properties {
  readonly editor: FieldEditor;
  readonly definitions: FieldDefinitions;
  /** Returns the mark of `evaluation 1` or `group 2`. */
  readonly markOf: (subject: string) => string;
}

function Evaluations({ editor, definitions, markOf }: Properties) {
  const results = fieldResults(editor.link.value('FieldEvaluationResult'));
  const distances = distanceResults(editor.link.value('perpendicularDistanceResult'));
  const selected = editor.selected.value?.Id;
  const isDefinable = editor.scanner.definable.value === 'all';
  const wordOf = (evaluation: Evaluation): StateWord => {
    const { Id } = evaluation;
    if (!isField(evaluation)) {
      const distance = distances.get(Id);
      return distance === undefined
        ? { severity: 'idle', word: 'No distance' }
        : { severity: 'good', word: `${distance.minimumDistance} mm` };
    }
    if (groupsOf(definitions, Id).length === 0 && isDefinable) return stateWord(FieldState.INACTIVE);
    return stateWord(results.get(Id)?.state ?? FieldState.NOT_CONFIGURED);
  };
  return (
    <section aria-label="Fields">
      <div class="row between">
        <h2>Fields</h2>
        <span class="small soft">{definitions.evaluations.length} of 48</span>
      </div>
      {definitions.evaluations.length === 0 && (
        <p class="small soft">
          {isDefinable
            ? 'No field yet. Choose Polygon, Rectangle or Sector above the view and draw one, or let the scanner make one by teach-in.'
            : 'The scanner has no field.'}
        </p>
      )}
      <ul class="field-list">
        {definitions.evaluations.map((evaluation) => (
          <Item
            key={evaluation.Id}
            isSelected={selected === evaluation.Id}
            select={() => editor.select(evaluation.Id)}
            id={evaluation.Id}
            name={evaluation.Name}
            word={wordOf(evaluation)}
            note={markOf(`evaluation ${evaluation.Id}`)}
          />
        ))}
      </ul>
    </section>
  );
}

const activations: ReadonlyMap<number, string> = new Map<number, string>([
  [GroupActivation.DEACTIVATED, 'never'],
  [GroupActivation.ALWAYS, 'always'],
  [GroupActivation.INPUTS, 'by inputs'],
  [GroupActivation.TELEGRAM, 'by telegram'],
]);

function Groups({ editor, definitions, markOf }: Properties) {
  const states = groupStates(editor.link.value('FieldEvaluationGroupState'));
  const selection = editor.selection.value;
  if (definitions.groups.length === 0) return null;
  const isDefinable = editor.scanner.definable.value === 'all';
  return (
    <section aria-label="Groups">
      <div class="row between">
        <h2>Groups</h2>
        <span class="small soft">switch fields on and off together</span>
      </div>
      <ul class="field-list">
        {definitions.groups.map(({ Id, Name, Activation }) => (
          <Item
            key={Id}
            isSelected={selection?.kind === 'group' && selection.id === Id}
            select={setting(editor.selection, { kind: 'group', id: Id })}
            id={Id}
            name={`${Name}${isDefinable ? ` (${activations.get(Activation.Type)})` : ''}`}
            word={groupWord(states.get(Id))}
            note={markOf(`group ${Id}`)}
          />
        ))}
      </ul>
    </section>
  );
}

export function groupWord(state: number | undefined): StateWord {
  if (state === EvaluationGroupState.ACTIVE) return { severity: 'good', word: 'Active' };
  if (state === EvaluationGroupState.INACTIVE) return { severity: 'idle', word: 'Not active' };
  return { severity: 'idle', word: 'Not on the scanner' };
}

function Item({
  isSelected,
  select,
  id,
  name,
  word: { severity, word },
  note,
}: {
  isSelected: boolean;
  select: () => void;
  id: number;
  name: string;
  word: StateWord;
  note: string;
}) {
  return (
    <li>
      <button type="button" class="field-item" aria-pressed={isSelected} onClick={select}>
        <span class="number soft">{id}</span>
        <span class="name">{name}</span>
        {note !== '' && <span class={`note small${note === 'not valid' ? ' wrong' : ''}`}>{note}</span>}
        <span class="small">
          <StateMark severity={severity}>{word}</StateMark>
        </span>
      </button>
    </li>
  );
}
