import { scaled } from '@azimuth/model';

/** The unit of a number, by the name of the member that holds it; empty for a value that is the number itself. */
export type UnitOf = (member: string) => string | undefined;

export const noUnits: UnitOf = () => undefined;

/** A number with its unit, in whole units: `90°`, `12.5 h`. */
export function numberText(value: number, unit: string | undefined): string {
  const whole = scaled(value, unit);
  if (whole !== undefined) return numberText(whole.value, whole.unit);
  if (unit === undefined) return String(value);
  return unit === '°' ? `${value}°` : `${value} ${unit}`;
}
