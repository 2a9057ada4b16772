import { type FileHandle, open, stat } from 'node:fs/promises';
import type { ReceiverLosses } from '@azimuth/client/receive';
import { counted } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import { print } from '../output/output.js';
import { makeParentFolder, requireFolder, standardOutput } from '../transfers/output-file.js';
import type { Screen } from '../transfers/progress.js';
import { lossesText } from './frame-text.js';

/**
 * Limit for the bytes of records that wait for a slow disk. Further records wait in the receiver, which counts its
 * losses.
 */
const maxWaitingBytes = 4 * 1024 * 1024;

/** Interval of flushes to the disk in ms. */
const syncInterval = 1000;

interface RecordingFacts {
  /** The header of the file. */
  readonly header: () => Uint8Array;
  /** True if an existing file may be replaced. */
  readonly force: boolean;
  /** Ends the waiting for a slow reader of standard output. */
  readonly signal: AbortSignal;
}

/**
 * A file that grows record by record. It can be read up to its last complete record at any time, also after a power
 * cut. The file is created, or replaced, with the first record: without records there is no file.
 */
export class RecordingFile {
  readonly #path: string;
  readonly #header: () => Uint8Array;
  readonly #signal: AbortSignal;
  #file: FileHandle | undefined;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #bytes = 0;
  #synced = 0;
  #writing: Promise<void> | undefined;
  #failure: CommandFailure | undefined;

  private constructor(path: string, header: () => Uint8Array, signal: AbortSignal) {
    this.#path = path;
    this.#header = header;
    this.#signal = signal;
  }

  /**
   * @throws CommandFailure for a folder, if the folder of the file is a file, and for an existing file without
   * `force`
   */
  static async at(path: string, { header, force, signal }: RecordingFacts): Promise<RecordingFile> {
    if (path === standardOutput) return new RecordingFile(path, header, signal);
    const stats = await stat(path).catch(() => undefined);
    if (stats?.isDirectory()) throw new CommandFailure(`${path} is a folder`);
    if (stats?.isFile() && !force)
      throw new CommandFailure(`${path} already exists; use --force to replace it`);
    if (stats === undefined) await requireFolder(path);
    return new RecordingFile(path, header, signal);
  }

  /** Recorded bytes, header included. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Adds a record; waits only if the disk is slow. @throws CommandFailure if it cannot be written */
  async append(record: Uint8Array): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#bytes === 0) this.#add(this.#header());
    this.#add(record);
    this.#writing ??= this.#write();
    if (this.#waitingBytes > maxWaitingBytes) await this.#writing;
  }

  /** Writes the rest and closes the file. @throws CommandFailure if it cannot be written */
  async end(): Promise<void> {
    await this.#writing;
    if (this.#waiting.length > 0 && this.#failure === undefined) await this.#write();
    await this.#file?.sync().catch(() => undefined);
    await this.#file?.close();
    this.#file = undefined;
    if (this.#failure !== undefined) throw this.#failure;
  }

  #add(bytes: Uint8Array): void {
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    this.#bytes += bytes.length;
  }

  /** Never rejects: the next append or the end throws the failure. */
  async #write(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        const bytes = Buffer.concat(this.#waiting);
        this.#waiting = [];
        this.#waitingBytes = 0;
        await this.#writeBytes(bytes);
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#failure = new CommandFailure(`${this.#path} cannot be written: ${reason}`, 'refused');
    }
    this.#writing = undefined;
  }

  async #writeBytes(bytes: Uint8Array): Promise<void> {
    if (this.#path === standardOutput) {
      return print(bytes, this.#signal);
    }
    if (this.#file === undefined) await makeParentFolder(this.#path);
    this.#file ??= await open(this.#path, 'w', 0o600);
    await this.#file.writeFile(bytes);
    const now = performance.now();
    if (now - this.#synced < syncInterval) return;
    this.#synced = now;
    await this.#file.datasync().catch(() => undefined);
  }
}

/** Figures of a recording. */
interface Recorded {
  readonly telegrams: number;
  readonly bytes: number;
  readonly losses: ReceiverLosses;
}

/** Interval of progress lines in ms: a terminal has one line that changes, other outputs get a line each. */
const progressIntervals = { terminal: 200, other: 5000 };

/** Shows the progress of a recording on a terminal, or if `--progress` is given. */
export class RecordProgress {
  readonly #screen: Screen;
  readonly #isEnabled: boolean;
  readonly #now: () => number;
  #shownAt: number;
  #lastLine = '';

  /** @param now ms */
  constructor(screen: Screen, requested: boolean, now: () => number) {
    this.#screen = screen;
    this.#isEnabled = requested || screen.isTTY === true;
    this.#now = now;
    this.#shownAt = now();
  }

  update(recorded: () => Recorded): void {
    if (!this.#isEnabled) return;
    const now = this.#now();
    if (
      now - this.#shownAt <
      (this.#screen.isTTY === true ? progressIntervals.terminal : progressIntervals.other)
    )
      return;
    this.#shownAt = now;
    this.#show(recorded());
  }

  /** Shows the final figures and ends the line. */
  end(recorded: Recorded): void {
    if (!this.#isEnabled) return;
    this.#show(recorded);
    if (this.#screen.isTTY === true) this.#screen.write('\n');
  }

  #show({ telegrams, bytes, losses }: Recorded): void {
    const text = `${counted(telegrams, 'telegram')}  ${(bytes / 1_000_000).toFixed(1)} MB  lost ${lossesText(losses)}`;
    if (this.#screen.isTTY === true) this.#screen.write(`\r${text.padEnd(this.#lastLine.length)}`);
    else this.#screen.write(`${text}\n`);
    this.#lastLine = text;
  }
}
