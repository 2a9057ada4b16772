import {
  counted,
  ianaZones,
  isObject,
  type KnownInterface,
  type Shape,
  scaled,
  TimeZone,
  widths,
} from '@azimuth/model';
import { declaredVariable } from '../connection/declarations.js';
import { profileWords } from '../connection/profiles.js';
import { spokenName, spokenValues } from './spoken-name.js';

export type ShapeOf<K extends Shape['kind']> = Extract<Shape, { readonly kind: K }>;

/** Shapes that one control holds. The others have parts. */
export type LeafShape = Exclude<Shape, ShapeOf<'array'> | ShapeOf<'struct'>>;

export function isLeaf(shape: Shape): shape is LeafShape {
  return shape.kind !== 'array' && shape.kind !== 'struct';
}

/** The shape of a part of a value, at a path of members. Arrays stand for their items. */
export function shapeAt(shape: Shape, path: readonly string[]): Shape {
  return path.reduce((shape: Shape, name) => {
    const struct = itemOf(shape);
    const member = struct.kind === 'struct' ? struct.members[name] : undefined;
    if (member === undefined) throw new TypeError(`there is no member ${name} in a value of this shape`);
    return itemOf(member.shape);
  }, shape);
}

function itemOf(shape: Shape): Shape {
  return shape.kind === 'array' ? shape.of : shape;
}

/** Characters of a struct in one line. */
const longest = 120;
/** Number of items of an array that are listed. */
const mostItems = 12;

/** Members without a meaning. They are sent as they arrived. */
export function isReserved(member: string): boolean {
  return /^reserved\d*$/i.test(member);
}

/** A value in one line for a person: `Static`, `On`, `90°`, `192.168.0.1`, `8 items`. */
export function valueText(shape: Shape, value: unknown, unitOf: UnitOf = noUnits, member = ''): string {
  if (value === undefined || value === null) return '–';
  switch (shape.kind) {
    case 'boolean':
      return value === true ? 'On' : 'Off';
    case 'enumeration': {
      const words = typeof value === 'number' ? enumerationWords(shape.values).get(value) : undefined;
      return words ?? `unknown: ${value}`;
    }
    case 'integer':
    case 'float':
      return typeof value === 'number' ? numberText(value, unitOf(member)) : String(value);
    case 'levelName':
    case 'string':
      return String(value).trim() === '' ? 'empty' : String(value);
    case 'address':
      return Array.isArray(value) ? addressText(shape.of, value) : '';
    case 'array':
      return Array.isArray(value) ? arrayText(shape.of, value, unitOf, member) : '';
    case 'struct':
      return isObject(value) ? structText(shape, value, unitOf) : '';
  }
}

/** An address as it is typed: `192.168.0.1`, `00:06:77:00:00:00`. */
export function addressText(of: 'IPv4' | 'MAC', bytes: readonly unknown[]): string {
  if (of === 'IPv4') return bytes.join('.');
  return bytes.map((byte) => Number(byte).toString(16).padStart(2, '0').toUpperCase()).join(':');
}

function arrayText(of: Shape, items: readonly unknown[], unitOf: UnitOf, member: string): string {
  if (items.length === 0) return 'none';
  if (of.kind === 'struct' || of.kind === 'array' || items.length > mostItems)
    return counted(items.length, 'item');
  return items.map((item) => valueText(of, item, unitOf, member)).join(', ');
}

function structText(
  shape: Shape & { readonly kind: 'struct' },
  value: Readonly<Record<string, unknown>>,
  unitOf: UnitOf,
): string {
  const parts = Object.entries(shape.members)
    .filter(([name]) => !isReserved(name) && Object.hasOwn(value, name))
    .map(([name, member]) => `${spokenName(name)}: ${valueText(member.shape, value[name], unitOf, name)}`);
  const text = parts.join(', ');
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}

/** The unit of a number, by the name of the member that holds it; empty for a value that is the number itself. */
export type UnitOf = (member: string) => string | undefined;

export const noUnits: UnitOf = () => undefined;

/** A number with its unit, in whole units: `90°`, `12.5 h`. */
export function numberText(value: number, unit: string | undefined): string {
  const quantity = scaled(value, unit);
  if (quantity !== undefined) return numberText(quantity.value, quantity.unit);
  if (unit === undefined) return String(value);
  return unit === '°' ? `${value}°` : `${value} ${unit}`;
}

type Values = Readonly<Record<string, number>>;

/** Enumerations whose names do not show the meaning of a value. */
const described: ReadonlyMap<Values, ReadonlyMap<number, string>> = new Map<
  Values,
  ReadonlyMap<number, string>
>([
  [
    TimeZone,
    new Map(Object.entries(ianaZones).map(([value, zone]) => [Number(value), zone.replaceAll('_', ' ')])),
  ],
]);

const spoken = new WeakMap<Values, ReadonlyMap<number, string>>();

/** Returns a word for each number of an enumeration. */
export function enumerationWords(values: Values): ReadonlyMap<number, string> {
  const known = profileWords(values) ?? described.get(values) ?? spoken.get(values);
  if (known !== undefined) return known;
  const words = spokenValues(values);
  spoken.set(values, words);
  return words;
}

/** The greatest number that needs no words about its range: those of floats without one are beyond it. */
const unlimited = 1e38;

/**
 * Returns the range of a control in a few words: `3 to 60`, `up to 32 characters`; empty if there is nothing to say.
 */
export function rangeText(shape: Shape): string {
  switch (shape.kind) {
    case 'integer':
    case 'float': {
      const { minimum, maximum } = shape;
      if (shape.kind === 'float' && maximum >= unlimited) return '';
      // A person does not type numbers as large as these.
      if (shape.kind === 'integer' && maximum >= widths.uint32.maximum && minimum <= 0) return '';
      return `${minimum} to ${maximum}`;
    }
    case 'string':
      return shape.minLength === shape.maxLength
        ? `${shape.maxLength} characters`
        : `up to ${shape.maxLength} characters`;
    case 'array': {
      if (shape.minItems === shape.maxItems) return '';
      return shape.minItems === 0 ? `up to ${shape.maxItems}` : `${shape.minItems} to ${shape.maxItems}`;
    }
    default:
      return '';
  }
}

/**
 * A value in one line of at most this many characters, with everything that it consists of: a single value in words, others
 * as JSON.
 * @param name of the variable; on the wire, those of extensions have a prefix
 */
export function shortText(name: string, value: unknown, known: KnownInterface, most = 60): string {
  const variable = declaredVariable(name, known);
  const text =
    variable !== undefined && isLeaf(variable.type.shape)
      ? valueText(variable.type.shape, value, (member) => variable.unitOf(member))
      : (JSON.stringify(value) ?? '–');
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
