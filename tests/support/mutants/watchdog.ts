import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

/**
 * Ends this process if something takes too long, and says on standard error what it was: also if it is a loop that never ends,
 * which stops every timer of this thread.
 */
export class Watchdog {
  readonly #thread: Worker;

  constructor() {
    this.#thread = new Worker(fileURLToPath(new URL('watchdog-thread.cjs', import.meta.url)));
    this.#thread.unref();
  }

  /**
   * Watches until the returned function is called.
   * @param text what runs, in words
   * @param milliseconds its longest time
   */
  watch(text: string, milliseconds: number): () => void {
    this.#thread.postMessage({ text, milliseconds });
    return () => this.#thread.postMessage(null);
  }
}
