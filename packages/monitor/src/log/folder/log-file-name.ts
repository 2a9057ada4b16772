/** A file of the folder of a log: entries of one day. */
export interface LogFileName {
  readonly name: string;
  /** The day in UTC: `2026-11-29`. */
  readonly day: string;
  /** From 1 on. A day has several files if it has very many entries. */
  readonly part: number;
  /** True for a file to which commands write, while the monitor has the folder. */
  readonly ofCommands: boolean;
}

const pattern = /^(commands-)?(\d{4}-\d\d-\d\d)(?:\.([1-9]\d{0,5}))?\.jsonl$/;

/** Reads the name of a file; undefined if the file is none of a log. */
export function logFileNamed(name: string): LogFileName | undefined {
  const [, commands, day, part = '1'] = pattern.exec(name) ?? [];
  if (day === undefined) return undefined;
  return { name, day, part: Number(part), ofCommands: commands !== undefined };
}

/** The name of a file with entries of a monitor: `2026-11-29.jsonl`, `2026-11-29.2.jsonl`. */
export function entriesFile(day: string, part: number): string {
  return part === 1 ? `${day}.jsonl` : `${day}.${part}.jsonl`;
}

/** The name of the file with entries of commands: `commands-2026-11-29.jsonl`. */
export function commandsFile(day: string): string {
  return `commands-${day}.jsonl`;
}

/** The day of a time in ms since 1970-01-01 UTC: `2026-11-29`. The first and the last day that a file can have are the bounds. */
export function dayOf(at: number): string {
  return new Date(Math.min(Date.UTC(9999, 11, 31), Math.max(0, at))).toISOString().slice(0, 10);
}

/** Sorts by day, then part. */
export function byAge(one: LogFileName, other: LogFileName): number {
  return one.day === other.day ? one.part - other.part : one.day < other.day ? -1 : 1;
}
