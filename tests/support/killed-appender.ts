import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { bundledProgram } from './bundled-program.js';

const source = fileURLToPath(new URL('appending-program.ts', import.meta.url));

/** A program that appends to a log, and is killed again and again. */
export class KilledAppender {
  /** Texts of all entries that were acknowledged. */
  readonly acknowledged: string[] = [];
  /** What it has said on stderr. */
  said = '';
  readonly #program: string;
  readonly #folder: string;
  readonly #store: readonly string[];
  #next = 0;

  private constructor(program: string, folder: string, store: readonly string[]) {
    this.#program = program;
    this.#folder = folder;
    this.#store = store;
  }

  /** @param url of a database, if the log is in one */
  static async create(folder: string, url?: string): Promise<KilledAppender> {
    return new KilledAppender(await bundledProgram(source), folder, url === undefined ? [] : [url]);
  }

  /**
   * Runs it until so many entries were acknowledged, and kills it in the middle of the next ones.
   * @param begun called when the first entry was acknowledged
   */
  async run(entries: number, begun: () => void = () => undefined): Promise<void> {
    const argv = [this.#program, this.#folder, String(this.#next), ...this.#store];
    const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stderr.on('data', (piece) => {
      this.said += String(piece);
    });
    child.stdout.on('data', (piece) => {
      if (output === '') begun();
      output += String(piece);
      if (output.split('\n').length > entries) child.kill('SIGKILL');
    });
    await once(child, 'close');
    const whole = output.slice(0, output.lastIndexOf('\n') + 1);
    const texts = whole.split('\n').filter((text) => text !== '');
    if (texts.length < entries) throw new Error(`the program has ended by itself: ${this.said}`);
    this.acknowledged.push(...texts);
    // Those that were not acknowledged may be there.
    this.#next += texts.length + 1000;
  }
}
