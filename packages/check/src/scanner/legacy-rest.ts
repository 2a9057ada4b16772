import { isObject, type Shape } from '@azimuth/model';
import type { Leaf } from '../wire/legacy-layout.js';

/** A value within a value of REST: where it stands, and as it is in telegrams of the legacy protocol. */
export interface PlacedLeaf {
  readonly at: string;
  /** Name of the member that holds it. */
  readonly member: string;
  readonly value: Leaf;
}

/**
 * Returns the values within a JSON value of REST in the order of telegrams: members in the order of their declaration, true as 1,
 * false as 0. Members that are missing are left out, and those
 * that no telegram has (`unsent`).
 */
export function leavesOf(
  shape: Shape,
  json: unknown,
  unsent: readonly string[],
  at: string,
  member = at,
): readonly PlacedLeaf[] {
  if (shape.kind === 'struct') {
    return Object.entries(shape.members).flatMap(([name, inner]) =>
      isObject(json) && Object.hasOwn(json, name) && !unsent.includes(name)
        ? leavesOf(inner.shape, json[name], unsent, `${at}.${name}`, name)
        : [],
    );
  }
  if (Array.isArray(json)) {
    const of = shape.kind === 'array' ? shape.of : undefined;
    return json.flatMap((item, index) =>
      of === undefined
        ? [leaf(item, `${at}[${index}]`, member)]
        : leavesOf(of, item, unsent, `${at}[${index}]`, member),
    );
  }
  return [leaf(json, at, member)];
}

function leaf(json: unknown, at: string, member: string): PlacedLeaf {
  if (typeof json === 'boolean') return { at, member, value: Number(json) };
  return { at, member, value: typeof json === 'number' ? json : String(json) };
}
