import { levelNames, parseInput, Refusal, type Shape, sameJson, scaled } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { LevelSelect } from '../session/secret-form.js';
import { concerns, type RefusedValue } from './refusal.js';
import {
  addressText,
  enumerationWords,
  type LeafShape,
  noUnits,
  numberText,
  rangeText,
  type ShapeOf,
  type UnitOf,
  valueText,
} from './value-text.js';

/** Properties of every control, for a value as a whole or for a part of one. */
export interface ControlProperties<S extends Shape = Shape> {
  readonly shape: S;
  /** JSON. A typed text that cannot be read as the shape is a string here; the model refuses it. */
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  /** Label for a screen reader. */
  readonly label: string;
  /** Refusal of the whole value; the control shows it if it concerns its place. */
  readonly refusal?: RefusedValue | undefined;
  /** Shown as text, with nothing to change. */
  readonly readOnly?: boolean | undefined;
  /** Shown with its range. */
  readonly withRange?: boolean | undefined;
  readonly unitOf?: UnitOf | undefined;
  /** The place within the whole value: `[2].Points`; empty for the whole. */
  readonly at?: string | undefined;
  /** The name of the member that it is; empty for the whole. */
  readonly member?: string | undefined;
}

/** One value that one control holds, with its unit, and with the reason if it is not taken. */
export function LeafControl(properties: ControlProperties<LeafShape>) {
  const { shape, value, refusal, readOnly, unitOf = noUnits, at = '', member = '' } = properties;
  const reasonId = useId();
  if (readOnly === true) return <span class="value">{valueText(shape, value, unitOf, member)}</span>;
  const refused = concerns(refusal, at);
  const reason =
    typeof value === 'string' ? (whyUnreadable(shape, value) ?? refusal?.reason) : refusal?.reason;
  const unit = hasUnit(shape) ? unitOf(member) : undefined;
  const quantity = typeof value === 'number' ? scaled(value, unit) : undefined;
  const range = properties.withRange === true ? rangeText(shape) : '';
  const attributes = {
    'aria-label': properties.label,
    'aria-invalid': refused,
    'aria-describedby': reasonId,
  };
  return (
    <span class="leaf">
      <Input {...properties} attributes={attributes} />
      {unit !== undefined && <span class="unit">{unit}</span>}
      {quantity !== undefined && (
        <span class="soft small">= {numberText(quantity.value, quantity.unit)}</span>
      )}
      {range !== '' && <span class="soft small range">{range}</span>}
      <span id={reasonId} class="refusal" role="alert">
        {refused ? reason : ''}
      </span>
    </span>
  );
}

/** False for values in words: the unit of a variable is that of its numbers. */
function hasUnit({ kind }: LeafShape): boolean {
  return kind !== 'boolean' && kind !== 'enumeration';
}

interface InputProperties extends ControlProperties<LeafShape> {
  readonly attributes: {
    readonly 'aria-label': string;
    readonly 'aria-invalid': boolean;
    readonly 'aria-describedby': string;
  };
}

function Input(properties: InputProperties) {
  const { shape, value, onChange, attributes } = properties;
  switch (shape.kind) {
    case 'boolean':
      return (
        <span class="switch">
          <input
            type="checkbox"
            {...attributes}
            checked={value === true}
            onChange={({ currentTarget }) => onChange(currentTarget.checked)}
          />
          <span aria-hidden="true">{value === true ? 'On' : 'Off'}</span>
        </span>
      );
    case 'enumeration':
      return <Enumeration {...properties} shape={shape} />;
    case 'levelName':
      return (
        <LevelSelect
          {...attributes}
          of={levelNames}
          value={levelNames.find((name) => name === value)}
          choose={onChange}
        />
      );
    default:
      return <Typed {...properties} />;
  }
}

function Enumeration({
  shape,
  value,
  onChange,
  attributes,
}: InputProperties & { readonly shape: ShapeOf<'enumeration'> }) {
  const words = enumerationWords(shape.values);
  const isKnown = typeof value === 'number' && words.has(value);
  return (
    <select
      {...attributes}
      value={String(value)}
      onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
    >
      {!isKnown && <option value={String(value)}>{valueText(shape, value)}</option>}
      {Object.entries(shape.values).map(([name, number]) => (
        <option key={number} value={String(number)} title={name}>
          {words.get(number)}
        </option>
      ))}
    </select>
  );
}

function Typed({ shape, value, onChange, attributes }: InputProperties) {
  const typed = useSignal<string | undefined>(undefined);
  // The typed text stays as it is (`1.50`) while it means the value.
  const isUnchanged = typed.value !== undefined && sameJson(valueOfText(shape, typed.value), value);
  const text = isUnchanged ? typed.value : editableText(shape, value);
  const apply = (written: string) => {
    typed.value = written;
    onChange(valueOfText(shape, written));
  };
  if (shape.kind === 'string' && shape.lines) {
    return (
      <textarea
        {...attributes}
        rows={4}
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => apply(currentTarget.value)}
      />
    );
  }
  const isNumber = shape.kind === 'integer' || shape.kind === 'float';
  return (
    <input
      type="text"
      class={isNumber ? 'number' : shape.kind}
      {...attributes}
      inputMode={isNumber && shape.minimum >= 0 ? 'decimal' : 'text'}
      autocomplete="off"
      spellcheck={false}
      value={text}
      onInput={({ currentTarget }) => apply(currentTarget.value)}
    />
  );
}

/** The text in which a person edits a value. */
export function editableText(shape: LeafShape, value: unknown): string {
  if (shape.kind === 'address' && Array.isArray(value)) return addressText(shape.of, value);
  return value === undefined || value === null ? '' : String(value);
}

/** The value that a typed text stands for, or the text itself if it stands for none. */
export function valueOfText(shape: LeafShape, text: string): unknown {
  // Texts are taken letter by letter, with quotes and blanks.
  if (shape.kind === 'string') return text;
  try {
    return parseInput(shape, text);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return text;
  }
}

/** Returns the reason why a typed text stands for no value; undefined if it stands for one. */
export function whyUnreadable(shape: LeafShape, text: string): string | undefined {
  if (shape.kind === 'string') return undefined;
  try {
    parseInput(shape, text);
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return text.trim() === '' ? 'a value is missing' : error.reason;
  }
}
