import {
  type EvaluationGroup,
  EvaluationGroupState,
  GroupActivation,
  InputCondition,
  isObject,
  portCount,
} from '@azimuth/model';
import { useSignal } from '@preact/signals';
import { Act } from '../connection/acts.js';
import { tellFailure } from '../parts/dialogs.js';
import { Choice, Tick } from '../parts/inputs.js';
import { StateMark } from '../parts/states.js';
import { groupStates } from '../plan/field-areas.js';
import { groupOf, typeOfGroup } from './draft.js';
import { type FieldEditor, noFields } from './field-editor.js';
import { groupWord } from './field-list.js';
import { groupWith, InspectorPanel, SettingControl, shapeOf } from './setting-control.js';

interface Properties {
  readonly editor: FieldEditor;
  readonly group: EvaluationGroup;
}

export function GroupInspector({ editor, id }: { editor: FieldEditor; id: number }) {
  const definitions = editor.definitions.value;
  const group = definitions && groupOf(definitions, id);
  if (definitions === undefined || group === undefined) return null;
  const isDefinable = editor.scanner.definable.value === 'all';
  const { severity, word } = groupWord(groupStates(editor.link.value('FieldEvaluationGroupState')).get(id));
  return (
    <InspectorPanel
      editor={editor}
      label={`Group ${id}`}
      title={`Group ${id} ${group.Name}`}
      state={
        <p>
          <StateMark severity={severity}>{word}</StateMark>
        </p>
      }
    >
      <ByTelegram editor={editor} group={group} />
      {isDefinable && <Definition editor={editor} group={group} />}
    </InspectorPanel>
  );
}

/** Switches a group that is configured to be switched by telegram. */
function ByTelegram({ editor, group: { Id, Activation } }: Properties) {
  const busy = useSignal(false);
  const isDefinable = editor.scanner.definable.value === 'all';
  const onScanner = editor.scanner.definitions.value;
  const sent = onScanner && groupOf(onScanner, Id);
  const state = groupStates(editor.link.value('FieldEvaluationGroupState')).get(Id);
  if (isDefinable && Activation.Type !== GroupActivation.TELEGRAM) return null;
  if (isDefinable && sent?.Activation.Type !== GroupActivation.TELEGRAM) {
    return <p class="small soft">Once it is sent to the scanner, you can switch it here.</p>;
  }
  const isActive = state === EvaluationGroupState.ACTIVE;
  const activate = (Activate: boolean) => async () => {
    const response = await editor.link.call('ActivateEvaluationGroup', { List: [{ GroupId: Id, Activate }] });
    const success = isObject(response) && Array.isArray(response.Success) ? response.Success[0] : false;
    if (success !== true) tellFailure(`Group ${Id} is not one that is switched by telegram.`);
  };
  return (
    <div class="row">
      <Act level="Maintenance" busy={busy} disabled={isActive} act={activate(true)}>
        Activate
      </Act>
      <Act level="Maintenance" busy={busy} disabled={!isActive} act={activate(false)}>
        Deactivate
      </Act>
      <span class="small soft">at once, by the method ActivateEvaluationGroup</span>
    </div>
  );
}

function Definition({ editor, group }: Properties) {
  const { Id, Name, Activation } = group;
  const applyActivation = (name: string, value: unknown) => {
    const next = groupWith(group, 'Activation', { ...Activation, [name]: value }).Activation;
    const isByInputs = next.Type === GroupActivation.INPUTS && next.Inputs.length === 0;
    const anyInput = Array.from({ length: portCount }, () => InputCondition.DONT_CARE);
    editor.editGroup(Id, { Activation: isByInputs ? { ...next, Inputs: anyInput } : next });
  };
  return (
    <>
      <div class="stack">
        <SettingControl
          key={`${Id} Name`}
          name="Name"
          shape={shapeOf('groups', 'Name')}
          value={Name}
          apply={(value) =>
            editor.editGroup(Id, { Name: groupWith(group, 'Name', value).Name }, `typed group ${Id}`)
          }
        />
        <SettingControl
          name="Type"
          label="Is active"
          shape={shapeOf('groups', 'Activation', 'Type')}
          value={Activation.Type}
          apply={(value) => applyActivation('Type', value)}
          hint={activationHints[Activation.Type]}
        />
        {Activation.Type === GroupActivation.TELEGRAM && (
          <SettingControl
            name="InitiallyActive"
            label="Active after a boot"
            shape={shapeOf('groups', 'Activation', 'InitiallyActive')}
            value={Activation.InitiallyActive}
            apply={(value) => applyActivation('InitiallyActive', value)}
          />
        )}
      </div>
      {Activation.Type === GroupActivation.INPUTS && (
        <Inputs inputs={Activation.Inputs} apply={(inputs) => applyActivation('Inputs', inputs)} />
      )}
      <Members editor={editor} group={group} />
      <div class="row">
        <button type="button" class="danger" onClick={() => editor.remove('group', Id)}>
          Delete the group
        </button>
      </div>
    </>
  );
}

const activationHints: Readonly<Record<number, string>> = {
  [GroupActivation.DEACTIVATED]: 'Never active.',
  [GroupActivation.ALWAYS]: 'Active as long as the scanner measures.',
  [GroupActivation.INPUTS]: 'Active while all inputs below are as chosen.',
  [GroupActivation.TELEGRAM]: 'Active while the method ActivateEvaluationGroup has switched it on.',
};

const conditions = [
  [InputCondition.DONT_CARE, 'either'],
  [InputCondition.ACTIVE, 'active'],
  [InputCondition.INACTIVE, 'inactive'],
] as const;

function Inputs({
  inputs,
  apply,
}: {
  inputs: EvaluationGroup['Activation']['Inputs'];
  apply: (inputs: readonly number[]) => void;
}) {
  return (
    <fieldset class="stacked membership inputs">
      <legend>Inputs</legend>
      {Array.from({ length: portCount }, (_, index) => (
        <Choice
          key={String(index)}
          words={<span class="small soft">Port {index + 1}</span>}
          value={inputs[index] ?? InputCondition.DONT_CARE}
          options={conditions}
          choose={(condition) =>
            apply(
              Array.from({ length: portCount }, (_item, at) =>
                at === index ? condition : (inputs[at] ?? InputCondition.DONT_CARE),
              ),
            )
          }
        />
      ))}
    </fieldset>
  );
}

function Members({ editor, group }: Properties) {
  const definitions = editor.definitions.value ?? noFields;
  const type = typeOfGroup(definitions, group);
  return (
    <fieldset class="stacked membership">
      <legend>Fields in it</legend>
      {definitions.evaluations.length === 0 && <p class="small soft">There is no field yet.</p>}
      {definitions.evaluations.map(({ Id, Name, Type }) => {
        const isOfOtherType = type !== undefined && type !== Type;
        return (
          <Tick
            key={Id}
            checked={group.Evaluations.includes(Id)}
            disabled={isOfOtherType}
            change={(isMember) => editor.setMember(group.Id, Id, isMember)}
          >
            {Id} {Name}
            {isOfOtherType && <span class="small soft">of the other type</span>}
          </Tick>
        );
      })}
    </fieldset>
  );
}
