import { InvalidArgumentError } from 'commander';

/** ms. */
const units: ReadonlyMap<string, number> = new Map([
  ['s', 1000],
  ['m', 60_000],
  ['min', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
  ['w', 7 * 86_400_000],
]);

const calendar = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:?\d\d)?)?$/;

/**
 * Parses a time: `2d` and `90m` before `now`, `2026-11-29`, or `2026-11-29T08:30`, in local time unless it ends with `Z` or
 * an offset. Returns ms since 1970-01-01 UTC.
 * @throws InvalidArgumentError for anything else
 */
export function timeOption(typed: string, now = Date.now()): number {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)([a-z]+)$/.exec(typed) ?? [];
  const length = units.get(unit);
  if (number !== undefined && length !== undefined) return now - Number(number) * length;
  const [, date, time = '00:00', zone = ''] = calendar.exec(typed.trim()) ?? [];
  const parsed = date === undefined ? Number.NaN : Date.parse(`${date}T${time}${zone}`);
  if (!Number.isNaN(parsed)) return parsed;
  throw new InvalidArgumentError(
    'Expected a time ago such as 30m, 3h or 2d, or a date such as 2026-11-29 or 2026-11-29T08:30.',
  );
}
