import { Buffer } from 'node:buffer';
import type { LogEntry } from '../../log/log-entry.js';
import { severityOf } from '../entry-severity.js';
import { entryLine } from '../entry-text.js';

/** Codes of facilities that are usual for programs (RFC 5424, table 1). */
const facilityCodes = {
  user: 1,
  daemon: 3,
  local0: 16,
  local1: 17,
  local2: 18,
  local3: 19,
  local4: 20,
  local5: 21,
  local6: 22,
  local7: 23,
} as const;

export type SyslogFacility = keyof typeof facilityCodes;

export const syslogFacilities: readonly SyslogFacility[] = Object.keys(facilityCodes).filter(isFacility);

function isFacility(name: string): name is SyslogFacility {
  return Object.hasOwn(facilityCodes, name);
}

/** Codes of severities (RFC 5424, table 2). */
const severityCodes = { error: 3, warning: 4, notice: 5, info: 6 } as const;

/** The number of enterprises for examples (RFC 5612): the element of structured data needs one. */
const dataId = 'azimuth@32473';

/** Share of a message that one value in the structured data may have, before it is escaped: so all of them fit. */
const shareOfValue = 1 / 24;

/** Where a message comes from. */
export interface SyslogOrigin {
  readonly facility: SyslogFacility;
  /** Name of this computer. */
  readonly host: string;
  /** Identifier of the process. */
  readonly process: number;
}

/**
 * Returns an entry as a message (RFC 5424):
 *
 * | part | content |
 * |---|---|
 * | PRI | facility * 8 + severity; the end of a condition is a notice |
 * | VERSION | 1 |
 * | TIMESTAMP | UTC, with milliseconds |
 * | HOSTNAME | the computer of the monitor |
 * | APP-NAME | `azimuth-monitor` |
 * | PROCID | its process |
 * | MSGID | the kind of condition, or of the entry |
 * | STRUCTURED-DATA | one element: scanner, serial and what the entry has |
 * | MSG | one line for people; with a byte order mark if it has other characters than ASCII (6.4) |
 *
 * @param longest maximum bytes, at least 2048: values are shortened, and the end of MSG is cut off
 */
export function syslogMessage(entry: LogEntry, origin: SyslogOrigin, longest: number): Buffer {
  const { facility, host, process } = origin;
  const isOver = entry.kind === 'condition' && entry.change === 'ends';
  const severity = severityCodes[isOver ? 'notice' : severityOf(entry)];
  const fields = [
    `<${facilityCodes[facility] * 8 + severity}>1`,
    new Date(entry.at).toISOString(),
    field(host, 255),
    'azimuth-monitor',
    String(process),
    field(entry.kind === 'condition' ? entry.condition : entry.kind, 32),
    `[${[dataId, ...parameters(entry, Math.floor(longest * shareOfValue))].join(' ')}]`,
  ];
  const head = Buffer.from(`${fields.join(' ')} `);
  const text = entryLine(entry);
  const message = Buffer.from(/^[\x20-\x7e]*$/.test(text) ? text : `\ufeff${text}`);
  return Buffer.concat([head, cut(message, longest - head.length)]);
}

/** Characters of visible ASCII (PRINTUSASCII), or `-` for nothing (NILVALUE). */
function field(text: string, longest: number): string {
  return text.replaceAll(/[^\x21-\x7e]/g, '?').slice(0, longest) || '-';
}

/** Returns `name="value"` for each value of an entry that a program may search for. */
function parameters(entry: LogEntry, longest: number): readonly string[] {
  const values: Readonly<Record<string, string | undefined>> = {
    scanner: entry.scanner,
    serial: entry.serial,
    kind: entry.kind,
    ...valuesOf(entry),
  };
  return Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [`${name}="${escaped(value, longest)}"`],
  );
}

function valuesOf(entry: LogEntry): Readonly<Record<string, string | undefined>> {
  switch (entry.kind) {
    case 'condition': {
      const { condition, change, part } = entry;
      return { condition, change, part, since: new Date(entry.since).toISOString() };
    }
    case 'parameter': {
      const { parameter, before, after, author } = entry;
      return { parameter, ...changed(before, after), by: author?.by, command: author?.command };
    }
    case 'value':
      return { name: entry.name, ...changed(entry.before, entry.after) };
    case 'happening':
      return { what: entry.what };
    case 'command':
      return {
        by: entry.author.by,
        command: entry.author.command,
        wrote: entry.wrote.join(' '),
        outcome: entry.outcome,
      };
    default:
      return {};
  }
}

function changed(before: unknown, after: unknown): Readonly<Record<string, string | undefined>> {
  return { before: JSON.stringify(before), after: JSON.stringify(after) };
}

/** Returns a value with the escapes of PARAM-VALUE (6.3.3): a backslash before `"`, `\` and `]`. */
function escaped(value: string, longest: number): string {
  const oneLine = value.replaceAll(/\p{Cc}/gu, ' ');
  return cut(Buffer.from(oneLine), longest)
    .toString()
    .replaceAll(/["\\\]]/g, '\\$&');
}

/** Returns the beginning of a text in UTF-8, without a part of a character at its end. */
function cut(text: Buffer, longest: number): Buffer {
  if (text.length <= longest) return text;
  let end = Math.max(0, longest);
  while (end > 0 && ((text[end] ?? 0) & 0xc0) === 0x80) end--;
  return text.subarray(0, end);
}
