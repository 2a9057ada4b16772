import { BadFleetRequest, type Selectable, selectedBy } from './fleet-requests.js';
import { turnsOf } from './in-turns.js';
import type { ScannerSummary } from './scanner-summary.js';

/** All scanners of a fleet. */
export interface AllScanners<T> {
  readonly inOrder: readonly T[];
  /** Returns a scanner by its serial number. Without this function, scanners are found by their index only. */
  readonly get?: (serial: string) => T | undefined;
}

/** Returns the part of a list that `?from=` and `?limit=` select; all of it without them. @throws BadFleetRequest */
export function partOf<T>(list: readonly T[], query: URLSearchParams): readonly T[] {
  const { from, limit = list.length } = rangeOf(query);
  return list.slice(from, from + limit);
}

/**
 * Returns the requested scanners of a list. The cost of a page does not grow with the number of scanners, unless the scanners
 * before it must be selected, too.
 * @param selectableOf returns the properties by which a scanner is selected
 * @throws BadFleetRequest
 */
export async function requestedPart<T>(
  all: AllScanners<T>,
  query: URLSearchParams,
  selectableOf: (one: T) => Selectable,
): Promise<readonly T[]> {
  const isSelected = selectedBy(query);
  const named = serialsIn(query);
  const { get } = all;
  if (named !== undefined && get !== undefined) {
    const requested = named.flatMap((serial) => get(serial) ?? []);
    return partOf(
      requested.filter((one) => isSelected(selectableOf(one))),
      query,
    );
  }
  if (!['q', 'group', 'state'].some((name) => query.has(name))) return partOf(all.inOrder, query);
  const { from, limit = all.inOrder.length } = rangeOf(query);
  const selected: T[] = [];
  let before = 0;
  for await (const some of turnsOf(all.inOrder)) {
    for (const one of some) {
      if (selected.length >= limit) return selected;
      if (isSelected(selectableOf(one)) && before++ >= from) selected.push(one);
    }
  }
  return selected;
}

/** Returns the properties by which a scanner of a list is selected. */
export function selectableSummary({ serialNumber: serial, group, state }: ScannerSummary): Selectable {
  return { serial, group, state };
}

/** Returns the serial numbers in a query; undefined if they are not the only selection. */
export function serialsIn(query: URLSearchParams): readonly string[] | undefined {
  const serials = query.get('serials');
  if (serials !== null) return [...new Set(serials.split(','))];
  const pattern = query.get('q');
  // The pattern of a group contains a star, too.
  return pattern === null || pattern.includes('*') ? undefined : [pattern];
}

function rangeOf(query: URLSearchParams): { readonly from: number; readonly limit: number | undefined } {
  return { from: wholeNumber(query, 'from') ?? 0, limit: wholeNumber(query, 'limit') };
}

function wholeNumber(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new BadFleetRequest(`${name}: expected a whole number, got "${text}"`);
  return Number(text);
}
