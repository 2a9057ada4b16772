/** A turn of the mirror: its number, and when it began (µs of the scanner's clock). */
export interface Turn {
  readonly number: number;
  readonly time: number;
}

/**
 * Which turn the mirror has come to, looked at or not: counted on from the last turn that is known, at the rate that
 * this one had.
 */
export class TurnCount {
  #known: Turn = { number: 1, time: 0 };
  /** µs. */
  #period = 0;

  /** From the first turn on, at this rate (Hz). */
  restart(frequency: number): void {
    this.#known = { number: 1, time: 0 };
    this.#period = 1_000_000 / frequency;
  }

  /** A turn has begun. */
  began(turn: Turn, frequency: number): void {
    this.#known = { number: turn.number, time: turn.time };
    this.#period = 1_000_000 / frequency;
  }

  /** The turn that counting goes on from. */
  get known(): Turn {
    return this.#known;
  }

  /** When the next turn begins, after `now`. */
  nextAfter(now: number): number {
    if (this.#period === 0) return now;
    // A turn that begins at this moment has begun, whatever the last bits say.
    return this.#known.time + this.#turnsUntil(now + 1e-6 * this.#period) * this.#period;
  }

  /** The mirror gets another rate: the turn under way is finished, the next one is the first of its kind. */
  changeRate(now: number, frequency: number): void {
    if (this.#period === 0) return;
    const turns = this.#turnsUntil(now);
    this.#known = { number: this.#known.number + turns, time: this.#known.time + turns * this.#period };
    this.#period = 1_000_000 / frequency;
  }

  /** The mirror starts again: the next number is that of a turn which begins now. */
  start(now: number, frequency: number): void {
    const turns = Math.max(0, Math.ceil((now - this.#known.time) / this.#period));
    this.#known = { number: this.#known.number + turns, time: now };
    this.#period = 1_000_000 / frequency;
  }

  /** Turns from the known one to the next. A known one that lies ahead is to begin already: that of a change in the same turn. */
  #turnsUntil(now: number): number {
    return Math.max(0, Math.floor((now - this.#known.time) / this.#period) + 1);
  }
}
