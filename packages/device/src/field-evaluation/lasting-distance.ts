/**
 * The nearest distance at which a beam has seen something for long enough: of all periods of this length, that with the nearest
 * furthest distance. Who passes in less time leaves no trace.
 */
export class LastingDistance {
  readonly #period: number;
  #since: number | undefined;
  /** The distances that may still be the furthest of a period, with their times: each one nearer than the one before. */
  readonly #distances: number[] = [];
  readonly #times: number[] = [];
  #nearest = Number.NaN;

  /** @param period in the unit of the times; 0: each distance counts */
  constructor(period: number) {
    this.#period = period;
  }

  /** NaN before a whole period has passed; Infinity if nothing was seen for long enough. */
  get nearest(): number {
    return this.#nearest;
  }

  /** @param distance Infinity if nothing is seen. It holds until the next one. */
  take(distance: number, time: number): void {
    const [distances, times] = [this.#distances, this.#times];
    this.#since ??= time;
    while ((distances.at(-1) ?? Number.POSITIVE_INFINITY) <= distance && distances.length > 0) {
      distances.pop();
      times.pop();
    }
    distances.push(distance);
    times.push(time);
    while ((times[0] ?? time) < time - this.#period) {
      distances.shift();
      times.shift();
    }
    if (time - this.#since < this.#period) return;
    const furthest = distances[0] ?? distance;
    // NaN is replaced, too.
    if (!(furthest >= this.#nearest)) this.#nearest = furthest;
  }
}
