import { isIPv4, isIPv6 } from 'node:net';
import { CsvError, parse } from 'csv-parse/sync';
import { CommandFailure } from '../command-failure.js';
import { printable } from '../output/output.js';
import { namePart } from './new-devices.js';

/** A device in a table, by the words of the devices file. */
export interface TableRow {
  /** Line of the file, from 1. */
  readonly line: number;
  readonly name: string;
  /** Undefined if the row has no address. */
  readonly url: string | undefined;
  readonly serial: string | undefined;
}

/** The columns that are read, by what they mean, with the usual heads: those of NetBox. */
export const usualColumns = {
  name: ['name', 'device', 'hostname'],
  url: ['url', 'primary_ip4', 'IPv4 address', 'primary_ip', 'IP address', 'address'],
  serial: ['serial', 'serial number'],
  group: ['site', 'location', 'rack'],
} as const;

export type ColumnMeaning = keyof typeof usualColumns;

/** Heads of columns that the user has named, by what they mean. */
export type ChosenColumns = ReadonlyMap<ColumnMeaning, readonly string[]>;

/** Most characters of a record: a longer one is no device. */
const longestRecord = 65_536;

/**
 * Reads a table of devices (CSV with a head).
 * @param path for messages
 * @returns the rows, and the mistakes in others, each with its line
 * @throws CommandFailure if it is no table, or a column is missing
 */
export function rowsOfTable(
  path: string,
  text: string,
  chosen: ChosenColumns,
): { readonly rows: readonly TableRow[]; readonly mistakes: readonly string[] } {
  const [head, ...records] = recordsIn(path, text);
  if (head === undefined) throw new CommandFailure(`${path} is empty: expected a table with a head`);
  const columns = columnsIn(path, head.cells, chosen);
  const rows: TableRow[] = [];
  const mistakes: string[] = [];
  for (const { cells, line } of records) {
    const cell = (index: number | undefined) => (index === undefined ? '' : (cells[index] ?? '').trim());
    const written = cell(columns.url);
    const url = urlOf(written);
    const name = nameOf(columns.group.map(cell), cell(columns.name));
    if (name === undefined) mistakes.push(`${path}:${line}: the name is empty, or too long`);
    else if (written !== '' && url === undefined) {
      mistakes.push(`${path}:${line}: expected an address, got "${shown(written)}"`);
    } else rows.push({ line, name, url, serial: cell(columns.serial) || undefined });
  }
  return { rows, mistakes };
}

interface CsvRecord {
  readonly cells: readonly string[];
  readonly line: number;
}

function recordsIn(path: string, text: string): readonly CsvRecord[] {
  const [firstLine = ''] = text.split('\n', 1);
  const delimiter = firstLine.includes(';') && !firstLine.includes(',') ? ';' : ',';
  const records: CsvRecord[] = [];
  try {
    parse(text, {
      ...{ bom: true, delimiter, max_record_size: longestRecord },
      ...{ relax_column_count: true, skip_empty_lines: true },
      on_record: (cells: readonly string[], { lines }) => {
        records.push({ cells, line: lines });
        return null;
      },
    });
  } catch (error) {
    if (error instanceof CsvError) throw new CommandFailure(`${path} is no CSV: ${printable(error.message)}`);
    throw error;
  }
  return records;
}

interface Columns {
  readonly name: number | undefined;
  readonly url: number;
  readonly serial: number | undefined;
  readonly group: readonly number[];
}

function columnsIn(path: string, head: readonly string[], chosen: ChosenColumns): Columns {
  const names = head.map((each) => each.trim().toLowerCase());
  const indexesOf = (meaning: ColumnMeaning): readonly number[] => {
    const given = chosen.get(meaning);
    const indexes = (given ?? usualColumns[meaning]).map((each) => names.indexOf(each.toLowerCase()));
    const missing = given?.find((_, index) => indexes[index] === -1);
    if (missing !== undefined) {
      throw new CommandFailure(`${path} has no column "${missing}": it has ${head.map(shown).join(', ')}`);
    }
    return indexes.filter((index) => index >= 0);
  };
  const [url] = indexesOf('url');
  const [name] = indexesOf('name');
  if (url === undefined || name === undefined) {
    const meaning = url === undefined ? 'url' : 'name';
    throw new CommandFailure(
      `${path} has no column ${usualColumns[meaning].join(', ')}: name it with --column ${meaning}=…; it has ${head.map(shown).join(', ')}`,
    );
  }
  return { url, name, serial: indexesOf('serial')[0], group: indexesOf('group') };
}

function nameOf(groups: readonly string[], name: string): string | undefined {
  const own = namePart(name);
  if (own === undefined) return undefined;
  const parts = [...groups.flatMap((group) => namePart(group) ?? []), own].join('/');
  return parts.length <= 64 ? parts : undefined;
}

/** Returns the URL of an address: `10.0.0.5/24`, `gate3.example.com:8080`, or a URL; undefined for anything else. */
function urlOf(written: string): string | undefined {
  const address = written.replace(/\/\d{1,3}$/, '');
  if (isIPv4(address)) return `http://${address}`;
  if (isIPv6(address)) return `http://[${address}]`;
  const host = '[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\\d{1,5})?';
  if (new RegExp(`^https?://(?:${host}|\\[[0-9a-fA-F:.]+\\](?::\\d{1,5})?)/?$`).test(written)) return written;
  return new RegExp(`^${host}$`).test(written) ? `http://${written}` : undefined;
}

function shown(text: string): string {
  return printable(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
