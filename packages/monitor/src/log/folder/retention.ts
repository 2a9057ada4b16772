import type { ListedFile } from './log-disk.js';
import { byAge, type LogFileName, logFileNamed } from './log-file-name.js';

/** The part of a log that is kept. */
export interface Retention {
  /** Days with entries older than this are removed. */
  readonly keepDays: number;
  /** Bytes of all files together. The oldest ones are removed. */
  readonly keepBytes: number;
}

const dayMs = 24 * 3_600_000;

/**
 * Returns the names of the files that are to be removed, the oldest first. Days count back from the last day but one that
 * has entries: a clock that is wrong for a moment removes nothing. The last file always stays.
 */
export function filesToRemove(
  listed: readonly ListedFile[],
  { keepDays, keepBytes }: Retention,
): readonly string[] {
  const files = listed
    .map(({ name, bytes }) => ({ file: logFileNamed(name), bytes }))
    .filter((each): each is { file: LogFileName; bytes: number } => each.file !== undefined)
    .sort((one, other) => byAge(one.file, other.file));
  const days = [...new Set(files.map(({ file }) => file.day))];
  const lastDay = days.at(-1);
  const reference = days.at(-2) ?? lastDay ?? '';
  const oldest = Date.parse(reference) - (keepDays - 1) * dayMs;
  const last = [true, false].map((of) => files.findLast(({ file }) => file.ofCommands === of)?.file);
  let total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const removed: string[] = [];
  for (const { file, bytes } of files) {
    if (file.day === lastDay && last.includes(file)) continue;
    if (Date.parse(file.day) >= oldest && total <= keepBytes) continue;
    removed.push(file.name);
    total -= bytes;
  }
  return removed;
}
