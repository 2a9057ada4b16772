/** ms: the first request that failed is repeated so soon; each further one waits twice as long, */
const firstRetry = 2000;
/** ms: but no longer than that. */
const longestRetry = 64_000;
/** ms: a server that has asked for fewer requests is asked no more often, */
const shortestSlow = 16_000;
/** ms: and at least once a day. */
const longestSlow = 24 * 3_600_000;
/** An answer is good for so many update times, */
const updatesThatLast = 3;
/** ms: and at least so long. */
const leastLasting = 10_000;

/** How long to wait for the next request to a time server. All times are in ms. */
export class Patience {
  #interval = 0;

  /** @param updateTime s between two requests while all is well */
  begin(updateTime: number): void {
    this.#interval = updateTime * 1000;
  }

  /** How long an answer counts. */
  get lasts(): number {
    return Math.max(this.#interval * updatesThatLast, leastLasting);
  }

  afterAnswer(): number {
    return this.#interval;
  }

  /** @param missed requests in a row without a time, this one included */
  afterMiss(missed: number): number {
    return Math.min(this.#interval, firstRetry * 2 ** (missed - 1), longestRetry);
  }

  /** The server wants to be asked less often: half as often from now on. */
  afterSlower(): number {
    this.#interval = Math.min(Math.max(this.#interval * 2, shortestSlow), longestSlow);
    return this.#interval;
  }
}
