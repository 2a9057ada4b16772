import { type ControlProperties, LeafControl } from './leaf-control.js';
import { isLeaf, isReserved, type ShapeOf, valueText } from './value-text.js';
import '../style/forms.css';
import { isObject, levelNames, type Shape } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { isWithin } from './refusal.js';
import { spokenName } from './spoken-name.js';

/**
 * The control for a value of any shape of the model. It only edits: who uses it checks the value (`refusalBy`) and sends it.
 */
export function ValueControl(properties: ControlProperties) {
  const { shape } = properties;
  if (isLeaf(shape)) return <LeafControl {...properties} shape={shape} />;
  if (shape.kind === 'array') return <ArrayControl {...properties} shape={shape} />;
  return <StructControl {...properties} shape={shape} />;
}

/** Why a value of many parts is not taken as a whole. */
function Refused({ refusal, at = '' }: Pick<ControlProperties, 'refusal' | 'at'>) {
  if (refusal?.at !== at) return null;
  return (
    <p class="refusal" role="alert">
      {refusal.reason}
    </p>
  );
}

/** The members of a struct, one below the other. */
function StructControl(properties: ControlProperties<ShapeOf<'struct'>>) {
  const { shape, value, onChange, label, refusal, readOnly, unitOf, at = '' } = properties;
  const struct = isObject(value) ? value : {};
  return (
    <fieldset class="members" aria-label={label}>
      {Object.entries(shape.members)
        .filter(([name]) => !isReserved(name))
        .map(([name, { shape: of }]) => (
          <div key={name} class={isLeaf(of) ? 'member' : 'member nested'}>
            <span class="member-name" title={name}>
              {spokenName(name)}
            </span>
            <ValueControl
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
          </div>
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
    <fieldset class="items" aria-label={label}>
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

/** A new item like the last one, with a number of its own if it has one. */
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
  return columns === undefined ? <Opened {...items} /> : <Table {...items} columns={columns} />;
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

function Table({ columns, ...array }: Items & { columns: readonly string[] }) {
  if (array.items.length === 0) return null;
  const members = array.shape.of.kind === 'struct' ? array.shape.of.members : {};
  return (
    <div class="scrolled">
      <table class="item-table">
        <thead>
          <tr>
            <th class="number">#</th>
            {columns.map((name) => (
              <th key={name}>{spokenName(name)}</th>
            ))}
            {array.remove !== undefined && <th aria-label="Remove" />}
          </tr>
        </thead>
        <tbody>
          {array.items.map((item, index) => {
            const whole = propertiesOf(array, index);
            const struct = isObject(item) ? item : {};
            return (
              <tr key={String(index)}>
                <td class="number soft">{index + 1}</td>
                {columns.map((name) => {
                  const member = members[name];
                  return (
                    <td key={name}>
                      {member !== undefined && (
                        <ValueControl
                          {...whole}
                          shape={member.shape}
                          value={struct[name]}
                          onChange={(value) => array.replace(index, { ...struct, [name]: value })}
                          label={`${whole.label} ${spokenName(name)}`}
                          at={`${whole.at}.${name}`}
                          member={name}
                        />
                      )}
                    </td>
                  );
                })}
                {array.remove !== undefined && (
                  <td>
                    <Remove array={array} index={index} />
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Opened(array: Items) {
  return (
    <ol class="opened-items">
      {array.items.map((item, index) => {
        const whole = propertiesOf(array, index);
        return (
          <li key={String(index)}>
            <Collapsible
              title={titleOf(item, index)}
              summary={valueText(array.shape.of, item, array.unitOf)}
              forced={isWithin(array.refusal, whole.at ?? '')}
            >
              {() => (
                <>
                  <ValueControl {...whole} />
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

/** Something that is opened by its summary. What is inside exists only while it is open. */
function Collapsible({
  title,
  summary,
  forced,
  children,
}: {
  title: string;
  summary: string;
  /** Open, whatever the person did: there is something to mend inside. */
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
