import { ClientError } from '@azimuth/client';
import { counted, extensions, fieldRefusals } from '@azimuth/model';
import { type Signal, useSignal } from '@preact/signals';
import { pathOf } from '../connection/current.js';
import { levelToWrite } from '../connection/declarations.js';
import type { ScannerLink } from '../connection/scanner-link.js';
import { confirmed, tellFailure } from '../parts/dialogs.js';
import { Choice, choosing, SearchInput, Tick } from '../parts/inputs.js';
import { capitalised } from '../parts/texts.js';
import { type Conflict, type CopyPlan, copyPlan, tooManyActive, whyNoCopy } from './copy-plan.js';
import { editorOf, type FieldEditor, noFields } from './field-editor.js';
import { useFollowed, useOtherScanners } from './other-scanners.js';
import { InspectorPanel } from './setting-control.js';

const { fields } = extensions.members;
const level = levelToWrite(fields);

type Direction = 'out' | 'in';

const draftThere = 'It is a draft there: open the scanner, and send it.';

/** Copies fields between the scanner that is shown and others, with a preview of what changes there. */
export function CopyPanel({ editor }: { editor: FieldEditor }) {
  const direction = useSignal<Direction>('out');
  const conflict = useSignal<Conflict>('replace');
  const typed = useSignal('');
  const others = useSignal<readonly ScannerLink[]>([]);
  const left = useSignal<readonly number[]>([]);
  const offered = useOtherScanners(typed.value);
  useFollowed(others.value.map(pathOf));
  const isTo = direction.value === 'out';
  const [first] = others.value;
  const source = isTo ? editor : first && editorOf(first);
  const definitions = source?.definitions.value;
  const ids = (definitions?.evaluations ?? []).map(({ Id }) => Id).filter((id) => !left.value.includes(id));
  const targets = isTo ? others.value.map(editorOf) : first === undefined ? [] : [editor];
  const choose = (link: ScannerLink, isChosen: boolean) => {
    const rest = isTo ? others.peek().filter((one) => one !== link) : [];
    others.value = isChosen ? [...rest, link] : rest;
  };
  return (
    <InspectorPanel editor={editor} label="Copy between scanners" title="Copy between scanners">
      <div class="stack">
        <Choice
          words="Fields of this scanner"
          {...choosing(direction)}
          choose={(to) => {
            direction.value = to;
            others.value = others.peek().slice(0, 1);
          }}
          options={[
            ['out', 'are copied to others'],
            ['in', 'are copied from another'],
          ]}
        />
        <fieldset class="stacked membership">
          <legend>{isTo ? 'To' : 'From'}</legend>
          {offered.length + others.value.length > 8 && <SearchInput label="Find a scanner" typed={typed} />}
          {offered.map(({ link, name }) => (
            <Tick
              key={link.url}
              checked={others.value.includes(link)}
              change={(isChosen) => choose(link, isChosen)}
            >
              {name} <span class="small soft">{link.shownAddress}</span>
            </Tick>
          ))}
        </fieldset>
        {definitions !== undefined && (
          <fieldset class="stacked membership">
            <legend>Fields</legend>
            {definitions.evaluations.length === 0 && <p class="small soft">It has no field.</p>}
            {definitions.evaluations.map(({ Id, Name }) => (
              <Tick
                key={Id}
                checked={!left.value.includes(Id)}
                change={(isChosen) => {
                  const rest = left.peek().filter((id) => id !== Id);
                  left.value = isChosen ? rest : [...rest, Id];
                }}
              >
                {Id} {Name}
              </Tick>
            ))}
          </fieldset>
        )}
        <Choice
          words="A field that has the same number there"
          {...choosing(conflict)}
          options={[
            ['replace', 'is replaced'],
            ['add', 'stays: the copy gets a free number'],
          ]}
        />
      </div>
      {source !== undefined &&
        definitions !== undefined &&
        ids.length > 0 &&
        targets.map((target) => (
          <Target
            // What was done belongs to a choice.
            key={[target.link.url, conflict.value, ...ids].join(' ')}
            source={source}
            target={target}
            plan={copyPlan(definitions, target.definitions.value ?? noFields, ids, conflict.value)}
            isShown={target === editor}
          />
        ))}
      <p class="small soft">Outputs are not copied: other things may be connected to the ports there.</p>
    </InspectorPanel>
  );
}

