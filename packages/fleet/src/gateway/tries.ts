import { doubledPause } from '@azimuth/async';
import type { WorkerAddress } from './worker-connections.js';

/** ms between two tries of the same worker. They double, up to the longest. */
const shortestPause = 50;
const longestPause = 500;

/** When what waits for a worker is tried: at once with another one, and with the same one after pauses. */
export class Tries {
  #url: string | undefined;
  #again = 0;
  #nextAt = 0;

  /** May this worker be tried now? Then it counts as tried. */
  begin({ url }: WorkerAddress): boolean {
    const now = performance.now();
    if (url !== this.#url) this.#again = 0;
    else if (now < this.#nextAt) return false;
    else this.#again++;
    this.#url = url;
    this.#nextAt = now + doubledPause(shortestPause, this.#again, longestPause);
    return true;
  }
}
