import { type Edition, type Level, sameJson, type Variable } from '@azimuth/model';
import { type Signal, useSignal } from '@preact/signals';
import { scanner } from '../connection/current.js';
import { type ScannerLink, wireName } from '../connection/scanner-link.js';
import { Compared } from './compared.js';
import { isLeaf } from './control.js';
import { NeedsLevel } from './needs-level.js';
import { rangeText } from './range-text.js';
import type { Refusal } from './refusal.js';
import { ValueControl } from './value-control.js';
import { valueText } from './value-text.js';
import { factoryValueOf, variableNamed } from './variables.js';
import { writeChecked } from './write-checked.js';
import '../style/forms.css';

interface Properties {
  readonly name: string;
  /** What a person calls it; its name in the interface by default. */
  readonly label?: string;
  /** A level that the page has asked for already: it is not asked for here again. */
  readonly toldLevel?: Level;
  readonly highlighted?: boolean;
}

/** One variable: its working value to change, its stored and its factory value. Nothing if the scanner does not have it. */
export function ParameterForm(properties: Properties) {
  const link = scanner();
  const edition = link.edition.value;
  const variable = variableNamed(properties.name, edition);
  if (edition === undefined || variable === undefined) return null;
  if (link.readings.of(wireName(properties.name)).value.state === 'missing') return null;
  return <Form {...properties} link={link} edition={edition} variable={variable} key={variable.name} />;
}

interface FormProperties extends Properties {
  readonly link: ScannerLink;
  readonly edition: Edition;
  readonly variable: Variable<unknown>;
}

/** A value that a person is changing. */
interface Draft {
  readonly value: unknown;
  /** The working value that it began with. */
  readonly from: unknown;
}

function Form({ link, edition, variable, label, toldLevel, highlighted = false }: FormProperties) {
  const draft = useSignal<Draft | undefined>(undefined);
  const refusal = useSignal<Refusal | undefined>(undefined);
  const busy = useSignal(false);
  const { name, facts } = variable;
  const { write: level } = facts;
  const working = link.value(name);
  const mayWrite = level !== undefined && link.login.mayAs(level);

  const edit = (value: unknown) => {
    draft.value = { value, from: draft.peek()?.from ?? working };
    refusal.value = undefined;
  };
  const cancel = () => {
    draft.value = undefined;
    refusal.value = undefined;
  };
  const write = async (value: unknown) => {
    if (level === undefined) return;
    if (await writeChecked(link, variable, value, level, { busy, refusal })) draft.value = undefined;
  };
  const commit = (event: Event) => {
    event.preventDefault();
    if (draft.value !== undefined) void write(draft.value.value);
  };

  return (
    <form
      class={`parameter${highlighted ? ' highlighted' : ''}`}
      id={`parameter-${name}`}
      aria-label={label ?? name}
      onSubmit={commit}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && draft.value !== undefined) cancel();
      }}
    >
      <Head variable={variable} label={label} />
      <div class="parameter-working">
        <Working
          link={link}
          variable={variable}
          value={draft.value === undefined ? working : draft.value.value}
          readOnly={!mayWrite}
          edit={edit}
          refusal={refusal.value}
        />
        {draft.value !== undefined && (
          <Commit draft={draft.value} working={working} busy={busy} refusal={refusal.value} cancel={cancel} />
        )}
        {level !== undefined && level !== toldLevel && <NeedsLevel level={level} />}
      </div>
      {variable.stored && (
        <>
          <Compared
            title="Stored"
            variable={variable}
            working={working}
            value={link.stored.valueOf(name)}
            absent={link.stored.state.value === 'untold' ? 'not shown' : '–'}
            act="Undo"
            hint="Writes the stored value again"
            perform={mayWrite ? (value) => void write(value) : undefined}
          />
          <Compared
            title="Factory"
            variable={variable}
            working={working}
            value={factoryValueOf(variable, edition)}
            absent="–"
            act="Take"
            hint="Puts the factory value into the form"
            perform={mayWrite ? edit : undefined}
          />
        </>
      )}
    </form>
  );
}

function Head({ variable, label }: { variable: Variable<unknown>; label: string | undefined }) {
  const { name, facts, type } = variable;
  const range = isLeaf(type.shape) ? rangeText(type.shape) : '';
  const isOwn = facts.unit !== undefined && facts.units === undefined;
  return (
    <div class="parameter-head">
      <span class="parameter-name">{label ?? name}</span>
      <span class="small soft">
        {facts.text}
        {range !== '' &&
          ` ${range.slice(0, 1).toUpperCase()}${range.slice(1)}${isOwn ? ` ${facts.unit}` : ''}.`}
      </span>
    </div>
  );
}

function Working({
  link,
  variable,
  value,
  readOnly,
  edit,
  refusal,
}: {
  link: ScannerLink;
  variable: Variable<unknown>;
  value: unknown;
  readOnly: boolean;
  edit: (value: unknown) => void;
  refusal: Refusal | undefined;
}) {
  const isOpen = useSignal(false);
  const { name, type } = variable;
  const reading = link.readings.of(wireName(name)).value;
  if (reading.state === 'waiting') return <span class="soft">…</span>;
  if (reading.state === 'failed') return <span class="soft">Not read: {reading.reason}</span>;
  const unitOf = (member: string) => variable.unitOf(member);
  const control = (
    <ValueControl
      shape={type.shape}
      value={value}
      onChange={edit}
      label={name}
      refusal={refusal}
      readOnly={readOnly}
      unitOf={unitOf}
    />
  );
  if (isLeaf(type.shape)) return control;
  const open = isOpen.value || refusal !== undefined;
  return (
    <>
      <button
        type="button"
        class="parameter-summary plain"
        aria-expanded={open}
        onClick={() => {
          isOpen.value = !open;
        }}
      >
        <span class="hidden-text">
          {readOnly ? 'Show' : 'Edit'} {name}:{' '}
        </span>
        <span class="value">{valueText(type.shape, value, unitOf)}</span>
      </button>
      {open && <div class="parameter-parts">{control}</div>}
    </>
  );
}

function Commit({
  draft,
  working,
  busy,
  refusal,
  cancel,
}: {
  draft: Draft;
  working: unknown;
  busy: Signal<boolean>;
  refusal: Refusal | undefined;
  cancel: () => void;
}) {
  return (
    <div class="row parameter-commit">
      <button type="submit" class="main" disabled={busy.value}>
        Write
      </button>
      <button type="button" onClick={cancel}>
        Cancel
      </button>
      {refusal !== undefined && isDeep(refusal) && (
        <span class="refusal">
          <code>{refusal.at.replace(/^\./, '')}</code>: {refusal.reason}
        </span>
      )}
      {!sameJson(draft.from, working) && (
        <span class="small soft">Somebody else has changed it meanwhile.</span>
      )}
    </div>
  );
}

/** Is the place that is refused so deep in the value that a person may not see it? */
function isDeep({ at }: Refusal): boolean {
  return at.split(/[.[]/).length > 2;
}
