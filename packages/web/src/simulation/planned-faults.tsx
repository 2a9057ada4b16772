import { counted } from '@azimuth/model';
import {
  type FaultKind,
  faultGroups,
  faultKinds,
  isFaultKind,
  type Member,
  type Members,
  triggers,
} from '@azimuth/model/faults';
import { useSignal } from '@preact/signals';
import { Choice, type Option } from '../parts/inputs.js';
import { Panel } from '../parts/panels.js';
import { type FaultDraft, type FaultRow, faultOf, hintOf } from './fault-draft.js';
import type { SimulationState } from './simulation-state.js';

export function PlannedFaults({ simulation }: { readonly simulation: SimulationState }) {
  const rows = simulation.faults.value;
  if (rows === undefined) return null;
  return (
    <Panel title="Faults">
      <p class="soft small">
        What goes wrong on purpose: replies that fail, telegrams that get lost, the cable that is pulled out.
      </p>
      {rows.length === 0 ? (
        <p class="soft">No fault is planned.</p>
      ) : (
        <>
          <ul class="spaced">
            {rows.map((row) => (
              <FaultItem key={row.id} row={row} simulation={simulation} />
            ))}
          </ul>
          <div class="row">
            <button type="button" onClick={() => simulation.command('faults/clear')}>
              End all faults
            </button>
          </div>
        </>
      )}
      <FaultForm simulation={simulation} />
    </Panel>
  );
}

interface ItemProperties {
  readonly row: FaultRow;
  readonly simulation: SimulationState;
}

function FaultItem({ row, simulation }: ItemProperties) {
  const { id, kind, state, occasions, times, members } = row;
  return (
    <li class="row between">
      <span>
        <strong>{kind}</strong> {state}, happened {times} of {counted(occasions, 'time')}
        {members !== '' && <span class="soft small"> {members}</span>}
      </span>
      <button
        type="button"
        aria-label={`End ${kind}`}
        onClick={() => simulation.command('faults/clear', { id })}
      >
        End
      </button>
    </li>
  );
}

function FaultForm({ simulation }: { readonly simulation: SimulationState }) {
  const kind = useSignal<FaultKind>('stream-loss');
  const draft = useSignal<FaultDraft>({});
  const parsed = faultOf(kind.value, draft.value);
  const { members, text } = faultKinds[kind.value];
  const change = (name: string, value: string) => {
    draft.value = { ...draft.value, [name]: value };
  };
  return (
    <form
      class="stacked"
      onSubmit={(event) => {
        event.preventDefault();
        if ('fault' in parsed) void simulation.command('faults', { faults: [parsed.fault] });
      }}
    >
      <label class="stacked">
        <span class="soft small">Kind of fault</span>
        <select
          value={kind.value}
          onChange={({ currentTarget: { value } }) => {
            if (isFaultKind(value)) kind.value = value;
            draft.value = {};
          }}
        >
          {Object.entries(faultGroups).map(([group, kinds]) => (
            <optgroup key={group} label={group}>
              {Object.keys(kinds).map((name) => (
                <option key={name}>{name}</option>
              ))}
            </optgroup>
          ))}
        </select>
      </label>
      <p class="soft small">{text}</p>
      <Fields members={members} draft={draft.value} change={change} />
      <details>
        <summary>When it happens</summary>
        <Fields members={triggers} draft={draft.value} change={change} />
      </details>
      {'wrong' in parsed && <p class="notice">{parsed.wrong}</p>}
      <div class="row">
        <button type="submit" disabled={'wrong' in parsed}>
          Add the fault
        </button>
      </div>
    </form>
  );
}

interface FieldsProperties {
  readonly members: Members;
  readonly draft: FaultDraft;
  readonly change: (name: string, value: string) => void;
}

function Fields({ members, draft, change }: FieldsProperties) {
  return (
    <div class="stacked">
      {Object.entries(members).map(([name, member]) => (
        <div key={name} class="stacked">
          <label htmlFor={idOf(name)}>
            {name} {'unit' in member && <span class="unit">{member.unit}</span>}
          </label>
          <Field
            id={idOf(name)}
            member={member}
            value={draft[name] ?? ''}
            change={(value) => change(name, value)}
          />
          <span class="soft small">{hintOf(member)}</span>
        </div>
      ))}
    </div>
  );
}

const idOf = (name: string) => `fault-${name}`;

interface FieldProperties {
  readonly id: string;
  readonly member: Member;
  readonly value: string;
  readonly change: (value: string) => void;
}

function Field({ id, member, value, change }: FieldProperties) {
  if (member.type === 'choice' || member.type === 'switch') {
    return <Choice id={id} value={value} options={optionsOf(member)} choose={change} />;
  }
  return (
    <input
      id={id}
      inputMode={member.type === 'number' ? 'decimal' : 'text'}
      placeholder={String(member.default ?? '')}
      value={value}
      onInput={({ currentTarget }) => change(currentTarget.value)}
    />
  );
}

/** Values to choose from; the empty value is the default. */
function optionsOf(member: Member & { readonly type: 'choice' | 'switch' }): readonly Option<string>[] {
  const { default: usual } = member;
  if (member.type === 'switch') {
    const words = usual ? ['yes', 'no'] : ['no', 'yes'];
    return [
      ['', words[0]],
      [String(!usual), words[1]],
    ];
  }
  const others = member.choices.filter((choice) => choice !== usual);
  return [['', String(usual ?? '')], ...others.map((one) => [String(one), one] as const)];
}
