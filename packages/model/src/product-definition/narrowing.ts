import { Refusal } from '../envelope.js';
import type { Member, Shape, ValueType } from '../types/value-type.js';
import type { Part } from './part.js';

/** Members of a range by the kind of the type that it narrows. */
const boundsOfKind: Readonly<Record<Shape['kind'], readonly string[]>> = {
  boolean: [],
  integer: ['minimum', 'maximum'],
  float: ['minimum', 'maximum'],
  enumeration: ['values'],
  levelName: [],
  string: ['minLength', 'maxLength'],
  address: [],
  array: ['minItems', 'maxItems', 'of'],
  struct: ['members'],
};

/** Returns a type narrowed by the bounds of a part; undefined, and mistakes, if they do not fit the type. */
export function narrowed<T>(type: ValueType<T>, part: Part): ValueType<T> | undefined {
  const shape = narrowedShape(type.shape, part);
  return shape && withShape(type, shape);
}

/** A type with the telegrams of another one, and fewer values. */
export function withShape<T>(type: ValueType<T>, shape: Shape): ValueType<T> {
  const within = (value: T, at: string): T => {
    assertWithin(shape, value, at);
    return value;
  };
  return {
    ...type,
    shape,
    fromJson: (json, at) => within(type.fromJson(json, at), at),
    fromText: (input, at) => within(type.fromText(input, at), at),
    fromBinary: (input, at) => within(type.fromBinary(input, at), at),
  };
}

function narrowedShape(shape: Shape, part: Part): Shape | undefined {
  const allowed = boundsOfKind[shape.kind];
  if (allowed.length === 0) return part.mistake(`a type of the kind ${shape.kind} has no range`);
  part.only(allowed);
  switch (shape.kind) {
    case 'integer':
    case 'float': {
      const bounds = boundsIn(
        part,
        ['minimum', 'maximum'],
        shape,
        shape.kind === 'integer' ? 'integer' : 'number',
      );
      return bounds && { ...shape, minimum: bounds.minimum, maximum: bounds.maximum };
    }
    case 'string': {
      const bounds = boundsIn(part, ['minLength', 'maxLength'], {
        minimum: shape.minLength,
        maximum: shape.maxLength,
      });
      return bounds && { ...shape, minLength: bounds.minimum, maxLength: bounds.maximum };
    }
    case 'array': {
      const { minItems: minimum, maxItems: maximum } = shape;
      const bounds = boundsIn(part, ['minItems', 'maxItems'], { minimum, maximum });
      const of = part.has('of') ? narrowedShape(shape.of, part.part('of')) : shape.of;
      return bounds && of && { ...shape, of, minItems: bounds.minimum, maxItems: bounds.maximum };
    }
    case 'enumeration':
      return narrowedValues(shape, part.part('values'));
    case 'struct':
      return narrowedMembers(shape, part.part('members'));
    default:
      return shape;
  }
}

interface Range {
  readonly minimum: number;
  readonly maximum: number;
}

/** Returns the bounds of a part, by default those of the type. They lie within those of the type. */
function boundsIn(
  part: Part,
  [low, high]: readonly [string, string],
  range: Range,
  of: 'integer' | 'number' = 'integer',
): Range | undefined {
  const bound = (name: string) =>
    of === 'integer' ? part.part(name).integer(range) : part.part(name).number(range);
  const minimum = bound(low) ?? range.minimum;
  const maximum = bound(high) ?? range.maximum;
  if (minimum <= maximum) return { minimum, maximum };
  return part.mistake(`${low} ${minimum} is above ${high} ${maximum}`);
}

function narrowedValues(shape: Shape & { kind: 'enumeration' }, part: Part): Shape | undefined {
  const names = Object.keys(shape.values);
  const kept = part.required(part.items)?.map((item) => item.oneOf(names));
  if (kept === undefined || kept.length === 0) return part.mistake('expected at least one name of a value');
  return {
    ...shape,
    values: Object.fromEntries(Object.entries(shape.values).filter(([name]) => kept.includes(name))),
  };
}

function narrowedMembers(shape: Shape & { kind: 'struct' }, part: Part): Shape | undefined {
  const members: Record<string, Member> = { ...shape.members };
  part.required(part.only(Object.keys(members)).members);
  for (const [name, range] of part.parts) {
    const member = members[name];
    const of = member && narrowedShape(member.shape, range);
    if (member === undefined || of === undefined) continue;
    members[name] = { ...member, shape: of };
  }
  return { ...shape, members };
}

/**
 * Checks a value of a type against a narrower shape.
 * @throws Refusal 6, 7 or 9, as the type
 */
export function assertWithin(shape: Shape, value: unknown, at: string): void {
  switch (shape.kind) {
    case 'integer':
    case 'float':
      if (typeof value === 'number' && (value < shape.minimum || value > shape.maximum))
        throw new Refusal('outOfRange', at, `expected ${shape.minimum} to ${shape.maximum}, got ${value}`);
      return;
    case 'enumeration':
      if (!Object.values(shape.values).some((number) => number === value))
        throw new Refusal('illegalValue', at, `expected one of ${valuesOf(shape.values)}, got ${value}`);
      return;
    case 'string':
      if (typeof value === 'string')
        assertCount([...value].length, shape.minLength, shape.maxLength, 'characters', at);
      return;
    case 'array':
      if (!Array.isArray(value)) return;
      assertCount(value.length, shape.minItems, shape.maxItems, 'items', at);
      value.forEach((item: unknown, index) => {
        assertWithin(shape.of, item, `${at}[${index}]`);
      });
      return;
    case 'struct':
      assertMembersWithin(shape.members, value, at);
      return;
    default:
  }
}

function valuesOf(values: Readonly<Record<string, number>>): string {
  return Object.entries(values)
    .map(([name, number]) => `${number} ${name}`)
    .join(', ');
}

function assertCount(count: number, minimum: number, maximum: number, what: string, at: string): void {
  if (count >= minimum && count <= maximum) return;
  throw new Refusal('outOfBounds', at, `expected ${minimum} to ${maximum} ${what}, got ${count}`);
}

function assertMembersWithin(members: Readonly<Record<string, Member>>, value: unknown, at: string): void {
  if (typeof value !== 'object' || value === null) return;
  const entries = new Map<string, unknown>(Object.entries(value));
  for (const [name, { shape }] of Object.entries(members))
    assertWithin(shape, entries.get(name), at === '' ? name : `${at}.${name}`);
}
