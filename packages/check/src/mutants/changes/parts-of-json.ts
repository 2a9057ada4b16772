import { isObject, type Shape } from '@azimuth/model';

/** Shape of each number of an address. */
const byte: Shape = { kind: 'integer', format: 'uint8', minimum: 0, maximum: 255 };

/**
 * Returns a JSON value with its parts replaced: numbers, texts and lists, wherever they are in it. A list is replaced before its
 * items. Parts of another JSON type than their shape stay as they are.
 */
export function withParts(
  shape: Shape,
  json: unknown,
  replaced: (shape: Shape, part: unknown) => unknown,
): unknown {
  const part = replaced(shape, json);
  if (shape.kind === 'array' && Array.isArray(part))
    return part.map((item: unknown) => withParts(shape.of, item, replaced));
  if (shape.kind === 'address' && Array.isArray(part))
    return part.map((item: unknown) => withParts(byte, item, replaced));
  if (shape.kind !== 'struct' || !isObject(part)) return part;
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => {
      const member = Object.hasOwn(shape.members, name) ? shape.members[name] : undefined;
      return [name, member === undefined ? value : withParts(member.shape, value, replaced)];
    }),
  );
}

/** Returns another value of a shape, as near as possible; the same one if the shape has no other. */
export function otherValue(shape: Shape, value: unknown): unknown {
  switch (shape.kind) {
    case 'boolean':
      return value !== true;
    case 'integer':
    case 'float':
      return otherNumber(shape, Number(value));
    case 'enumeration':
      return Object.values(shape.values).find((one) => one !== value) ?? value;
    case 'levelName':
      return value === 'Run' ? 'Service' : 'Run';
    case 'string':
      return otherText(shape, String(value));
    case 'address':
      return Array.isArray(value) ? [...value.slice(0, -1), value.at(-1) === 1 ? 2 : 1] : value;
    case 'array':
      return otherList(shape, value);
    case 'struct':
      return otherStruct(shape, value);
  }
}

type Kind<K extends Shape['kind']> = Extract<Shape, { readonly kind: K }>;

function otherNumber(
  { minimum, maximum }: { readonly minimum: number; readonly maximum: number },
  value: number,
) {
  if (value + 1 <= maximum) return value + 1;
  return value - 1 >= minimum ? value - 1 : minimum;
}

function otherText({ minLength, maxLength }: Kind<'string'>, value: string): string {
  const letter = value.endsWith('x') ? 'y' : 'x';
  if (maxLength === 0) return value;
  return value.length >= Math.max(minLength, 1)
    ? value.slice(0, -1) + letter
    : letter.repeat(Math.max(minLength, 1));
}

function otherList({ of, minItems }: Kind<'array'>, value: unknown): unknown {
  if (!Array.isArray(value) || value.length === 0) return value;
  const items: readonly unknown[] = value;
  if (items.length > minItems) return items.slice(0, -1);
  return items.with(-1, otherValue(of, items.at(-1)));
}

/** Changes the last member that can be changed. */
function otherStruct({ members }: Kind<'struct'>, value: unknown): unknown {
  if (!isObject(value)) return value;
  for (const [name, member] of Object.entries(members).reverse()) {
    const other = otherValue(member.shape, value[name]);
    if (JSON.stringify(other) !== JSON.stringify(value[name])) return { ...value, [name]: other };
  }
  return value;
}
