/** Units such as `1/10000°`: a number counts parts of the unit behind the fraction. */
const fraction = /^1\/(\d+)\s*(.+)$/;

/** Returns a number in whole units: 900000 of `1/10000°` is 90 of `°`. Undefined if its unit is not a fraction. */
export function scaled(
  value: number,
  unit: string | undefined,
): { readonly value: number; readonly unit: string } | undefined {
  const [, parts, whole] = fraction.exec(unit ?? '') ?? [];
  if (parts === undefined || whole === undefined) return undefined;
  return { value: value / Number(parts), unit: whole };
}

/**
 * Returns the hours in operation over the life of a scanner. OpHours counts whole tenths of an hour and drops the rest;
 * DailyOpHours does not. So the time since power was switched on may seem longer, and the result is at least as long.
 * @param opHours in 1/10 h
 * @param dailyOpHours in h; undefined if it is not known
 */
export function lifeHours(opHours: number, dailyOpHours: number | undefined): number {
  return Math.max(opHours / 10, dailyOpHours ?? 0);
}

/**
 * Returns a number of things in words: `1 scanner`, `3 scanners`, `0 scanners`.
 * @param one the word for one of them
 * @param many the word for any other number; by default with an `s` at the end
 */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
