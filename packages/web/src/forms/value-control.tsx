import { type ControlProperties, LeafControl } from './leaf-control.js';
import { isLeaf, isReserved, type ShapeOf, valueText } from './value-text.js';
import '../style/forms.css';
import { isObject, levelNames, type Shape } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { type Column, Table } from '../parts/panels.js';
import { concerns } from './refusal.js';
import { spokenName } from './spoken-name.js';

/**
 * The control for a value of any shape of the model. It only edits: its caller checks the value (`refusalBy`) and sends
 * it.
 */
export function ValueControl(properties: ControlProperties) {
  const { shape } = properties;
  if (isLeaf(shape)) return <LeafControl {...properties} shape={shape} />;
  if (shape.kind === 'array') return <ArrayControl {...properties} shape={shape} />;
  return <StructControl {...properties} shape={shape} />;
}

/** Reason why a value of many parts is refused as a whole. */
function Refused({ refusal, at = '' }: Pick<ControlProperties, 'refusal' | 'at'>) {
  if (refusal?.at !== at) return null;
  return (
    <p class="refusal" role="alert">
      {refusal.reason}
    </p>
  );
}

/**
 * A control behind its label.
 * @param title tooltip of the label
 * @param hint stands below the label
 */
export function Member({
  title,
  hint,
  ...control
}: ControlProperties & { title: string; hint?: string | undefined }) {
  return (
    <div class={isLeaf(control.shape) ? 'member' : 'member nested'}>
      <span class="member-name" title={title}>
        {control.label}
        {hint !== undefined && <span class="hint small">{hint}</span>}
      </span>
      <ValueControl {...control} />
    </div>
  );
}

/** The members of a struct, one below the other. */
function StructControl(properties: ControlProperties<ShapeOf<'struct'>>) {
  const { shape, value, onChange, label, refusal, readOnly, unitOf, at = '' } = properties;
  const struct = isObject(value) ? value : {};
  return (
    <fieldset class="spaced" aria-label={label}>
      {Object.entries(shape.members)
        .filter(([name]) => !isReserved(name))
        .map(([name, { shape: of }]) => (
          <Member
            key={name}
            title={name}
            shape={of}
            value={struct[name]}
            onChange={(changed) => onChange({ ...struct, [name]: changed })}
            label={spokenName(name)}
            refusal={refusal}
            readOnly={readOnly}
            withRange
            unitOf={unitOf}
            at={`${at}.${name}`}
            member={name}
          />
        ))}
      <Refused refusal={refusal} at={at} />
    </fieldset>
  );
}

/** Members up to which a struct is a row of a table. */
const mostColumns = 4;

/** A list: in one line if its items are simple, as a table if they are small structs, otherwise each to be opened. */
function ArrayControl(properties: ControlProperties<ShapeOf<'array'>>) {
  const { shape, value, onChange, label, readOnly, refusal, at } = properties;
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const add = () => onChange([...items, itemAfter(items.at(-1), shape.of)]);
  const itemsProperties: Items = {
    ...properties,
    items,
    replace: (index, item) => onChange(items.map((old, place) => (place === index ? item : old))),
    remove:
      readOnly === true || items.length <= shape.minItems
        ? undefined
        : (index) => onChange(items.filter((_, place) => place !== index)),
  };
  const isLong = items.length > 1 || shape.maxItems > 1;
  return (
    <fieldset class="spaced" aria-label={label}>
      {items.length === 0 && <span class="soft">none</span>}
      <Content {...itemsProperties} />
      <Refused refusal={refusal} at={at} />
      {readOnly !== true && isLong && items.length < shape.maxItems && (
        <div>
          <button type="button" onClick={add}>
            Add one
          </button>{' '}
          <span class="small soft">at most {shape.maxItems}</span>
        </div>
      )}
    </fieldset>
  );
}

/** Returns a new item like the last one, with a number of its own if it has one. */
function itemAfter(last: unknown, of: Shape): unknown {
  if (last === undefined) return initialValue(of);
  return isObject(last) && typeof last.Id === 'number' ? { ...last, Id: last.Id + 1 } : last;
}

interface Items extends ControlProperties<ShapeOf<'array'>> {
  readonly items: readonly unknown[];
  readonly replace: (index: number, item: unknown) => void;
  /** Undefined if no item may go. */
  readonly remove: ((index: number) => void) | undefined;
}

function Content(items: Items) {
  const { of } = items.shape;
  if (isLeaf(of)) return <Inline {...items} />;
  const columns = columnsOf(of);
  return columns === undefined ? <Opened {...items} /> : <Rows {...items} columns={columns} />;
}

function columnsOf(shape: Shape): readonly string[] | undefined {
  if (shape.kind !== 'struct') return undefined;
  const members = Object.entries(shape.members).filter(([name]) => !isReserved(name));
  if (members.length > mostColumns || !members.every(([, member]) => isLeaf(member.shape))) return undefined;
  return members.map(([name]) => name);
}

