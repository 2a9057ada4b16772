import { join } from 'node:path';
import { doubledPause } from '@azimuth/async';
import { codeOf, FolderLock } from '@azimuth/device/documents';
import type { MonitorClock } from '../../clock.js';
import type { LogEntry } from '../log-entry.js';
import { encodeLine } from '../log-line.js';
import { type LogCounts, type LogQuery, type LogStore, NotStored } from '../log-store.js';
import { storableEntry } from '../storable-entry.js';
import { appendCommand } from './commands-file.js';
import { DayFiles } from './day-files.js';
import { FolderReader, type LogDamage } from './folder-reader.js';
import { type LogDisk, systemDisk } from './log-disk.js';
import { dayOf } from './log-file-name.js';
import { filesToRemove, type Retention } from './retention.js';

export interface FolderLogOptions extends Partial<Retention> {
  readonly folder: string;
  readonly clock: MonitorClock;
  /** Gets one line for people about each trouble, and about its end. */
  readonly report: (text: string) => void;
  /** Bytes after which a day gets a further file; 64 MiB by default. */
  readonly fileBytes?: number | undefined;
  /** The file system; that of this computer by default. */
  readonly disk?: LogDisk | undefined;
}

/** Entries that may wait for the disk, and their bytes. */
const mostWaiting = 10_000;
const mostWaitingBytes = 32 * 1024 * 1024;
/** Entries that are written at once. */
const mostTogether = 1000;
/** Longest ms until an append fails whose entry is not on disk. The entry goes on waiting. */
const patience = 2000;
/** Damaged lines that are reported. */
const mostReported = 1000;
const firstPause = 100;
const longestPause = 5000;

/** Kept by default: 400 days, and 4 GiB. */
export const usualRetention: Retention = { keepDays: 400, keepBytes: 4 * 1024 ** 3 };

interface Waiting {
  readonly day: string;
  readonly line: Buffer;
  readonly since: number;
  readonly done: () => void;
  readonly failed: (error: NotStored) => void;
}

/** The lasting log in a folder: a file of JSON lines for each day. One process at a time has the folder. */
export class FolderLog implements LogStore {
  readonly #options: FolderLogOptions;
  readonly #disk: LogDisk;
  readonly #lock: FolderLock;
  readonly #files: DayFiles;
  readonly #closing = new AbortController();
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  #stored = 0;
  #lost = 0;
  /** Lost entries that the log itself does not tell yet. */
  #untold = 0;
  #writing: Promise<void> | undefined;
  #lastFile = '';
  readonly #reported = new Set<string>();

  private constructor(options: FolderLogOptions, disk: LogDisk, lock: FolderLock, files: DayFiles) {
    this.#options = options;
    this.#disk = disk;
    this.#lock = lock;
    this.#files = files;
  }

