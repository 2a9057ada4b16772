import { isObject, type Shape, sameJson } from '@azimuth/model';
import { noUnits, type UnitOf } from './units.js';
import { valueText } from './value-text.js';

/** A part of a value that differs, in words. */
export interface Difference {
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
