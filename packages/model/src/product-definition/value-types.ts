import { describeJson, isObject, Refusal } from '../envelope.js';
import { array, ipv4, mac } from '../types/array.js';
import { boolean, enumeration } from '../types/enumeration.js';
import { float } from '../types/float.js';
import { integer } from '../types/integer.js';
import { type IntegerFormat, widths } from '../types/integer-format.js';
import { string } from '../types/string.js';
import { struct } from '../types/struct.js';
import type { Shape, ValueType } from '../types/value-type.js';
import type { TypeDefinition } from './definition.js';
import { type Part, thrownText } from './part.js';

/** Members of a type definition beside `kind`, by its kind. */
const membersOfKind = {
  boolean: ['initial'],
  integer: ['format', 'minimum', 'maximum', 'initial'],
  float: ['minimum', 'maximum', 'initial'],
  enumeration: ['values', 'format', 'initial'],
  string: ['minLength', 'maxLength', 'initial'],
  address: ['of', 'initial'],
  array: ['of', 'minItems', 'maxItems', 'initial'],
  struct: ['members'],
} as const satisfies Readonly<Record<TypeDefinition['kind'], readonly string[]>>;

const kinds: readonly TypeDefinition['kind'][] = [
  'boolean',
  'integer',
  'float',
  'enumeration',
  'string',
  'address',
  'array',
  'struct',
];

function isFormat(name: string): name is IntegerFormat {
  return Object.hasOwn(widths, name);
}

const formats: readonly IntegerFormat[] = Object.keys(widths).filter(isFormat);

/** Longest text, and most items of an array: the largest that one telegram of the legacy protocol counts. */
const most = 65_535;

/** Depth of types inside of types. */
const deepest = 6;

/** Most members of a struct, and most values of an enumeration: clients read no more. */
const mostNames = 1000;

/** Most numbers, texts and booleans that the smallest value of a type has. */
const mostLeaves = 100_000;

/** The definitions of the types that contain this one. */
type Within = readonly unknown[];

/** Records that this cannot be the name of a variable, a method, a member or a value. */
export function checkName(name: string, part: Part): void {
  if (!/^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(name))
    part.mistake('expected a name: a letter, then up to 63 letters, digits and _');
  else if (name in {}) part.mistake(`every object of JavaScript has the name ${name} already`);
}

/** Returns the value type of a definition; undefined, and mistakes, if there is none. */
export function valueType(part: Part, within: Within = []): ValueType<unknown> | undefined {
  const kindPart = part.part('kind');
  if (part.json === undefined) return part.mistake('is missing');
  if (!isObject(part.json)) return part.mistake(`expected an object, got ${describeJson(part.json)}`);
  const kind = kindPart.required(kindPart.oneOf(kinds));
  if (kind === undefined) return undefined;
  if (within.includes(part.json)) return part.mistake('a type cannot be inside of itself');
  if (within.length >= deepest) return part.mistake(`expected at most ${deepest} types inside of each other`);
  part.only(['kind', ...membersOfKind[kind]]);
  const type = typeOfKind(kind, part, [...within, part.json]);
  if (type === undefined) return undefined;
  const leaves = fewestLeaves(type.shape);
  if (leaves > mostLeaves)
    return part.mistake(`expected values of at most ${mostLeaves} parts, got at least ${leaves}`);
  return withInitial(type, part.part('initial'));
}

/** Returns the number of numbers, texts and booleans in the smallest value of a shape. */
function fewestLeaves(shape: Shape): number {
  if (shape.kind === 'array') return shape.minItems * fewestLeaves(shape.of);
  if (shape.kind !== 'struct') return 1;
  return Object.values(shape.members).reduce((sum, member) => sum + fewestLeaves(member.shape), 0);
}

/** The initial value is a valid value of the type itself. */
function withInitial(type: ValueType<unknown>, part: Part): ValueType<unknown> | undefined {
  if (part.json === undefined) return type;
  const initial = checked(type, part);
  return initial === undefined ? undefined : { ...type, initial };
}

/** Returns the value of a type that a part states; undefined, and a mistake, if it is not valid. */
export function checked(type: ValueType<unknown>, part: Part): unknown {
  try {
    return type.fromJson(part.json, part.at);
  } catch (error) {
    if (!(error instanceof Refusal)) return part.mistake(`cannot be read: ${thrownText(error)}`);
    const place = error.at === part.at ? '' : `${error.at.slice(part.at.length).replace(/^\./, '')}: `;
    return part.mistake(place + error.reason);
  }
}

function typeOfKind(
  kind: TypeDefinition['kind'],
  part: Part,
  within: Within,
): ValueType<unknown> | undefined {
  switch (kind) {
    case 'boolean':
      return boolean();
    case 'integer':
      return integerType(part);
    case 'float':
      return floatType(part);
    case 'enumeration':
      return enumerationType(part);
    case 'string':
      return stringType(part);
    case 'address':
      return addressType(part);
    case 'array':
      return arrayType(part, within);
    case 'struct':
      return structType(part, within);
  }
}

