import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '@azimuth/device/documents';
import type { LogEntry } from '../log-entry.js';
import { type DecodedLine, decodeJoinedLines } from '../log-line.js';
import type { LogQuery } from '../log-store.js';
import { matcherOf } from '../matching-entries.js';
import { linesOfFile } from './lines-of-file.js';
import { byAge, dayOf, type LogFileName, logFileNamed } from './log-file-name.js';

/** A part of a log that cannot be read. */
export interface LogDamage {
  /** Name of the file. */
  readonly file: string;
  /** From 1 on; undefined if it is about the whole file. */
  readonly line?: number | undefined;
  readonly reason: string;
}

/** The part of a file that was read. */
interface Position {
  readonly end: number;
  /** Lines before `end`. */
  readonly lines: number;
}

const tooLong: DecodedLine = { reason: 'it is longer than any entry' };

const beginning: Position = { end: 0, lines: 0 };

/**
 * Reads the folder of a log, with bounded memory, also while other processes write to it. It continues where it was: each
 * call of `next` yields what has come since the one before.
 */
export class FolderReader {
  readonly #folder: string;
  readonly #damaged: (damage: LogDamage) => void;
  readonly #positions = new Map<string, Position>();

  /** @param damaged called with each line that is no entry: it is left out */
  constructor(folder: string, damaged: (damage: LogDamage) => void) {
    this.#folder = folder;
    this.#damaged = damaged;
  }

  /** Bytes of each file that were read. */
  get readBytes(): ReadonlyMap<string, number> {
    return new Map([...this.#positions].map(([name, { end }]) => [name, end]));
  }

  /** Reads a file from its beginning, if there is one of this name again. */
  forget(name: string): void {
    this.#positions.delete(name);
  }

  /**
   * Yields the entries that a query wants, day by day.
   * @throws errors of the system if the folder cannot be read
   */
  async *next(query: LogQuery): AsyncGenerator<LogEntry> {
    const days = await this.#days(query);
    if (query.limit === undefined) for (const day of days) yield* this.#entriesOf(day, query);
    else yield* await this.#last(days, query, query.limit);
  }

  /** Returns the last entries: days are read from the last one back until there are enough. */
  async #last(
    days: readonly (readonly LogFileName[])[],
    query: LogQuery,
    limit: number,
  ): Promise<readonly LogEntry[]> {
    let found: LogEntry[] = [];
    for (const day of days.toReversed()) {
      const ofDay: LogEntry[] = [];
      for await (const entry of this.#entriesOf(day, query)) {
        ofDay.push(entry);
        if (ofDay.length >= 2 * limit) ofDay.splice(0, ofDay.length - limit);
      }
      found = [...ofDay, ...found].slice(-limit);
      if (found.length >= limit) break;
    }
    return limit === 0 ? [] : found;
  }

  /** The files of each day in which the query may find something, in their order. */
  async #days({ since, until, kinds }: LogQuery): Promise<readonly (readonly LogFileName[])[]> {
    const first = since === undefined ? '' : dayOf(since);
    const last = until === undefined ? '9999-12-31' : dayOf(until);
    const days = new Map<string, LogFileName[]>();
    for (const file of await logFilesIn(this.#folder)) {
      if (file.day < first || file.day > last) continue;
      if (file.ofCommands && kinds !== undefined && !kinds.includes('command')) continue;
      // Only files of commands have entries of commands.
      if (!file.ofCommands && kinds?.every((kind) => kind === 'command') === true) continue;
      const files = days.get(file.day) ?? [];
      files.push(file);
      days.set(file.day, files);
    }
    return [...days.values()];
  }

  async *#entriesOf(files: readonly LogFileName[], query: LogQuery): AsyncGenerator<LogEntry> {
    const matches = matcherOf(query);
    const ofMonitor = this.#entriesIn(files.filter(({ ofCommands }) => !ofCommands));
    const ofCommands = this.#entriesIn(files.filter(({ ofCommands }) => ofCommands));
    for await (const entry of inOrder(ofMonitor, ofCommands)) if (matches(entry)) yield entry;
  }

  async *#entriesIn(files: readonly LogFileName[]): AsyncGenerator<LogEntry> {
    for (const { name } of files) {
      try {
        yield* this.#entriesInFile(name);
      } catch (error) {
        // The retention has removed it meanwhile.
        if (isMissing(error)) this.#positions.delete(name);
        else this.#damaged({ file: name, reason: error instanceof Error ? error.message : String(error) });
      }
    }
  }

  async *#entriesInFile(name: string): AsyncGenerator<LogEntry> {
    const start = this.#positions.get(name) ?? beginning;
    let number = start.lines;
    for await (const { lines, end } of linesOfFile(join(this.#folder, name), start.end)) {
      // Stored before the entries are yielded: a reader that stops in between gets none of them twice.
      this.#positions.set(name, { end, lines: number + lines.length });
      for (const { bytes } of lines) {
        number += 1;
        if (bytes?.length === 0) continue;
        for (const { entry, reason } of bytes === undefined ? [tooLong] : decodeJoinedLines(bytes)) {
          if (entry !== undefined) yield entry;
          else this.#damaged({ file: name, line: number, reason });
        }
      }
    }
  }
}

/** Returns the files of a log, the oldest first. @throws errors of the system if the folder cannot be read */
export async function logFilesIn(folder: string): Promise<readonly LogFileName[]> {
  const names = await readdir(folder);
  return names
    .map(logFileNamed)
    .filter((file) => file !== undefined)
    .sort(byAge);
}

/** Merges two sources by the times of their entries. */
async function* inOrder(
  one: AsyncGenerator<LogEntry>,
  other: AsyncGenerator<LogEntry>,
): AsyncGenerator<LogEntry> {
  let [first, second] = [await one.next(), await other.next()];
  try {
    while (first.done !== true && second.done !== true) {
      if (second.value.at < first.value.at) {
        yield second.value;
        second = await other.next();
      } else {
        yield first.value;
        first = await one.next();
      }
    }
    for (; first.done !== true; first = await one.next()) yield first.value;
    for (; second.done !== true; second = await other.next()) yield second.value;
  } finally {
    await Promise.all([one.return(undefined), other.return(undefined)]);
  }
}
