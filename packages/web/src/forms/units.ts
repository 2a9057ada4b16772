/** The unit of a number, by the name of the member that holds it; empty for a value that is the number itself. */
export type UnitOf = (member: string) => string | undefined;

export const noUnits: UnitOf = () => undefined;

/** Units such as `1/10000°`: a number counts parts of the unit behind the fraction. */
const fraction = /^1\/(\d+)\s*(.+)$/;

/** A number in whole units: 900000 of `1/10000°` is 90 of `°`. Undefined if its unit is no fraction. */
export function scaled(
  value: number,
  unit: string | undefined,
): { readonly value: number; readonly unit: string } | undefined {
  const [, parts, whole] = fraction.exec(unit ?? '') ?? [];
  if (parts === undefined || whole === undefined) return undefined;
  return { value: value / Number(parts), unit: whole };
}

/** A number with its unit, in whole units: `90°`, `12.5 h`. */
export function numberText(value: number, unit: string | undefined): string {
  const whole = scaled(value, unit);
  if (whole !== undefined) return numberText(whole.value, whole.unit);
  if (unit === undefined) return String(value);
  return unit === '°' ? `${value}°` : `${value} ${unit}`;
}
