import { isDeepStrictEqual } from 'node:util';
import { type Scanner, ScannerError } from '@azimuth/client';
import {
  allParameters,
  allVariables,
  extensionPrefix,
  isObject,
  type Shape,
  type Variable,
} from '@azimuth/model';
import { concurrently } from '../concurrency.js';
import { formatValue, oneLineOf } from '../format-value.js';
import { printable } from '../output.js';

/** A parameter that a restore changes: JSON, as the scanner has it and as the file has it. */
export interface Change {
  readonly name: string;
  readonly variable: Variable<unknown>;
  readonly from: unknown;
  readonly to: unknown;
}

/** A scanner answers a few at once well, and many with HTTP 429. */
const atOnce = 4;

/** The most lines for one parameter, and characters for one value. */
const mostLines = 20;
const longestValue = 60;

/**
 * The parameters of the scanner that have other values in a backup, in the order of the interface. What the scanner
 * does not have is left out, and so is what an update from an older release would make of a value.
 */
export async function changesBy(
  values: ReadonlyMap<string, unknown>,
  scanner: Pick<Scanner, 'readAny'>,
): Promise<Change[]> {
  const held = allParameters.filter(({ name }) => values.has(name));
  const changes = await concurrently(atOnce, held, async (variable): Promise<Change[]> => {
    const name = nameOf(variable);
    const to = values.get(variable.name);
    try {
      const from = await scanner.readAny(name);
      return isDeepStrictEqual(from, to) ? [] : [{ name, variable, from, to }];
    } catch (error) {
      if (error instanceof ScannerError && error.statusName === 'notFound') return [];
      throw error;
    }
  });
  return changes.flat();
}

/** A table for people: each value that changes, as it is now and as it will be. */
export function tableOf(changes: readonly Change[]): string {
  if (changes.length === 0) return 'No parameter changes.\n';
  const rows = [['PARAMETER', 'NOW', '  THEN'], ...changes.flatMap(rowsOf)];
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map(([name = '', from = '', to = '']) =>
    `${name.padEnd(widths[0] ?? 0)}  ${from.padEnd(widths[1] ?? 0)} ${to}`.trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

function rowsOf({ name, variable, from, to }: Change): string[][] {
  const rows = partsOf(variable.type.shape, name, from, to);
  const more = rows.length - mostLines;
  return more <= 0 ? rows : [...rows.slice(0, mostLines), [`… and ${more} more of ${name}`]];
}

/** The parts of a value that differ, by their path, each as it is and as it will be. */
function partsOf(shape: Shape, at: string, from: unknown, to: unknown): string[][] {
  if (isDeepStrictEqual(from, to)) return [];
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

/** The name by which a parameter is read. Extensions have a prefix. */
function nameOf(variable: Variable<unknown>): string {
  return allVariables.includes(variable) ? variable.name : extensionPrefix + variable.name;
}
