import type { WorkerAddress } from './worker-connections.js';

/** ms between two tries of the same worker. They double, up to the longest. */
const shortestPause = 50;
const longestPause = 500;

/** When what waits for a worker is tried: at once with another one, and with the same one after pauses. */
export class Tries {
  #url: string | undefined;
  #pause = shortestPause;
  #nextAt = 0;

  /** May this worker be tried now? Then it counts as tried. */
  begin({ url }: WorkerAddress): boolean {
    const now = performance.now();
    if (url !== this.#url) this.#pause = shortestPause;
    else if (now < this.#nextAt) return false;
    else this.#pause = Math.min(2 * this.#pause, longestPause);
    this.#url = url;
    this.#nextAt = now + this.#pause;
    return true;
  }
}
