import type { Follower } from '@azimuth/bridge/relay';
import type { TelegramPassed, TimelineEntry } from '@azimuth/bridge/timeline';
import { counted } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import { remark } from '../output/output.js';
import { type RecordForm, recordForm } from '../scan-data/record-forms.js';
import { RecordingFile } from '../scan-data/recording-file.js';
import { entryJson, entryLine, type Single } from './entry-text.js';

/** Bytes of telegrams that wait for a slow disk. Further ones are left out of the recording, and counted. */
const mostWaitingBytes = 16 * 1024 * 1024;

/** Longest comment on a packet, in characters: what happened between two telegrams. */
const mostComment = 4096;

/** Memory that a waiting event uses: its texts are cut for the view. */
const eventBytes = 1024;

/** Interval in ms at which formats write what waits for more. */
const flushInterval = 1000;

interface Facts {
  /** The source in words, for the head of the file. */
  readonly source: () => string;
  readonly force: boolean;
  readonly signal: AbortSignal;
}

/**
 * Records the telegrams that pass, as they came from the scanner. A capture (pcapng) has findings and faults as comments on
 * the next telegram, and MCAP has these and the events of the scanner. Requests and legacy telegrams may have secrets, and are
 * left out. A full disk ends the recording, and not the relay: the failure is told at once, and again at the end.
 */
export class RecordingFollower implements Follower {
  readonly #path: string;
  readonly #file: RecordingFile;
  readonly #form: RecordForm;
  #writing: Promise<void> = Promise.resolve();
  #waitingBytes = 0;
  #leftOut = 0;
  #comment = '';
  #flushedAt = 0;
  #failure: CommandFailure | undefined;

  private constructor(path: string, file: RecordingFile, form: RecordForm) {
    this.#path = path;
    this.#file = file;
    this.#form = form;
  }

  /** @throws CommandFailure if the file cannot be made */
  static async at(path: string, { source, force, signal }: Facts): Promise<RecordingFollower> {
    const form = await recordForm(path, () => ({ source: source() }));
    const file = await RecordingFile.at(path, { header: () => form.header(), force, signal });
    return new RecordingFollower(path, file, form);
  }

  follow(entry: TimelineEntry): void {
    if (this.#failure !== undefined) return;
    if (entry.kind === 'event' || entry.kind === 'finding' || entry.kind === 'fault') this.#note(entry);
    if (entry.kind !== 'telegram') return;
    const { length } = entry.bytes;
    if (this.#waitingBytes + length > mostWaitingBytes) {
      if (this.#leftOut === 0) remark(`${this.#path}: the disk is too slow; telegrams are left out`);
      this.#leftOut += 1;
      return;
    }
    const comment = this.#comment;
    this.#comment = '';
    this.#later(length, () => this.#append(entry, comment));
  }

  /** Keeps an entry for the next telegram, and as an event if there is a file. */
  #note(entry: Single): void {
    if (entry.kind !== 'event') {
      const comment = [this.#comment, entryLine(entry)].filter((line) => line !== '').join('\n');
      if (comment.length <= mostComment) this.#comment = comment;
    }
    if (this.#waitingBytes > mostWaitingBytes) return;
    const event = { name: entry.kind, value: entryJson(entry), time: entry.at };
    this.#later(eventBytes, async () => {
      if (this.#file.bytes > 0) await this.#write(() => this.#form.event(event));
    });
  }

  /** Acts after what was to be written before: the places in the file are known to its format in this order. */
  #later(bytes: number, act: () => Promise<void>): void {
    this.#waitingBytes += bytes;
    this.#writing = this.#writing.then(async () => {
      await act();
      this.#waitingBytes -= bytes;
    });
  }

  async end(): Promise<void> {
    await this.#writing;
    if (this.#file.bytes > 0) await this.#write(() => this.#form.end());
    await this.#file.end();
    if (this.#leftOut > 0) remark(`${this.#path}: ${counted(this.#leftOut, 'telegram')} left out`);
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #append({ at, bytes, from, to }: TelegramPassed, comment: string): Promise<void> {
    await this.#write(() => this.#form.record({ time: at, bytes, from, to, comment }));
    if (at / 1000 - this.#flushedAt < flushInterval) return;
    this.#flushedAt = at / 1000;
    await this.#write(() => this.#form.flush());
  }

  async #write(made: () => Uint8Array | Promise<Uint8Array>): Promise<void> {
    if (this.#failure !== undefined) return;
    try {
      await this.#file.append(await made());
    } catch (error) {
      const failure = this.#failureOf(error);
      this.#failure = failure;
      remark(`${failure.message}; the relay goes on without it`);
    }
  }

  #failureOf(error: unknown): CommandFailure {
    if (error instanceof CommandFailure) return error;
    const reason = error instanceof Error ? error.message : String(error);
    return new CommandFailure(`${this.#path} cannot be written: ${reason}`, 'refused', { cause: error });
  }
}
