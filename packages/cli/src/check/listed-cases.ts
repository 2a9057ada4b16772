import type { ConformanceCase } from '@azimuth/check';
import { tableLines } from '../output/table.js';

/** Returns the cases as a table: id, stage, level and clause. */
export function caseLines(cases: readonly ConformanceCase[]): readonly string[] {
  return tableLines(cases.map(({ id, stage, level, clause }) => [id, stage, level, clause]));
}
