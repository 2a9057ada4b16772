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
import { type FaultDraft, type FaultRow, faultOf, hintOf } from './fault-draft.js';
import type { SimulatedWorld } from './simulated-world.js';

/** The planned faults of the scanner, and a form for another one. */
export function PlannedFaults({ world }: { readonly world: SimulatedWorld }) {
  const rows = world.faults.value;
  if (rows === undefined) return null;
  return (
    <section class="panel">
      <h2>Faults</h2>
      <p class="soft small">
        What goes wrong on purpose: replies that fail, telegrams that get lost, the cable that is pulled out.
      </p>
      {rows.length === 0 ? (
        <p class="soft">No fault is planned.</p>
      ) : (
        <>
          <ul class="faults">
            {rows.map((row) => (
              <FaultItem key={row.id} row={row} world={world} />
            ))}
          </ul>
          <div class="row">
            <button type="button" onClick={() => world.command('faults/clear')}>
              End all faults
            </button>
          </div>
        </>
      )}
      <FaultForm world={world} />
    </section>
  );
}

interface ItemProperties {
  readonly row: FaultRow;
  readonly world: SimulatedWorld;
}

function FaultItem({ row, world }: ItemProperties) {
  const { id, kind, state, occasions, times, members } = row;
  return (
    <li class="row">
      <span>
        <strong>{kind}</strong> {state}, happened {times} of {counted(occasions, 'time')}
        {members !== '' && <span class="soft small"> {members}</span>}
      </span>
      <button type="button" aria-label={`End ${kind}`} onClick={() => world.command('faults/clear', { id })}>
        End
      </button>
    </li>
  );
}

function FaultForm({ world }: { readonly world: SimulatedWorld }) {
  const kind = useSignal<FaultKind>('stream-loss');
  const draft = useSignal<FaultDraft>({});
  const meant = faultOf(kind.value, draft.value);
  const { members, text } = faultKinds[kind.value];
  const change = (name: string, value: string) => {
    draft.value = { ...draft.value, [name]: value };
  };
  return (
    <form
      class="stacked"
      onSubmit={(event) => {
        event.preventDefault();
        if ('fault' in meant) void world.command('faults', { faults: [meant.fault] });
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
      {'wrong' in meant && <p class="notice">{meant.wrong}</p>}
      <div class="row">
        <button type="submit" disabled={'wrong' in meant}>
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
  if (member.type === 'choice') {
    return (
      <select id={id} value={value} onChange={({ currentTarget }) => change(currentTarget.value)}>
        <option value="">{String(member.usual ?? '')}</option>
        {member.choices
          .filter((choice) => choice !== member.usual)
          .map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
      </select>
    );
  }
  if (member.type === 'switch') {
    return (
      <select id={id} value={value} onChange={({ currentTarget }) => change(currentTarget.value)}>
        <option value="">{member.usual ? 'yes' : 'no'}</option>
        <option value={String(!member.usual)}>{member.usual ? 'no' : 'yes'}</option>
      </select>
    );
  }
  return (
    <input
      id={id}
      inputMode={member.type === 'number' ? 'decimal' : 'text'}
      placeholder={String(member.usual ?? '')}
      value={value}
      onInput={({ currentTarget }) => change(currentTarget.value)}
    />
  );
}
