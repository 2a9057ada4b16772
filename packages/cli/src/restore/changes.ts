import { type PartDifference, type PlannedParameter, partDifferences } from '@azimuth/client';
import { counted, type Shape } from '@azimuth/model';
import { tableCell } from '../output/table.js';
import { formatValue, oneLine } from '../values/format-value.js';

/** Maximum number of lines for one parameter. */
const maxLines = 20;

/**
 * Returns the parameters whose values change if the scanner restores a backup as a whole: also those that cannot be
 * written.
 */
export function changedParameters(plan: readonly PlannedParameter[]): readonly PlannedParameter[] {
  return plan.filter(({ act, variable, from }) => act !== 'same' && variable?.stored && from !== undefined);
}

/** Returns a table for people: each changed value, before and after. */
export function changeTable(changes: readonly PlannedParameter[]): string {
  if (changes.length === 0) return 'No parameter changes.\n';
  return `${tableLines([['PARAMETER', 'NOW', '  THEN'], ...changes.flatMap(parameterRows)]).join('\n')}\n`;
}

/** Returns the lines of such a table without a head. */
export function changeLines(changes: readonly Change[]): readonly string[] {
  return tableLines(changes.flatMap(parameterRows));
}

/** A parameter with its old and new value. */
export type Change = Pick<PlannedParameter, 'name' | 'variable' | 'from' | 'to'>;

function tableLines(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map(([name = '', from = '', to = '']) =>
    `${name.padEnd(widths[0] ?? 0)}  ${from.padEnd(widths[1] ?? 0)} ${to}`.trimEnd(),
  );
}

function parameterRows({ name, variable, from, to }: Change): string[][] {
  const parts = variable === undefined ? [] : partDifferences(variable.type.shape, name, from, to);
  const rows = parts.map(partRow);
  const more = rows.length - maxLines;
  return more <= 0 ? rows : [...rows.slice(0, maxLines), [`… and ${more} more of ${name}`]];
}

function partRow({ path, shape, from, to }: PartDifference): string[] {
  const hasParts = shape.kind === 'array' && (shape.of.kind === 'struct' || shape.of.kind === 'array');
  if (hasParts && Array.isArray(from) && Array.isArray(to))
    return [tableCell(path), counted(from.length, 'item'), `→ ${counted(to.length, 'item')}`];
  return [tableCell(path), shownValue(shape, from), `→ ${shownValue(shape, to)}`];
}

function shownValue(shape: Shape, json: unknown): string {
  if (json === undefined) return '-';
  return tableCell(oneLine(formatValue(shape, json))) || '""';
}
