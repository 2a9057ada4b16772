import type { MonitorClock } from '../clock.js';
import { ScannerFiles } from '../files/scanner-files.js';
import type { History } from './history.js';
import { decodedHistory, encodedHistory } from './history-file.js';

/** Most bytes of a file. */
const mostBytes = 1024 * 1024;

/** Time (ms) between two writes of all files: that much is lost at most by a power cut. */
const betweenWrites = 600_000;

export interface HistoryFolderOptions {
  readonly history: History;
  /** The names of the scanners. */
  readonly scanners: readonly string[];
  readonly folder: string;
  readonly clock: MonitorClock;
  /** Gets one line for people about each trouble. */
  readonly report: (text: string) => void;
}

/** Keeps a history in a folder: a file for each scanner. */
export class HistoryFolder {
  readonly #options: HistoryFolderOptions;
  readonly #files: ScannerFiles;
  readonly #closing = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #isFailing = false;

  constructor(options: HistoryFolderOptions) {
    this.#options = options;
    this.#files = new ScannerFiles(options.folder, '.history');
  }

  /** Reads what an earlier run has written, and writes from now on. What is damaged is reported, and begins anew. */
  async start(): Promise<void> {
    for (const name of this.#options.scanners) await this.#read(name);
    this.#running = this.#run();
  }

  /** Writes everything once more. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await this.#options.clock.pause(betweenWrites, signal);
      await this.#writeAll();
    }
  }

  async #read(name: string): Promise<void> {
    const { history, report } = this.#options;
    try {
      const bytes = await this.#files.read(name);
      if (bytes === undefined) return;
      if (bytes.length > mostBytes)
        throw new Error(`expected at most ${mostBytes} bytes, got ${bytes.length}`);
      history.restore(name, await decodedHistory(name, bytes));
    } catch (error) {
      report(
        `${this.#files.pathOf(name)}: cannot be read, and the history of ${name} begins anew: ${reasonOf(error)}`,
      );
    }
  }

  async #writeAll(): Promise<void> {
    const { history, scanners, folder, report } = this.#options;
    try {
      for (const name of scanners)
        await this.#files.replace(name, await encodedHistory(name, history.seriesOf(name)));
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing)
        report(`the history in ${folder} cannot be written: ${reasonOf(error)}. It is tried again`);
      this.#isFailing = true;
    }
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