/** The changes on one scanner. */
function Target({
  source,
  target,
  plan,
  isShown,
}: {
  source: FieldEditor;
  target: FieldEditor;
  plan: CopyPlan;
  isShown: boolean;
}) {
  const busy = useSignal(false);
  const done: Signal<string | undefined> = useSignal(undefined);
  const { link, scanner } = target;
  const name = isShown ? 'this scanner' : link.title.value;
  const sides = {
    source: isShown ? source.link.title.value : 'this scanner',
    target: name,
  };
  const obstacle = whyNoCopy(source.scanner.definable.value, scanner.definable.value, (side) => sides[side]);
  if (obstacle !== undefined) return <p class="small refusal">{capitalised(obstacle)}</p>;
  const [refusal] = [...fieldRefusals(plan.definitions, fields.name)];
  const caution = tooManyActive(plan.definitions, link.edition.value?.release);
  const edits = done.value === undefined ? target.changes.value.length : 0;
  const others = isShown ? 'stay in the draft' : 'are sent with them, or stay in the draft';
  const draft = () => target.edit(() => plan.definitions);
  const send = async () => {
    const lines = [
      ...planLines(plan),
      ...(edits > 0 ? [`${counted(edits, 'edit')} of the draft there, not sent yet`] : []),
    ];
    const question = { title: `Send these fields to ${name}?`, lines, act: 'Send' };
    if (!(await confirmed(question))) return;
    draft();
    busy.value = true;
    try {
      await target.send();
      done.value = 'Sent. Save it there to keep it after a reboot.';
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      done.value = draftThere;
      tellFailure(error.message);
    } finally {
      busy.value = false;
    }
  };
  return (
    <section class="panel" aria-label={`Copy to ${name}`}>
      <h3>{name}</h3>
      {done.value === undefined ? (
        <ul class="small">
          {planLines(plan).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      ) : (
        <p class="small" role="status">
          {done.value}
        </p>
      )}
      {edits > 0 && (
        <p class="small refusal">
          {counted(edits, 'edit')} there, not sent yet: they {others}.
        </p>
      )}
      {caution !== undefined && <p class="small refusal">{caution}</p>}
      {refusal !== undefined && <p class="small refusal">The scanner would refuse it: {refusal.reason}.</p>}
      <div class="row">
        <button
          type="button"
          class={isShown ? 'main' : ''}
          disabled={busy.value || done.value !== undefined}
          onClick={() => {
            draft();
            done.value = isShown ? 'It is a draft: send it above.' : draftThere;
          }}
        >
          Make it a draft
        </button>
        {!isShown && (
          <button
            type="button"
            class="main"
            disabled={
              busy.value || done.value !== undefined || refusal !== undefined || !link.login.mayAs(level)
            }
            onClick={send}
          >
            Send …
          </button>
        )}
        {!isShown && !link.login.mayAs(level) && (
          <span class="small soft">To send it from here, log in there first ({level}).</span>
        )}
      </div>
    </section>
  );
}

function planLines({ added, replaced, left, newGroups }: CopyPlan): readonly string[] {
  return [
    ...(added.length > 0 ? [`${counted(added.length, 'field')} added: ${added.join(', ')}`] : []),
    ...(replaced.length > 0 ? [`${counted(replaced.length, 'field')} replaced: ${replaced.join(', ')}`] : []),
    ...(newGroups > 0 ? [`${counted(newGroups, 'group')} added`] : []),
    ...(left.length > 0
      ? [`${counted(left.length, 'field')} without a free number: ${left.join(', ')}`]
      : []),
  ];
}
