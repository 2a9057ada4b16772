import { type Level, sameJson, type Variable } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import { NeedsLevel } from '../connection/acts.js';
import { scanner } from '../connection/current.js';
import type { Edition } from '../connection/declarations.js';
import { factoryValueOf, variableNamed } from '../connection/declarations.js';
import { type ScannerLink, wireName } from '../connection/scanner-link.js';
import { capitalised } from '../parts/texts.js';
import type { RefusedValue } from './refusal.js';
import { ValueControl } from './value-control.js';
import { DraftButtons, draftForm, useValueDraft, type WriteVariable } from './value-draft.js';
import { isLeaf, rangeText, valueText } from './value-text.js';
import '../style/forms.css';
import type { ComponentChildren } from 'preact';
import { differences } from './differences.js';
import { spokenPlace } from './spoken-name.js';

interface Properties {
  readonly name: string;
  /** Label for a person; the name in the interface by default. */
  readonly label?: string;
  /** A level that the page has already asked for: this form does not ask for it again. */
  readonly requestedLevel?: Level;
  readonly highlighted?: boolean;
  /** True to show the members of a struct at once, without its value in words. */
  readonly opened?: boolean;
  /** Writes the value in place of the scanner's link. */
  readonly write?: WriteVariable | undefined;
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

function Form(properties: FormProperties) {
  const { link, edition, variable, label, requestedLevel, highlighted = false, opened = false } = properties;
  const { name, facts } = variable;
  const { write: level } = facts;
  const working = link.value(name);
  const mayWrite = level !== undefined && link.login.mayAs(level);
  const write: WriteVariable = properties.write ?? ((...written) => link.write(...written));
  const draft = useValueDraft({ write }, variable, level, working);
  const { edited, refusal } = draft;
  return (
    <form
      class={`parameter${highlighted ? ' highlighted' : ''}`}
      id={`parameter-${name}`}
      aria-label={label ?? name}
      {...draftForm(draft, () => edited?.value)}
    >
      <Head variable={variable} label={label} />
      <div class="parameter-working">
        <Working
          link={link}
          variable={variable}
          value={edited === undefined ? working : edited.value}
          readOnly={!mayWrite}
          edit={draft.edit}
          refusal={refusal}
          opened={opened}
        />
        {edited !== undefined && (
          <div class="row">
            <DraftButtons draft={draft} />
            {refusal !== undefined && isDeep(refusal) && (
              <span class="refusal">
                <code>{refusal.at.replace(/^\./, '')}</code>: {refusal.reason}
              </span>
            )}
            {!sameJson(edited.from, working) && (
              <span class="small soft">Somebody else has changed it meanwhile.</span>
            )}
          </div>
        )}
        {level !== undefined && level !== requestedLevel && <NeedsLevel level={level} />}
      </div>
      {variable.stored && (
        <>
          <Compared
            title="Stored"
            variable={variable}
            working={working}
            value={link.stored.valueOf(name)}
            absent={link.stored.state.value === 'unavailable' ? 'not shown' : '–'}
            act="Undo"
            hint="Writes the stored value again"
            perform={mayWrite ? (value) => void draft.write(value) : undefined}
          />
          <Compared
            title="Factory"
            variable={variable}
            working={working}
            value={factoryValueOf(variable, edition)}
            absent="–"
            act="Take"
            hint="Puts the factory value into the form"
            perform={mayWrite ? draft.edit : undefined}
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
        {range !== '' && ` ${capitalised(range)}${isOwn ? ` ${facts.unit}` : ''}.`}
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
  opened,
}: {
  link: ScannerLink;
  variable: Variable<unknown>;
  value: unknown;
  readOnly: boolean;
  edit: (value: unknown) => void;
  refusal: RefusedValue | undefined;
  opened: boolean;
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
  if (opened || isLeaf(type.shape)) return control;
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

/** True if the refused part lies so deep in the value that a person may not see it. */
function isDeep({ at }: RefusedValue): boolean {
  return at.split(/[.[]/).length > 2;
}

/** The stored or the factory value, beside the working one. */
function Compared({
  title,
  variable,
  working,
  value,
  absent,
  act,
  hint,
  perform,
}: {
  title: string;
  variable: Variable<unknown>;
  working: unknown;
  value: unknown;
  /** Text if the value is not known. */
  absent: string;
  act: string;
  hint: string;
  perform: ((value: unknown) => void) | undefined;
}) {
  const differs = value !== undefined && working !== undefined && !sameJson(working, value);
  return (
    <div class={`parameter-compared${differs ? ' differs' : ''}`}>
      <span class="parameter-column small soft">{title}</span>
      <span class="value">
        {differs && <DiffersMark />}
        {value === undefined ? absent : comparedText(variable, working, value)}
      </span>
      {differs && perform !== undefined && (
        <button type="button" class="small" title={hint} onClick={() => perform(value)}>
          {act}
          <span class="hidden-text"> {variable.name}</span>
        </button>
      )}
    </div>
  );
}

/** Number of parts of a value that are listed. */
const mostParts = 3;

/** A value in words. Of a value with parts, only those that differ from the working value. */
function comparedText(variable: Variable<unknown>, working: unknown, value: unknown): string {
  const { shape } = variable.type;
  const unitOf = (member: string) => variable.unitOf(member);
  if (isLeaf(shape)) return valueText(shape, value, unitOf);
  const parts = differences(shape, working, value, unitOf);
  if (parts.length === 0) return 'the same';
  const changes = parts
    .slice(0, mostParts)
    .map(({ at, to }) => (at === '' ? to : `${spokenPlace(at)} ${to}`));
  return [...changes, ...(parts.length > mostParts ? [`${parts.length - mostParts} more`] : [])].join(', ');
}

/** A mark, with words for people who do not see it. */
function DiffersMark() {
  return (
    <svg class="differs-mark" viewBox="0 0 8 8" role="img" aria-label="differs from the working value:">
      <path d="M4 0 8 4 4 8 0 4Z" fill="currentColor" />
    </svg>
  );
}

/** Variables that belong together, with their labels. */
export type Labelled = readonly (readonly [Variable<unknown>, string])[];

/** The forms of variables in a panel, with a heading above their columns. Nothing if the scanner has none of them. */
export function ParameterGroup({
  title,
  variables,
  edition,
  requestedLevel,
  children,
}: {
  title: string;
  variables: Labelled;
  edition: Edition | undefined;
  /** A level that the page has asked for already. */
  requestedLevel?: Level;
  /** Content above the forms. */
  children?: ComponentChildren;
}) {
  const present = variables.filter(([{ name }]) => variableNamed(name, edition) !== undefined);
  if (present.length === 0) return null;
  return (
    <section class="panel parameters parameter-panel" aria-label={title}>
      <header class="columns-head">
        <h2>{title}</h2>
        <span class="small soft">Working</span>
        <span class="small soft">Stored</span>
        <span class="small soft">Factory</span>
      </header>
      {children}
      <div>
        {present.map(([{ name }, label]) => (
          <ParameterForm key={name} name={name} label={label} requestedLevel={requestedLevel} />
        ))}
      </div>
    </section>
  );
}
