import { counted, extensions, inputsAndOutputs } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import { attempt, NeedsLevel } from '../connection/acts.js';
import { type RefusedValue, refusalOf } from '../forms/refusal.js';
import { spokenName } from '../forms/spoken-name.js';
import { type DraftChange, spokenReason, subjectOf } from './draft.js';
import type { FieldEditor } from './field-editor.js';

const { fields } = extensions.members;
const { PortConfiguration } = inputsAndOutputs.members;
const { write: level = 'AuthorizedClient' } = fields.facts;

/**
 * Changes that are not on the scanner yet, and the buttons that send or discard them. Shows nothing if there are no
 * edits.
 */
export function ChangesBar({ editor }: { editor: FieldEditor }) {
  const busy = useSignal(false);
  const refusal = useSignal<RefusedValue | undefined>(undefined);
  const changes = editor.changes.value;
  const refusals = editor.refusals.value;
  if (changes.length === 0) return null;
  const send = () =>
    attempt(busy, level, async () => {
      refusal.value = undefined;
      try {
        await editor.send();
      } catch (error) {
        // The fields are sent first. If they are no longer among the changes, the scanner has them.
        const isOfPorts = editor.changes.peek().every(({ of }) => of === 'port');
        refusal.value = refusalOf(isOfPorts ? PortConfiguration.name : fields.name, error);
        if (refusal.value === undefined) throw error;
      }
    });
  const discard = () => {
    refusal.value = undefined;
    editor.discard();
  };
  return (
    <section class="panel changes-bar" aria-label="Edits that are not sent">
      <h2>{counted(changes.length, 'change')} not sent</h2>
      <ul class="small changed">
        {changes.map((change) => (
          <li key={`${change.of} ${change.id}`}>{changeText(change)}</li>
        ))}
      </ul>
      {editor.isOutdated.value && (
        <p class="small refusal">
          Somebody else has changed the fields of the scanner meanwhile. Sending replaces them with these.
        </p>
      )}
      {refusals.map(({ at, reason }) => (
        <Wrong key={at + reason} editor={editor} at={at} reason={reason} />
      ))}
      {refusal.value !== undefined && (
        <div role="alert">
          <p class="small">The scanner refused this:</p>
          <Wrong editor={editor} at={refusal.value.at} reason={refusal.value.reason} />
        </div>
      )}
      <div class="row">
        <button type="button" class="main" disabled={busy.value || refusals.length > 0} onClick={send}>
          {busy.value ? 'Sending …' : 'Send to the scanner'}
        </button>
        <button type="button" disabled={busy.value} title="Undo brings them back" onClick={discard}>
          Discard
        </button>
        <NeedsLevel level={level} />
      </div>
      <p class="small soft">
        What is sent counts at once. Save it afterwards, so that a reboot does not lose it.
      </p>
    </section>
  );
}

function Wrong({ editor, at, reason }: { editor: FieldEditor; at: string; reason: string }) {
  const definitions = editor.definitions.value;
  const subject = definitions && subjectOf(definitions, at);
  if (subject === undefined) return <p class="small refusal">{spokenReason(reason)}</p>;
  const show = () => {
    if (subject.of === 'group') editor.selection.value = { kind: 'group', id: subject.id };
    else editor.select(subject.id);
  };
  return (
    <p class="small refusal">
      <button type="button" class="link" onClick={show}>
        {subject.of === 'group' ? 'Group' : 'Field'} {subject.id}
      </button>
      {subject.member === '' ? '' : `, ${spokenName(subject.member).toLowerCase()}`}: {spokenReason(reason)}.
    </p>
  );
}

const subjects: Readonly<Record<DraftChange['of'], string>> = {
  evaluation: 'Field',
  group: 'Group',
  port: 'Port',
};

export function changeText({ of, id, name, kind, members }: DraftChange): string {
  const subject = `${subjects[of]} ${id}${name === '' ? '' : ` ${name}`}`;
  if (of === 'port') return `${subject}: ${members.join()}`;
  if (kind !== 'changed') return `${subject}: ${kind}`;
  const words = members.map((member) => (member === 'Points' ? 'contour' : spokenName(member).toLowerCase()));
  return `${subject}: ${words.join(', ')}`;
}
