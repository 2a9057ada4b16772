import { FolderReader, type LogEntry, type LogQuery } from '@azimuth/monitor';
import { CommandFailure } from '../command-failure.js';
import { remark } from '../output/output.js';
import type { LogPlace } from './log-place.js';
import type { LogReader } from './log-reader.js';

/** Parts of a log that are reported one by one. */
const mostReported = 20;

/** Opens the log at a place for reading. @throws CommandFailure */
export async function openReader(place: LogPlace): Promise<LogReader> {
  if (place.store === undefined) return folderReader(place.folder);
  // Few logs are in a database.
  const { databaseReader } = await import('./log-database.js');
  return databaseReader(place.store);
}

function folderReader(folder: string): LogReader {
  let damaged = 0;
  const reader = new FolderReader(folder, ({ file, line, reason }) => {
    damaged += 1;
    const where = line === undefined ? file : `${file}, line ${line}`;
    if (damaged <= mostReported) remark(`${folder}: ${where} cannot be read, and is left out: ${reason}`);
    if (damaged === mostReported + 1) remark(`${folder}: further lines cannot be read`);
  });
  return { next: (query) => entriesIn(reader, folder, query), close: () => Promise.resolve() };
}

async function* entriesIn(reader: FolderReader, folder: string, query: LogQuery): AsyncGenerator<LogEntry> {
  try {
    yield* reader.next(query);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT')
      throw new CommandFailure(
        `there is no log in ${folder}: azimuth monitor writes it; name its folder with --log or AZIMUTH_LOG`,
      );
    if (code === undefined) throw error;
    throw new CommandFailure(`the log in ${folder} cannot be read: ${String(code)}`);
  }
}
