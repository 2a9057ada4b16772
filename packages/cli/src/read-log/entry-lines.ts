import { entryText, type LogEntry } from '@azimuth/monitor';
import { printable } from '../output/output.js';
import { tableCell } from '../output/table.js';

/** Longest name of a scanner in a line, in characters. */
const longestName = 40;

/** Makes lines for people: the time, the scanner and what happened, in columns that grow with the longest name so far. */
export class EntryLines {
  #width = 8;

  lineOf(entry: LogEntry): string {
    const scanner = tableCell(entry.scanner === '' ? '(monitor)' : entry.scanner, longestName);
    this.#width = Math.max(this.#width, scanner.length);
    return `${localTime(entry.at)}  ${scanner.padEnd(this.#width)}  ${printable(entryText(entry))}`;
  }
}

/** Returns a time in local time: `2026-11-29 20:05:07`. */
function localTime(at: number): string {
  const time = new Date(at);
  const two = (number: number) => String(number).padStart(2, '0');
  const date = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${date} ${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}
