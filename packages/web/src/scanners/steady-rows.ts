import type { SiteScanner } from '@azimuth/http/site';

/** Rows in sight. */
export interface SteadyRows {
  readonly rows: readonly SiteScanner[];
  /** True if the list has other rows now, or has them in another order. */
  readonly isOld: boolean;
}

/**
 * Rows that do not jump away under the pointer: those in sight stay in their places, with the newest values. A row that
 * has left the list keeps its last values.
 */
export function steadyRows(
  inSight: readonly SiteScanner[],
  newest: readonly SiteScanner[],
  isHeld: boolean,
): SteadyRows {
  if (!isHeld || inSight.length === 0) return { rows: newest, isOld: false };
  const byPath = new Map(newest.map((row) => [row.path, row]));
  const rows = inSight.map((row) => byPath.get(row.path) ?? row);
  const isOld =
    inSight.length !== newest.length || inSight.some(({ path }, index) => newest[index]?.path !== path);
  return { rows, isOld };
}
