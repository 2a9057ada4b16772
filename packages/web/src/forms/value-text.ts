import { counted, isObject, type Shape } from '@azimuth/model';
import { enumerationWords } from './enumeration-words.js';
import { spokenName } from './spoken-name.js';
import { noUnits, numberText, type UnitOf } from './units.js';

/** Characters of a struct in one line. */
const longest = 120;
/** Items of an array that are told one by one. */
const mostItems = 12;

/** Members without a meaning. They are sent as they came. */
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
