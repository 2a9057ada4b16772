import { isObject, type Shape, scaled } from '@azimuth/model';
import { jsonText, printable } from '../output/output.js';
import { tableCell } from '../output/table.js';

/** A value for people: in one line, or as rows of a name and a value. */
export type FormattedValue = string | readonly Row[];
export type Row = readonly [name: string, form: FormattedValue];

/** Returns the unit of a number, by the name of its member; the name is empty for a value that is a number itself. */
type UnitOf = (member: string) => string | undefined;

const noUnits: UnitOf = () => undefined;

/**
 * Returns the natural form of a JSON value: `192.168.0.1`, `1 TX_IP_DHCP`, `31.5 °C`, a struct row by row. A value of
 * another shape, as from a newer release, stays JSON.
 * @param unitOf the units of its numbers; without it, numbers have no unit
 */
export function formatValue(
  shape: Shape,
  json: unknown,
  unitOf: UnitOf = noUnits,
  member = '',
): FormattedValue {
  switch (shape.kind) {
    case 'enumeration':
      return typeof json === 'number' ? enumerationForm(shape.values, json) : plain(json);
    case 'address':
      return isBytes(json) ? addressForm(shape.of, json) : plain(json);
    case 'array':
      return Array.isArray(json) ? arrayForm(shape.of, json, unitOf, member) : plain(json);
    case 'struct':
      return isObject(json) ? structForm(shape.members, json, unitOf) : plain(json);
    case 'integer':
    case 'float':
      return typeof json === 'number' ? numberForm(json, unitOf(member)) : plain(json);
    default:
      return plain(json);
  }
}

/** Returns the lines of a form: rows with their values in one column. Nested rows are indented below their name. */
export function formattedLines(form: FormattedValue): string[] {
  if (typeof form === 'string') return [form];
  const rows = form.map(([name, value]): Row => [tableCell(name), value]);
  const width = Math.max(0, ...rows.map(([name, value]) => (typeof value === 'string' ? name.length : 0)));
  return rows.flatMap(([name, value]) =>
    typeof value === 'string'
      ? [`${name.padEnd(width)}  ${value}`.trimEnd()]
      : [name, ...formattedLines(value).map((line) => `  ${line}`)],
  );
}

/** Returns a form in one line: `Port=2115, Offsets=[0, 1], Filters={[0..7]={bEnable=false}}`. */
export function oneLine(form: FormattedValue): string {
  if (typeof form === 'string') return form;
  const rows = form.map(([name, value]) => {
    if (typeof value !== 'string') return `${name}={${oneLine(value)}}`;
    return value.includes(', ') ? `${name}=[${value}]` : `${name}=${value}`;
  });
  return rows.join(', ');
}

function plain(json: unknown): string {
  return typeof json === 'string' ? printable(json) : jsonText(json);
}

/** Returns `31.5 °C`. The number is the one of the interface: `900000 (90°)` counts 1/10000°. */
function numberForm(number: number, unit: string | undefined): string {
  if (unit === undefined) return `${number}`;
  const formatted = scaled(number, unit);
  return formatted === undefined
    ? `${number}${spaced(unit)}`
    : `${number} (${formatted.value}${spaced(formatted.unit)})`;
}

function spaced(unit: string): string {
  return unit === '°' ? unit : ` ${unit}`;
}

function enumerationForm(values: Readonly<Record<string, number>>, number: number): string {
  const name = Object.keys(values).find((key) => values[key] === number);
  return name === undefined ? `${number}` : `${number} ${name}`;
}

function isBytes(json: unknown): json is readonly number[] {
  return Array.isArray(json) && json.every((item: unknown) => typeof item === 'number');
}

function addressForm(kind: 'IPv4' | 'MAC', bytes: readonly number[]): string {
  if (kind === 'IPv4') return bytes.join('.');
  return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join(':');
}

/**
 * Returns the rows of items. Items with rows of their own get a row each; equal ones in succession share it: `[0..7]`.
 */
function arrayForm(item: Shape, json: readonly unknown[], unitOf: UnitOf, member: string): FormattedValue {
  if (json.length === 0) return '[]';
  const forms = json.map((value) => formatValue(item, value, unitOf, member));
  if (forms.every((form) => typeof form === 'string')) return forms.join(', ');
  const rows: Row[] = [];
  let first = 0;
  for (const [index, form] of forms.entries()) {
    if (isSame(form, forms[index + 1])) continue;
    rows.push([first === index ? `[${index}]` : `[${first}..${index}]`, form]);
    first = index + 1;
  }
  return rows;
}

function isSame(one: FormattedValue, other: FormattedValue | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function structForm(
  members: Readonly<Record<string, { readonly shape: Shape }>>,
  json: Readonly<Record<string, unknown>>,
  unitOf: UnitOf,
): FormattedValue {
  return Object.entries(json).map(([name, value]): Row => {
    const member = Object.hasOwn(members, name) ? members[name] : undefined;
    return [
      printable(name),
      member === undefined ? plain(value) : formatValue(member.shape, value, unitOf, name),
    ];
  });
}
