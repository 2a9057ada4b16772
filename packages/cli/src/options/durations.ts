/** ms. */
const units: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['ms', 1],
  ['s', 1000],
  ['min', 60_000],
  ['h', 3_600_000],
  ['d', 24 * 3_600_000],
]);

/** How many ms `250ms`, `-30s`, `1.5min`, `2h`, `7d` or `250` are; undefined for anything else. */
export function millisecondsIn(typed: string): number | undefined {
  const [, number, unit = ''] = /^(-?\d+(?:\.\d+)?)([a-z]*)$/.exec(typed) ?? [];
  const length = units.get(unit);
  return number === undefined || length === undefined ? undefined : Number(number) * length;
}
