import { bySiteName, type SiteScanner } from '@azimuth/http';

/** A scanner in the list of a site. */
export interface Row {
  readonly one: SiteScanner;
  /** Place of the scanner in the fleet, from 0 on. It decides between equal names. */
  readonly place: number;
}

export type RowOrder = (row: Row, other: Row) => number;

export function byName(row: Row, other: Row): number {
  return bySiteName(row.one, other.one) || row.place - other.place;
}

/** Inserts a row into a sorted list. */
export function insert(list: Row[], row: Row, order: RowOrder): void {
  list.splice(indexIn(list, row, order), 0, row);
}

/** Removes a row from a sorted list that has it. */
export function remove(list: Row[], row: Row, order: RowOrder): void {
  list.splice(indexIn(list, row, order), 1);
}

/** Index of a row in a sorted list, or the index at which it would be. */
function indexIn(list: readonly Row[], row: Row, order: RowOrder): number {
  let [from, to] = [0, list.length];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const other = list[middle];
    if (other !== undefined && order(other, row) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** True if a list shows the same of a scanner. */
export function isSame(one: SiteScanner, other: SiteScanner): boolean {
  return (
    one.name === other.name &&
    one.state === other.state &&
    one.severity === other.severity &&
    one.unsaved === other.unsaved &&
    one.group === other.group &&
    one.url === other.url &&
    one.location === other.location &&
    one.firmware === other.firmware &&
    one.trouble.join('\n') === other.trouble.join('\n')
  );
}