function propertiesOf(array: Items, index: number): ControlProperties {
  const { shape, items, replace, label, refusal, readOnly, unitOf, at = '', member } = array;
  return {
    shape: shape.of,
    value: items[index],
    onChange: (item) => replace(index, item),
    label: `${label} ${index + 1}`,
    refusal,
    readOnly,
    unitOf,
    at: `${at}[${index}]`,
    member,
  };
}

function Remove({ array, index }: { array: Items; index: number }) {
  const { remove } = array;
  if (remove === undefined) return null;
  return (
    <button
      type="button"
      class="plain"
      aria-label={`Remove ${array.label} ${index + 1}`}
      title="Remove"
      onClick={() => remove(index)}
    >
      ×
    </button>
  );
}

function Inline(array: Items) {
  return (
    <ol class="inline-items">
      {array.items.map((_, index) => (
        <li key={String(index)}>
          <span class="small soft">{index + 1}</span>
          <ValueControl {...propertiesOf(array, index)} />
          <Remove array={array} index={index} />
        </li>
      ))}
    </ol>
  );
}

function Rows({ columns, ...array }: Items & { columns: readonly string[] }) {
  if (array.items.length === 0) return null;
  const members = array.shape.of.kind === 'struct' ? array.shape.of.members : {};
  const ofMember = (name: string): Column<unknown> => [
    spokenName(name),
    (item, index) => {
      const control = propertiesOf(array, index);
      const struct = isObject(item) ? item : {};
      const member = members[name];
      return (
        member !== undefined && (
          <ValueControl
            {...control}
            shape={member.shape}
            value={struct[name]}
            onChange={(value) => array.replace(index, { ...struct, [name]: value })}
            label={`${control.label} ${spokenName(name)}`}
            at={`${control.at}.${name}`}
            member={name}
          />
        )
      );
    },
  ];
  const remove: Column<unknown> = [
    <span class="hidden-text">Remove</span>,
    (_, index) => <Remove array={array} index={index} />,
  ];
  return (
    <Table
      kind="item-table"
      containerClass="scrolled"
      rows={array.items}
      keyOf={(_, index) => index}
      columns={[
        ['#', (_, index) => index + 1, 'number soft'],
        ...columns.map(ofMember),
        ...(array.remove === undefined ? [] : [remove]),
      ]}
    />
  );
}

function Opened(array: Items) {
  return (
    <ol class="opened-items">
      {array.items.map((item, index) => {
        const control = propertiesOf(array, index);
        return (
          <li key={String(index)}>
            <Collapsible
              title={titleOf(item, index)}
              summary={valueText(array.shape.of, item, array.unitOf)}
              forced={concerns(array.refusal, control.at ?? '')}
            >
              {() => (
                <>
                  <ValueControl {...control} />
                  {array.remove !== undefined && (
                    <button type="button" class="danger" onClick={() => array.remove?.(index)}>
                      Remove {titleOf(item, index)}
                    </button>
                  )}
                </>
              )}
            </Collapsible>
          </li>
        );
      })}
    </ol>
  );
}

/** The number of an item, with its name if it has one. */
function titleOf(item: unknown, index: number): string {
  const name = isObject(item) && typeof item.Name === 'string' ? item.Name.trim() : '';
  return name === '' ? `${index + 1}` : `${index + 1} ${name}`;
}

/** A value to begin with, for an item that is added to an array. */
export function initialValue(shape: Shape): unknown {
  switch (shape.kind) {
    case 'boolean':
      return false;
    case 'integer':
    case 'float':
      return Math.min(Math.max(0, shape.minimum), shape.maximum);
    case 'enumeration':
      return Object.values(shape.values)[0] ?? 0;
    case 'levelName':
      return levelNames[0];
    case 'string':
      return ' '.repeat(shape.minLength);
    case 'address':
      return Array.from({ length: shape.length }, () => 0);
    case 'array':
      return Array.from({ length: shape.minItems }, () => initialValue(shape.of));
    case 'struct':
      return Object.fromEntries(Object.entries(shape.members).map(([name, { initial }]) => [name, initial]));
  }
}

/** A part that is opened by its summary. The content exists only while it is open. */
function Collapsible({
  title,
  summary,
  forced,
  children,
}: {
  title: string;
  summary: string;
  /** Open, even if the person has closed it: there is a problem inside. */
  forced: boolean;
  children: () => ComponentChildren;
}) {
  const wanted = useSignal(false);
  const open = wanted.value || forced;
  return (
    <details
      class="collapsible"
      open={open}
      onToggle={({ currentTarget }) => {
        wanted.value = currentTarget.open;
      }}
    >
      <summary>
        <span class="collapsible-title">{title}</span>
        <span class="soft small">{summary}</span>
      </summary>
      {open && children()}
    </details>
  );
}
