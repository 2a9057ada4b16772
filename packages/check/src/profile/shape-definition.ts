import { isObject, type RangeDefinition, type Shape, type TypeDefinition } from '@azimuth/model';

/** Longest name of a user level. */
const longestLevel = 20;

/** Returns a shape as the definition of a type. @param initial its first value, if there is one */
export function typeDefinition(shape: Shape, initial?: unknown): TypeDefinition {
  switch (shape.kind) {
    case 'boolean':
      return { kind: 'boolean', initial: typeof initial === 'boolean' ? initial : undefined };
    case 'integer':
    case 'enumeration': {
      const first = typeof initial === 'number' ? initial : undefined;
      const { format } = shape;
      return shape.kind === 'enumeration'
        ? { kind: 'enumeration', values: shape.values, format, initial: first }
        : { kind: 'integer', format, minimum: shape.minimum, maximum: shape.maximum, initial: first };
    }
    case 'float':
      return {
        kind: 'float',
        minimum: finite(shape.minimum),
        maximum: finite(shape.maximum),
        initial: typeof initial === 'number' ? initial : undefined,
      };
    case 'string': {
      const { minLength, maxLength } = shape;
      return {
        ...{ kind: 'string', minLength, maxLength },
        initial: typeof initial === 'string' ? initial : undefined,
      };
    }
    case 'levelName':
      return { kind: 'string', maxLength: longestLevel };
    case 'address':
      return { kind: 'address', of: shape.of };
    case 'array': {
      const { minItems, maxItems } = shape;
      return { kind: 'array', of: typeDefinition(shape.of), minItems, maxItems };
    }
    case 'struct':
      return { kind: 'struct', members: memberDefinitions(shape, initial) };
  }
}

/** Returns the members of a struct as definitions. */
export function memberDefinitions(shape: Shape, initial?: unknown): Readonly<Record<string, TypeDefinition>> {
  if (shape.kind !== 'struct') return {};
  const values = isObject(initial) ? initial : {};
  const members = Object.entries(shape.members).map(
    ([name, member]) => [name, typeDefinition(member.shape, values[name] ?? member.initial)] as const,
  );
  return Object.fromEntries(members);
}

/** Returns the bounds of a shape that are narrower than those of the model's; undefined if none is. */
export function narrowerRange(shape: Shape, model: Shape): RangeDefinition | undefined {
  switch (model.kind) {
    case 'integer':
    case 'float': {
      if (shape.kind !== 'integer' && shape.kind !== 'float') return undefined;
      const minimum = shape.minimum > model.minimum ? shape.minimum : undefined;
      const maximum = shape.maximum < model.maximum ? shape.maximum : undefined;
      return stated({ minimum, maximum });
    }
    case 'string': {
      if (shape.kind !== 'string') return undefined;
      const minLength = shape.minLength > model.minLength ? shape.minLength : undefined;
      const maxLength = shape.maxLength < model.maxLength ? shape.maxLength : undefined;
      return stated({ minLength, maxLength });
    }
    case 'array': {
      if (shape.kind !== 'array') return undefined;
      const minItems = shape.minItems > model.minItems ? shape.minItems : undefined;
      const maxItems = shape.maxItems < model.maxItems ? shape.maxItems : undefined;
      return stated({ minItems, maxItems, of: narrowerRange(shape.of, model.of) });
    }
    case 'enumeration':
      return shape.kind === 'enumeration' ? fewerValues(shape.values, model.values) : undefined;
    case 'struct':
      return shape.kind === 'struct' ? narrowerMembers(shape, model) : undefined;
    default:
      return undefined;
  }
}

function fewerValues(
  values: Readonly<Record<string, number>>,
  ofModel: Readonly<Record<string, number>>,
): RangeDefinition | undefined {
  const numbers = new Set(Object.values(values));
  const kept = Object.entries(ofModel).flatMap(([name, number]) => (numbers.has(number) ? [name] : []));
  return kept.length === 0 || kept.length === Object.keys(ofModel).length ? undefined : { values: kept };
}

function narrowerMembers(
  shape: Shape & { readonly kind: 'struct' },
  model: Shape & { readonly kind: 'struct' },
): RangeDefinition | undefined {
  const members = Object.entries(model.members).flatMap(([name, member]) => {
    const described = Object.hasOwn(shape.members, name) ? shape.members[name] : undefined;
    const range = described && narrowerRange(described.shape, member.shape);
    return range === undefined ? [] : [[name, range] as const];
  });
  return members.length === 0 ? undefined : { members: Object.fromEntries(members) };
}

function stated(range: RangeDefinition): RangeDefinition | undefined {
  return Object.values(range).every((bound) => bound === undefined) ? undefined : range;
}

function finite(bound: number): number | undefined {
  return Number.isFinite(bound) ? bound : undefined;
}