  /**
   * Opens a folder, or makes it, for its owner only. A line that a kill or a power cut has torn is removed, and reported.
   * @throws FolderInUse if another process has the folder; errors of the system
   */
  static async open(options: FolderLogOptions): Promise<FolderLog> {
    const { folder, report, fileBytes = 64 * 1024 * 1024, disk = systemDisk } = options;
    await disk.makeFolder(folder);
    const lock = await FolderLock.acquire(folder);
    try {
      const { files, torn } = await DayFiles.open(folder, { disk, fileBytes });
      for (const { file, bytes } of torn)
        report(`${join(folder, file)}: the last ${bytes} bytes were a part of a line, and are removed`);
      const log = new FolderLog(options, disk, lock, files);
      await log.#removeOld();
      return log;
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  get counts(): LogCounts {
    return { stored: this.#stored, waiting: this.#waiting.length, lost: this.#lost };
  }

  /** Bytes of all its files that are known to be on disk. */
  get bytes(): number {
    return this.#files.bytes;
  }

  /** Removes a file, if it has this many bytes and nothing is appended to it any more. @returns true if it was removed */
  discard(name: string, bytes: number): Promise<boolean> {
    return this.#files.discard(name, bytes);
  }

  append(entry: LogEntry): Promise<void> {
    // Commands have a file of their own, to which other processes write.
    if (entry.kind === 'command') return appendCommand(this.#options.folder, entry);
    return new Promise((done, failed) => {
      if (this.#waiting.length >= mostWaiting || this.#waitingBytes >= mostWaitingBytes) {
        this.#lost += 1;
        this.#untold += 1;
        failed(
          new NotStored(`the log in ${this.#options.folder} cannot be written, and too many entries wait`),
        );
        return;
      }
      this.#enqueue(entry, done, failed);
    });
  }

  read(query: LogQuery): AsyncGenerator<LogEntry> {
    const { folder } = this.#options;
    return new FolderReader(folder, (damage) => this.#reportOnce(damageText(folder, damage))).next(query);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#writing;
    await this.#files.close();
    await this.#lock.release();
  }

  #enqueue(entry: LogEntry, done: () => void, failed: (error: NotStored) => void): void {
    const storable = storableEntry(entry);
    const line = encodeLine(storable);
    this.#waiting.push({
      ...{ day: dayOf(storable.at), line, done, failed },
      since: this.#options.clock.now(),
    });
    this.#waitingBytes += line.length;
    this.#writing ??= this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    // All appends of this pass of the event loop go together.
    await undefined;
    let failures = 0;
    while (this.#waiting.length > 0) {
      try {
        await this.#writeSome();
        if (failures > 0) this.#recovered();
        failures = 0;
      } catch (error) {
        failures += 1;
        this.#failed(error, failures);
        if (this.#closing.signal.aborted) break;
        await this.#options.clock.pause(
          doubledPause(firstPause, failures - 1, longestPause),
          this.#closing.signal,
        );
      }
    }
    this.#writing = undefined;
  }

  /** Writes entries of one day with one fsync. @throws errors of the system; then all of them still wait */
  async #writeSome(): Promise<void> {
    const [first] = this.#waiting;
    if (first === undefined) return;
    const { day } = first;
    const other = this.#waiting.findIndex((each) => each.day !== day);
    const together = this.#waiting.slice(0, Math.min(mostTogether, other < 0 ? mostTogether : other));
    const file = await this.#files.append(day, Buffer.concat(together.map(({ line }) => line)));
    this.#waiting.splice(0, together.length);
    for (const { line, done } of together) {
      this.#waitingBytes -= line.length;
      done();
    }
    this.#stored += together.length;
    if (file !== this.#lastFile) await this.#removeOld();
    this.#lastFile = file;
  }

  #failed(error: unknown, failures: number): void {
    const { folder, clock, report } = this.#options;
    const reason = error instanceof Error ? error.message : String(error);
    if (failures === 1)
      report(
        `the log in ${folder} cannot be written: ${reason}. It is tried again; ${this.#waiting.length} entries wait`,
      );
    const hasWaited = clock.now() - patience;
    const refused = new NotStored(`the log in ${folder} cannot be written: ${reason}`);
    const isOver = this.#closing.signal.aborted;
    for (const each of this.#waiting) if (isOver || each.since <= hasWaited) each.failed(refused);
    if (!isOver) return;
    this.#lost += this.#waiting.length;
    report(
      `${this.#waiting.length} entries are lost: the log in ${folder} could not be written until the end`,
    );
    this.#waiting = [];
  }

  #recovered(): void {
    const { folder, clock, report } = this.#options;
    const lost = this.#untold;
    this.#untold = 0;
    const told = lost === 0 ? '' : `; ${lost} entries are lost`;
    report(`the log in ${folder} is written again${told}`);
    if (lost === 0) return;
    const text = `${lost} entries are lost: the log could not be written`;
    this.#enqueue({ kind: 'monitor', at: clock.now(), scanner: '', text }, ignore, ignore);
  }

  /** Reports damage when it is read for the first time. */
  #reportOnce(text: string): void {
    if (this.#reported.has(text) || this.#reported.size >= mostReported) return;
    this.#reported.add(text);
    this.#options.report(text);
  }

  async #removeOld(): Promise<void> {
    const { folder, report, keepDays, keepBytes } = this.#options;
    try {
      const retention = {
        keepDays: keepDays ?? usualRetention.keepDays,
        keepBytes: keepBytes ?? usualRetention.keepBytes,
      };
      for (const name of filesToRemove(await this.#disk.list(folder), retention)) {
        await this.#disk.remove(join(folder, name));
        this.#files.forget(name);
      }
    } catch (error) {
      report(`old files in ${folder} cannot be removed (${codeOf(error) ?? String(error)})`);
    }
  }
}

/** Returns a line for people about a part of a log that cannot be read. */
export function damageText(folder: string, { file, line, reason }: LogDamage): string {
  const place = line === undefined ? join(folder, file) : `${join(folder, file)}, line ${line}`;
  return `${place}: cannot be read, and is left out: ${reason}`;
}

function ignore(): void {}
