import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const built = new URL('../../dist/storage/folder-storage.js', import.meta.url).href;

/** Another process that opens a folder and then runs the script. It ends with the test. */
export class Child {
  readonly #process: ChildProcess;
  readonly #lines: string[] = [];
  #lineReceived = () => {};
  readonly ended: Promise<unknown>;

  private constructor(process: ChildProcess) {
    this.#process = process;
    this.ended = once(process, 'close');
    process.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#lines.push(...text.split('\n').filter((line) => line !== ''));
      this.#lineReceived();
    });
    onTestFinished(() => {
      process.kill('SIGKILL');
    });
  }

  /** Opens the folder, prints `open` or the name of the error, and continues with `then`. */
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

  /** Its next printed line. */
  async line(): Promise<string> {
    for (;;) {
      const line = this.#lines.shift();
      if (line !== undefined) return line;
      await new Promise<void>((resolve, reject) => {
        this.#lineReceived = resolve;
        void this.ended.then(() => reject(new Error('the child ended without a word')));
      });
    }
  }

  /** Kills it, and waits for its end. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.ended;
  }
}

const root = fileURLToPath(new URL('../..', import.meta.url));
