import { type PartDifference, type PlannedParameter, partDifferences } from '@azimuth/client';
import { counted, type Shape } from '@azimuth/model';
import { cellOf } from '../output/table.js';
import { formatValue, oneLineOf } from '../values/format-value.js';

/** The most lines for one parameter. */
const mostLines = 20;

/** The parameters that get other values if the scanner restores a backup as a whole: also those that cannot be written. */
export function changesOf(plan: readonly PlannedParameter[]): readonly PlannedParameter[] {
  return plan.filter(({ act, variable, from }) => act !== 'same' && variable?.stored && from !== undefined);
}

/** A table for people: each value that changes, as it is now and as it will be. */
export function tableOf(changes: readonly PlannedParameter[]): string {
  if (changes.length === 0) return 'No parameter changes.\n';
  return `${linesOf([['PARAMETER', 'NOW', '  THEN'], ...changes.flatMap(rowsOf)]).join('\n')}\n`;
}

/** The lines of such a table without a head. */
export function changeLines(changes: readonly Change[]): readonly string[] {
  return linesOf(changes.flatMap(rowsOf));
}

/** A parameter with two values of it. */
export type Change = Pick<PlannedParameter, 'name' | 'variable' | 'from' | 'to'>;

function linesOf(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map(([name = '', from = '', to = '']) =>
    `${name.padEnd(widths[0] ?? 0)}  ${from.padEnd(widths[1] ?? 0)} ${to}`.trimEnd(),
  );
}

function rowsOf({ name, variable, from, to }: Change): string[][] {
  const parts = variable === undefined ? [] : partDifferences(variable.type.shape, name, from, to);
  const rows = parts.map(rowOf);
  const more = rows.length - mostLines;
  return more <= 0 ? rows : [...rows.slice(0, mostLines), [`… and ${more} more of ${name}`]];
}

function rowOf({ path, shape, from, to }: PartDifference): string[] {
  const hasParts = shape.kind === 'array' && (shape.of.kind === 'struct' || shape.of.kind === 'array');
  if (hasParts && Array.isArray(from) && Array.isArray(to))
    return [cellOf(path), counted(from.length, 'item'), `→ ${counted(to.length, 'item')}`];
  return [cellOf(path), shownValue(shape, from), `→ ${shownValue(shape, to)}`];
}

function shownValue(shape: Shape, json: unknown): string {
  if (json === undefined) return '-';
  return cellOf(oneLineOf(formatValue(shape, json))) || '""';
}
