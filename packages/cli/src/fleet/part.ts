import type { UnitFacts } from '@azimuth/fleet';
import { InvalidArgumentError } from 'commander';

/** Which scanners of a fleet one of several processes runs. */
export interface Part {
  /** From 0. */
  readonly index: number;
  readonly of: number;
}

/** `0/2`. */
export function partOption(value: string): Part {
  const [, index, of] = /^(\d{1,3})\/(\d{1,3})$/.exec(value) ?? [];
  const part = { index: Number(index), of: Number(of) };
  if (part.index < part.of) return part;
  throw new InvalidArgumentError('Expected a part such as 0/2.');
}

/** The part that runs the scanner at this place of the list: neighbours are apart, so groups are spread evenly. */
export function partOfUnit(place: number, of: number): number {
  return place % of;
}

export function unitsOfPart(units: readonly UnitFacts[], { index, of }: Part): readonly UnitFacts[] {
  return units.filter((_, place) => partOfUnit(place, of) === index);
}