/** Returns two bounds; undefined, and a mistake, if the lower one is above the upper one. */
function ordered<T extends number | undefined>(
  part: Part,
  [lowName, low]: readonly [string, T],
  [highName, high]: readonly [string, T],
): readonly [T, T] | undefined {
  if (low === undefined || high === undefined || low <= high) return [low, high];
  return part.mistake(`${lowName} ${low} is above ${highName} ${high}`);
}

function integerType(part: Part): ValueType<unknown> | undefined {
  const formatPart = part.part('format');
  const format = formatPart.json === undefined ? 'uint32' : formatPart.oneOf(formats);
  if (format === undefined) return undefined;
  const width = widths[format];
  const bounds = ordered(
    part,
    ['minimum', part.part('minimum').integer(width)],
    ['maximum', part.part('maximum').integer(width)],
  );
  return bounds && integer(format, { minimum: bounds[0], maximum: bounds[1] });
}

function floatType(part: Part): ValueType<unknown> | undefined {
  const bounds = ordered(
    part,
    ['minimum', part.part('minimum').number()],
    ['maximum', part.part('maximum').number()],
  );
  return bounds && float({ minimum: bounds[0], maximum: bounds[1] });
}

function enumerationType(part: Part): ValueType<unknown> | undefined {
  const format = part.part('format').oneOf(formats) ?? 'uint8';
  const values: Record<string, number> = {};
  const valuesPart = part.part('values');
  checkCount(valuesPart);
  for (const [name, one] of valuesPart.required(valuesPart.parts) ?? []) {
    checkName(name, one);
    const number = one.integer(widths[format]);
    if (number === undefined) continue;
    if (Object.values(values).includes(number)) one.mistake(`${number} has another name already`);
    values[name] = number;
  }
  const [first] = Object.values(values);
  if (first !== undefined) return enumeration(values, first, format);
  return valuesPart.json === undefined ? undefined : valuesPart.mistake('expected at least one value');
}

function stringType(part: Part): ValueType<unknown> | undefined {
  const maxPart = part.part('maxLength');
  const maximum = maxPart.required(maxPart.integer({ minimum: 1, maximum: most }));
  const minimum = part.part('minLength').integer({ minimum: 0, maximum: most }) ?? 0;
  if (maximum === undefined) return undefined;
  const bounds = ordered(part, ['minLength', minimum], ['maxLength', maximum]);
  return bounds && string({ minLength: minimum, maxLength: maximum, initial: ' '.repeat(minimum) });
}

function addressType(part: Part): ValueType<unknown> | undefined {
  const ofPart = part.part('of');
  const of = ofPart.required(ofPart.oneOf(['IPv4', 'MAC']));
  if (of === undefined) return undefined;
  return of === 'IPv4' ? ipv4([0, 0, 0, 0]) : mac([0, 0, 0, 0, 0, 0]);
}

function arrayType(part: Part, within: Within): ValueType<unknown> | undefined {
  const of = valueType(part.part('of'), within);
  const maxPart = part.part('maxItems');
  const maxItems = maxPart.required(maxPart.integer({ minimum: 1, maximum: most }));
  const minItems = part.part('minItems').integer({ minimum: 0, maximum: most }) ?? 0;
  if (of === undefined || maxItems === undefined) return undefined;
  const bounds = ordered(part, ['minItems', minItems], ['maxItems', maxItems]);
  return bounds && array(of, { minItems, maxItems });
}

function structType(part: Part, within: Within): ValueType<unknown> | undefined {
  const membersPart = part.part('members');
  membersPart.required(membersPart.json);
  return structOf(membersPart, within);
}

function checkCount(part: Part): void {
  const count = Object.keys(part.members).length;
  if (count > mostNames) part.mistake(`expected at most ${mostNames} names, got ${count}`);
}

/** Returns the struct of these members; undefined, and mistakes, if one of them has no type. */
export function structOf(part: Part, within: Within = []): ValueType<unknown> | undefined {
  const members = membersOf(part, within);
  return members && struct(members);
}

/** Returns the types of members by name; undefined, and mistakes, if one of them has none. */
export function membersOf(
  part: Part,
  within: Within = [],
): Readonly<Record<string, ValueType<unknown>>> | undefined {
  checkCount(part);
  let isWhole = true;
  const members: Record<string, ValueType<unknown>> = {};
  for (const [name, one] of part.parts) {
    checkName(name, one);
    const type = valueType(one, within);
    if (type === undefined) isWhole = false;
    else members[name] = type;
  }
  return isWhole ? members : undefined;
}
