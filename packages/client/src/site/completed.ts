import { isObject, type Shape } from '@azimuth/model';

/**
 * A value with the members that a part of it leaves out. Structs are completed at every depth, and so are the items of
 * lists of a fixed length, such as the eight ports. An item of any other list is taken as it is, because it may be another
 * one than the item that was there.
 * @param part JSON; what is not of the shape is returned unchanged
 * @param base the value that the members come from; if it is undefined, they stay out
 */
export function completed(shape: Shape, part: unknown, base: unknown): unknown {
  if (shape.kind === 'struct' && isObject(part)) {
    const members = isObject(base) ? base : {};
    const given = Object.entries(part).map(([name, value]): [string, unknown] => {
      const member = Object.hasOwn(shape.members, name) ? shape.members[name] : undefined;
      return [name, member === undefined ? value : completed(member.shape, value, members[name])];
    });
    return { ...members, ...Object.fromEntries(given) };
  }
  if (shape.kind === 'array' && shape.minItems === shape.maxItems && Array.isArray(part)) {
    const items: readonly unknown[] = Array.isArray(base) ? base : [];
    return part.map((item, index) => completed(shape.of, item, items[index]));
  }
  return part;
}
