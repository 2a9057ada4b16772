import { type Chosen, chosenBy, Refused } from './asked.js';
import { turnsOf } from './in-turns.js';
import type { ScannerSummary } from './scanner-summary.js';

/** All scanners of a fleet. */
export interface AllScanners<T> {
  readonly inOrder: readonly T[];
  /** Returns a scanner by its serial number. Without this function, scanners are found by their index only. */
  readonly get?: (serial: string) => T | undefined;
}

/** Returns the part of a list that `?from=` and `?limit=` select; all of it without them. @throws BadFleetRequest */
function partOf<T>(list: readonly T[], asked: URLSearchParams): readonly T[] {
  const { from, limit = list.length } = placesIn(asked);
  return list.slice(from, from + limit);
}

/**
 * Returns the requested scanners of a list. The cost of a page does not grow with the number of scanners, unless the scanners
 * before it must be selected, too.
 * @param chosenAs returns the properties by which a scanner is selected
 * @throws BadFleetRequest
 */
export async function askedFor<T>(
  all: AllScanners<T>,
  asked: URLSearchParams,
  chosenAs: (one: T) => Chosen,
): Promise<readonly T[]> {
  const isChosen = chosenBy(asked);
  const named = serialsIn(asked);
  const { get } = all;
  if (named !== undefined && get !== undefined) {
    const those = named.flatMap((serial) => get(serial) ?? []);
    return partOf(
      those.filter((one) => isChosen(chosenAs(one))),
      asked,
    );
  }
  if (!['q', 'group', 'state'].some((name) => asked.has(name))) return partOf(all.inOrder, asked);
  const { from, limit = all.inOrder.length } = placesIn(asked);
  const chosen: T[] = [];
  let before = 0;
  for await (const some of turnsOf(all.inOrder)) {
    for (const one of some) {
      if (chosen.length >= limit) return chosen;
      if (isChosen(chosenAs(one)) && before++ >= from) chosen.push(one);
    }
  }
  return chosen;
}

/** Returns the properties by which a scanner of a list is selected. */
export function chosenAsListed({ serialNumber: serial, group, state }: ScannerSummary): Chosen {
  return { serial, group, state };
}

/** Returns the serial numbers in a query; undefined if they are not the only selection. */
export function serialsIn(asked: URLSearchParams): readonly string[] | undefined {
  const serials = asked.get('serials');
  if (serials !== null) return [...new Set(serials.split(','))];
  const pattern = asked.get('q');
  // A group has a star, too.
  return pattern === null || pattern.includes('*') ? undefined : [pattern];
}

function placesIn(asked: URLSearchParams): { readonly from: number; readonly limit: number | undefined } {
  return { from: wholeNumber(asked, 'from') ?? 0, limit: wholeNumber(asked, 'limit') };
}

function wholeNumber(asked: URLSearchParams, name: string): number | undefined {
  const text = asked.get(name);
  if (text === null) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new Refused(`${name}: expected a whole number, got "${text}"`);
  return Number(text);
}
