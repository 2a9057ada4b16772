import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import type { Timeline } from '../timeline/timeline.js';
import { largestSession, mostUnwritten } from './limits.js';
import { headLine, lineOf } from './session-line.js';

interface Options {
  /** URL of the scanner, for the head of the file. */
  readonly target: string;
  /** Called once if nothing more can be recorded: the disk is full or too slow, or the file has its largest size. */
  readonly failed: (error: Error) => void;
}

/**
 * Records what passes on a timeline to a file, except telegrams of data streams. Each entry is a line that is written at once:
 * if the program is killed, the file has all lines up to there. The file is readable by its owner alone.
 */
export class SessionWriter {
  readonly path: string;
  readonly #file: WriteStream;
  readonly #unfollow: () => void;
  readonly #failed: (error: Error) => void;
  #isOver = false;
  #bytes = 0;

  private constructor(path: string, file: WriteStream, timeline: Timeline, { target, failed }: Options) {
    this.path = path;
    this.#file = file;
    this.#failed = failed;
    file.on('error', (error) => this.#fail(error));
    this.#write(headLine(target, new Date()));
    this.#unfollow = timeline.follow((entry) => {
      const line = lineOf(entry);
      if (line !== undefined) this.#write(line);
    });
  }

  /** Creates the file and begins. @throws errors of node:fs, as EEXIST: a file that is there is not overwritten */
  static async open(path: string, timeline: Timeline, options: Options): Promise<SessionWriter> {
    const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
    await once(file, 'open');
    return new SessionWriter(path, file, timeline, options);
  }

  /** Bytes of the file so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Ends the recording. Fulfilled when all of it is written. */
  async close(): Promise<void> {
    this.#unfollow();
    const wasOver = this.#isOver;
    this.#isOver = true;
    if (wasOver || this.#file.destroyed) return;
    const closed = once(this.#file, 'close');
    this.#file.end();
    await closed;
  }

  #write(line: string): void {
    if (this.#isOver) return;
    const length = Buffer.byteLength(line);
    if (this.#bytes + length > largestSession) {
      this.#fail(new Error(`the session has its largest size of ${largestSession} bytes`));
    } else if (this.#file.writableLength + length > mostUnwritten) {
      this.#fail(new Error('the disk is too slow for the session'));
    } else {
      this.#bytes += length;
      this.#file.write(line);
    }
  }

  #fail(error: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#file.end();
    this.#failed(error);
  }
}
