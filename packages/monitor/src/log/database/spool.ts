import { FolderLog, type FolderLogOptions } from '../folder/folder-log.js';
import { FolderReader } from '../folder/folder-reader.js';
import type { LogEntry } from '../log-entry.js';

/** Entries of the folder that are sent at once. */
const together = 500;
/** Bytes after which the folder gets a further file: files are removed when all of them is sent. */
const fileBytes = 1024 * 1024;

/** Entries on disk that are on their way to a database. */
export class Spool {
  readonly #log: FolderLog;
  readonly #reader: FolderReader;

  private constructor(log: FolderLog, options: FolderLogOptions) {
    this.#log = log;
    this.#reader = new FolderReader(options.folder, ({ file, line = 0, reason }) =>
      options.report(`${options.folder}: ${file}, line ${line} cannot be sent to the database: ${reason}`),
    );
  }

  /** Opens the folder. Entries that an earlier process has not sent are in it. @throws as FolderLog.open */
  static async open(options: FolderLogOptions): Promise<Spool> {
    // Nothing is removed by age or size: all of it was promised.
    const bounds = { keepDays: Number.POSITIVE_INFINITY, keepBytes: Number.POSITIVE_INFINITY };
    const log = await FolderLog.open({ ...options, ...bounds, fileBytes });
    return new Spool(log, options);
  }

  /** Bytes on disk. */
  get bytes(): number {
    return this.#log.bytes;
  }

  get lost(): number {
    return this.#log.counts.lost;
  }

  append(entry: LogEntry): Promise<void> {
    return this.#log.append(entry);
  }

  /** Yields the entries that were not yielded before, some at a time. When it ends, sent files are removed. */
  async *batches(): AsyncGenerator<readonly LogEntry[]> {
    let batch: LogEntry[] = [];
    for await (const entry of this.#reader.next({})) {
      batch.push(entry);
      if (batch.length < together) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
    for (const [name, bytes] of this.#reader.readBytes) {
      if (await this.#log.discard(name, bytes)) this.#reader.forget(name);
    }
  }

  close(): Promise<void> {
    return this.#log.close();
  }
}
