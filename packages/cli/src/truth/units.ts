import { InvalidArgumentError } from 'commander';

/** m. */
export const lengthUnits = { m: 1, cm: 0.01, mm: 0.001, ft: 0.3048 } as const;
/** rad. */
export const angleUnits = { deg: Math.PI / 180, rad: 1 } as const;
/** µs. */
export const timeUnits = { s: 1_000_000, ms: 1000, us: 1, ns: 0.001 } as const;

export type LengthUnit = keyof typeof lengthUnits;
export type AngleUnit = keyof typeof angleUnits;
export type TimeUnit = keyof typeof timeUnits;

/** The units of points, as far as they are known. */
export interface PointUnits {
  readonly length?: LengthUnit | undefined;
  readonly angle?: AngleUnit | undefined;
  readonly time?: TimeUnit | undefined;
}

function isUnit<Units extends object>(units: Units, name: string): name is keyof Units & string {
  return Object.hasOwn(units, name);
}

/** Returns the units with one more, which may be written in several ways; undefined if there is no such unit. */
export function withUnit(units: PointUnits, typed: string): PointUnits | undefined {
  const name = spellings[typed.toLowerCase()] ?? typed.toLowerCase();
  if (isUnit(lengthUnits, name)) return { ...units, length: name };
  if (isUnit(angleUnits, name)) return { ...units, angle: name };
  if (isUnit(timeUnits, name)) return { ...units, time: name };
  return undefined;
}

const spellings: Readonly<Record<string, string>> = {
  µs: 'us',
  μs: 'us',
  usec: 'us',
  sec: 's',
  nsec: 'ns',
  degrees: 'deg',
  degree: 'deg',
  '°': 'deg',
  radians: 'rad',
  meters: 'm',
  metres: 'm',
};

/** Parses `--unit`, which may be given for lengths, angles and times. */
export function unitOption(value: string, before: PointUnits = {}): PointUnits {
  const units = withUnit(before, value);
  if (units !== undefined) return units;
  const names = [lengthUnits, angleUnits, timeUnits].flatMap((each) => Object.keys(each));
  throw new InvalidArgumentError(`Expected one of ${names.join(', ')}.`);
}
