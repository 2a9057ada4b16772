import { type FileHandle, mkdir, open, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { counted } from '@azimuth/model';
import { CommandFailure, systemErrorText } from '../command-failure.js';
import { maxFileBytes, readTextFile } from '../input/bounded-file.js';
import { isRunning } from '../locks/running-process.js';
import { jsonText } from '../output/output.js';
import { syncFolder } from '../transfers/replaced-file.js';
import { entryIn, headIn, type JournalEntry, type JournalHead } from './journal-entry.js';

/** The state of a scanner in a journal. */
export type ScannerState = Exclude<JournalEntry, { state: 'running' | 'ended' }>;

/** A begun change of a scanner. */
export type Begun = Extract<JournalEntry, { state: 'begun' }>;

/** The content of a journal: the work of a run so far. */
export interface JournalContent {
  readonly path: string;
  readonly head: JournalHead;
  /** The last state of each scanner that has one. */
  readonly states: ReadonlyMap<string, ScannerState>;
  /** The beginning of the change of each scanner that is not done. */
  readonly begun: ReadonlyMap<string, Begun>;
  /** Bytes of complete lines: a broken line behind them was never promised. */
  readonly length: number;
}

/**
 * The journal of a run: a line of JSON for each change of a state, on disk when `add` resolves. Only its owner can read
 * it.
 */
export class Journal {
  readonly path: string;
  readonly #file: FileHandle;

  private constructor(path: string, file: FileHandle) {
    this.path = path;
    this.#file = file;
  }

  /** Makes the journal of a new run. @throws CommandFailure if the file exists, or cannot be written */
  static async create(path: string, head: JournalHead): Promise<Journal> {
    try {
      await mkdir(dirname(path), { recursive: true });
      const journal = new Journal(path, await open(path, 'wx', 0o600));
      await journal.#write(head);
      await syncFolder(dirname(path));
      await journal.#begin();
      return journal;
    } catch (error) {
      if (isCode(error, 'EEXIST')) {
        throw new CommandFailure(
          `${path} already exists: --resume ${path} goes on with it, or name another --journal`,
        );
      }
      throw unwritable(path, error);
    }
  }

  /**
   * Opens a journal to go on with it. A broken last line is cut off: a process has ended while it wrote it.
   * @throws CommandFailure if it cannot be written
   */
  static async goOn({ path, length }: JournalContent): Promise<Journal> {
    try {
      const journal = new Journal(path, await open(path, 'r+'));
      await journal.#file.truncate(length);
      await journal.#begin();
      return journal;
    } catch (error) {
      throw unwritable(path, error);
    }
  }

  /** Adds an entry. It is on disk when the promise resolves. @throws CommandFailure */
  async add(entry: JournalEntry): Promise<void> {
    try {
      await this.#write(entry);
    } catch (error) {
      throw unwritable(this.path, error);
    }
  }

  async close(): Promise<void> {
    await this.add({ state: 'ended', at: new Date().toISOString() });
    await this.#file.close();
  }

  #begin(): Promise<void> {
    return this.add({
      state: 'running',
      at: new Date().toISOString(),
      pid: process.pid,
      host: hostname(),
    });
  }

  #writing: Promise<void> = Promise.resolve();

  /** Writes one line after the other, at the end. */
  #write(line: JournalHead | JournalEntry): Promise<void> {
    this.#writing = this.#writing.then(async () => {
      const { size } = await this.#file.stat();
      const bytes = Buffer.from(`${jsonText(line)}\n`);
      for (let at = 0; at < bytes.length; ) {
        at += (await this.#file.write(bytes, at, bytes.length - at, size + at)).bytesWritten;
      }
      await this.#file.datasync();
    });
    return this.#writing;
  }
}

/**
 * Reads the journal of a run that broke off.
 * @throws CommandFailure if it cannot be read, is no journal, or if a process still works with it
 */
export async function readJournal(path: string): Promise<JournalContent> {
  const stats = await stat(path).catch(() => undefined);
  if (stats !== undefined && !stats.isFile()) throw new CommandFailure(`${path} is not a regular file`);
  const text = await readTextFile(path, { limit: maxFileBytes.journal });
  const complete = text.slice(0, text.lastIndexOf('\n') + 1);
  const [first = '', ...rest] = complete.split('\n').slice(0, -1);
  const head = headIn(first);
  if (head === undefined) throw new CommandFailure(`${path}, line 1: expected the head of a rollout journal`);
  const entries = rest.map((line, index) => {
    const entry = entryIn(line);
    if (entry !== undefined) return entry;
    throw new CommandFailure(`${path}, line ${index + 2}: expected an entry of a rollout journal`);
  });
  refuseRunning(path, entries);
  return { path, head, ...statesIn(entries), length: Buffer.byteLength(complete) };
}

function statesIn(entries: readonly JournalEntry[]): Pick<JournalContent, 'states' | 'begun'> {
  const states = new Map<string, ScannerState>();
  const begun = new Map<string, Begun>();
  for (const entry of entries) {
    if (entry.state === 'running' || entry.state === 'ended') continue;
    states.set(entry.scanner, entry);
    // The first beginning knows how the scanner was before any change.
    if (entry.state === 'begun' && !begun.has(entry.scanner)) begun.set(entry.scanner, entry);
    if (entry.state === 'done') begun.delete(entry.scanner);
  }
  return { states, begun };
}

/** Refuses a journal that another process writes: the two would change scanners at the same time. */
function refuseRunning(path: string, entries: readonly JournalEntry[]): void {
  const last = entries.findLast(({ state }) => state === 'running' || state === 'ended');
  if (last?.state !== 'running' || last.host !== hostname() || !isRunning(last.pid)) return;
  throw new CommandFailure(
    `process ${last.pid} still works with ${path}: wait until it has ended, or end it with Ctrl-C`,
  );
}

/** Returns how many scanners of a run are done, as `12 of 20 scanners`. */
export function doneText({ head, states }: JournalContent): string {
  const done = [...states.values()].filter(({ state }) => state === 'done').length;
  return `${done} of ${counted(head.scanners.length, 'scanner')}`;
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function unwritable(path: string, error: unknown): CommandFailure {
  if (error instanceof CommandFailure) return error;
  return new CommandFailure(`the journal ${path} cannot be written: ${systemErrorText(error)}`, 'refused');
}
