import { CommandFailure } from '../command-failure.js';

/** ms. */
const units: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1000],
  ['min', 60_000],
  ['h', 3_600_000],
  ['d', 24 * 3_600_000],
]);

/** How many ms `250ms`, `30s`, `1.5min`, `2h` or `7d` are. @throws CommandFailure */
export function millisecondsOf(typed: string): number {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)([a-z]+)$/.exec(typed) ?? [];
  const length = units.get(unit);
  if (number !== undefined && length !== undefined) return Number(number) * length;
  throw new CommandFailure(`a duration like 30s, 1.5min, 2h or 7d (also ms) is expected, "${typed}" came`);
}
