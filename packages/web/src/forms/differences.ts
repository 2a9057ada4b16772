import { isObject, type Shape, sameJson, type Variable } from '@azimuth/model';
import { noUnits, type UnitOf, valueText } from './value-text.js';

/** A part of a value that differs, in words. */
interface Difference {
  /** `.Points[2].x`; empty if it is the whole value. */
  readonly at: string;
  readonly from: string;
  readonly to: string;
}

/** The parts in which two values of a shape differ. Arrays of different lengths differ as a whole. */
export function differences(
  shape: Shape,
  from: unknown,
  to: unknown,
  unitOf: UnitOf = noUnits,
): readonly Difference[] {
  return partsOf(shape, from, to, { at: '', member: '', unitOf });
}

interface Place {
  readonly at: string;
  readonly member: string;
  readonly unitOf: UnitOf;
}

function partsOf(shape: Shape, from: unknown, to: unknown, place: Place): readonly Difference[] {
  if (sameJson(from, to)) return [];
  const { at, member, unitOf } = place;
  if (shape.kind === 'struct' && isObject(from) && isObject(to)) {
    return Object.entries(shape.members).flatMap(([name, { shape: of }]) =>
      partsOf(of, from[name], to[name], { at: `${at}.${name}`, member: name, unitOf }),
    );
  }
  if (shape.kind === 'array' && Array.isArray(from) && Array.isArray(to) && from.length === to.length) {
    return from.flatMap((item: unknown, index) =>
      partsOf(shape.of, item, to[index], { at: `${at}[${index}]`, member, unitOf }),
    );
  }
  return [{ at, from: valueText(shape, from, unitOf, member), to: valueText(shape, to, unitOf, member) }];
}

/** Number of parts of one parameter that are listed. */
const mostParts = 6;

/**
 * Returns the changes of parameters that get other values: a line for each part that differs.
 * @param from the value of a parameter now; undefined if it is not known
 * @param to its value afterwards; undefined if it stays
 */
export function changesTo(
  variables: readonly Variable<unknown>[],
  from: (variable: Variable<unknown>) => unknown,
  to: (variable: Variable<unknown>) => unknown,
): readonly string[] {
  return variables.flatMap((variable) => {
    const [now, then] = [from(variable), to(variable)];
    if (now === undefined || then === undefined) return [];
    const parts = differences(variable.type.shape, now, then, (member) => variable.unitOf(member));
    const lines = parts
      .slice(0, mostParts)
      .map(({ at, from: before, to: after }) => `${variable.name}${at}: ${before} → ${after}`);
    const more = parts.length - lines.length;
    return more > 0 ? [...lines, `${variable.name}: … and ${more} more`] : lines;
  });
}
