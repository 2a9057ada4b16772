import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const built = new URL('../../dist/storage/folder-storage.js', import.meta.url).href;

/** A process of its own that opens a folder and then does what the script says, told to end with the test. */
export class Child {
  readonly #process: ChildProcess;
  readonly #lines: string[] = [];
  #wake = () => {};
  readonly ended: Promise<unknown>;

  private constructor(process: ChildProcess) {
    this.#process = process;
    this.ended = once(process, 'close');
    process.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#lines.push(...text.split('\n').filter((line) => line !== ''));
      this.#wake();
    });
    onTestFinished(() => {
      process.kill('SIGKILL');
    });
  }

  /** Opens the folder, says `open` or the name of the error, and goes on with `then`. */
  static open(folder: string, then = 'setInterval(() => {}, 1000);'): Child {
    const script = `
      import { FolderStorage } from ${JSON.stringify(built)};
      try {
        const storage = await FolderStorage.open(${JSON.stringify(folder)});
        console.log('open');
        ${then}
      } catch (error) {
        console.log(error.name);
      }
    `;
    return new Child(spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: root }));
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** The next line that it says. */
  async line(): Promise<string> {
    for (;;) {
      const line = this.#lines.shift();
      if (line !== undefined) return line;
      await new Promise<void>((resolve, reject) => {
        this.#wake = resolve;
        void this.ended.then(() => reject(new Error('the child ended without a word')));
      });
    }
  }

  /** Pulls the plug, and waits until it is gone. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.ended;
  }
}

const root = fileURLToPath(new URL('../..', import.meta.url));
