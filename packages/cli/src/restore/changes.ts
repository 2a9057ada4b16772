import type { PlannedParameter } from '@azimuth/client';
import { isObject, type Shape, sameJson } from '@azimuth/model';
import { formatValue, oneLineOf } from '../format-value.js';
import { printable } from '../output.js';

/** The most lines for one parameter, and characters for one value. */
const mostLines = 20;
const longestValue = 60;

/** The parameters that get other values if the scanner restores a backup as a whole: also those that cannot be written. */
export function changesOf(plan: readonly PlannedParameter[]): readonly PlannedParameter[] {
  return plan.filter(({ act, variable, from }) => act !== 'same' && variable?.stored && from !== undefined);
}

/** A table for people: each value that changes, as it is now and as it will be. */
export function tableOf(changes: readonly PlannedParameter[]): string {
  if (changes.length === 0) return 'No parameter changes.\n';
  const rows = [['PARAMETER', 'NOW', '  THEN'], ...changes.flatMap(rowsOf)];
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map(([name = '', from = '', to = '']) =>
    `${name.padEnd(widths[0] ?? 0)}  ${from.padEnd(widths[1] ?? 0)} ${to}`.trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

function rowsOf({ name, variable, from, to }: PlannedParameter): string[][] {
  const rows = variable === undefined ? [] : partsOf(variable.type.shape, name, from, to);
  const more = rows.length - mostLines;
  return more <= 0 ? rows : [...rows.slice(0, mostLines), [`… and ${more} more of ${name}`]];
}

/** The parts of a value that differ, by their path, each as it is and as it will be. */
function partsOf(shape: Shape, at: string, from: unknown, to: unknown): string[][] {
  if (sameJson(from, to)) return [];
  if (shape.kind === 'struct' && isObject(from) && isObject(to)) {
    return Object.entries(shape.members).flatMap(([name, member]) =>
      partsOf(member.shape, `${at}.${name}`, from[name], to[name]),
    );
  }
  if (shape.kind === 'array' && hasParts(shape.of) && Array.isArray(from) && Array.isArray(to)) {
    if (from.length !== to.length) return [[at, counted(from), `→ ${counted(to)}`]];
    return from.flatMap((item: unknown, index) => partsOf(shape.of, `${at}[${index}]`, item, to[index]));
  }
  return [[at, shownValue(shape, from), `→ ${shownValue(shape, to)}`]];
}

function hasParts({ kind }: Shape): boolean {
  return kind === 'struct' || kind === 'array';
}

function counted({ length }: readonly unknown[]): string {
  return length === 1 ? '1 item' : `${length} items`;
}

function shownValue(shape: Shape, json: unknown): string {
  if (json === undefined) return '-';
  const text = printable(oneLineOf(formatValue(shape, json)));
  if (text === '') return '""';
  return text.length <= longestValue ? text : `${text.slice(0, longestValue - 1)}…`;
}
