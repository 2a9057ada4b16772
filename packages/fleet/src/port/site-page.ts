import type { SiteQuery, SiteScanner } from '@azimuth/http';
import type { PlaceSet } from '../search/place-set.js';
import { byName, type Row, type RowOrder } from './site-rows.js';

/** The part of a list that a query selects. */
export interface Part {
  readonly matching: number;
  readonly scanners: readonly SiteScanner[];
}

/** Rows in their order, in lists that follow each other. */
type Lists = readonly (readonly Row[])[];

/** The order of a query, without equal ones. */
export function fullOrder({ order }: SiteQuery): RowOrder {
  return (row, other) => order(row.one, other.one) || byName(row, other);
}

/** Sorts the rows that are selected, and cuts the part of the query out of them. */
export function sortedPart(rows: readonly Row[], query: SiteQuery): Part {
  const { from, limit } = query;
  const sorted = rows.toSorted(fullOrder(query));
  return { matching: rows.length, scanners: sorted.slice(from, from + limit).map(({ one }) => one) };
}

/** Cuts the part of a query out of all rows. */
export function allOf(lists: Lists, { from, limit }: SiteQuery): Part {
  const rows: Row[] = [];
  let before = 0;
  for (const list of lists) {
    const [begin, end] = [Math.max(0, from - before), Math.max(0, from + limit - before)];
    rows.push(...list.slice(begin, end));
    before += list.length;
  }
  return { matching: before, scanners: rows.map(({ one }) => one) };
}

/** Cuts the part of a query out of the rows at some places. It looks at the rows before the end of the part. */
export function selectedOf(lists: Lists, selected: PlaceSet, { from, limit }: SiteQuery): Part {
  const matching = selected.size;
  const scanners: SiteScanner[] = [];
  if (from >= matching) return { matching, scanners };
  let before = 0;
  for (const list of lists)
    for (const { one, place } of list) {
      if (scanners.length >= limit) return { matching, scanners };
      if (selected.has(place) && before++ >= from) scanners.push(one);
    }
  return { matching, scanners };
}
