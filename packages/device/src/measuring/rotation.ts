import type { MeasuringOrder } from '../interfaces/measuring-core.js';

/** Turns that a scanner may be late and still measures one after the other; if it is later, it leaves some out. */
const latest = 3;

/**
 * The turning mirror of a core that has none: calls at the beginning of every turn. Each turn is counted from the
 * origin of the order, so that none is off by more than the clock is, however many there were.
 */
export class Rotation {
  readonly #order: MeasuringOrder;
  readonly #period: number;
  readonly #turn: (number: number, time: number) => void;
  #cancel: () => void;

  /** @param turn gets the number of the turn and the time of its first beam (µs). */
  constructor(
    order: MeasuringOrder,
    turn: (number: number, time: number) => void,
    frequency = order.geometry.frequency,
  ) {
    this.#order = order;
    this.#period = 1_000_000 / frequency;
    this.#turn = turn;
    this.#cancel = this.#book(this.#next());
  }

  end(): void {
    this.#cancel();
  }

  /** Turns since the origin before the next one begins. */
  #next(): number {
    const { origin, now } = this.#order;
    // A turn that begins at this moment is still to come, whatever the last bits of the division say.
    return Math.max(0, Math.ceil((now() - origin.time) / this.#period - 1e-6));
  }

  #book(turns: number): () => void {
    const { origin, now, clock } = this.#order;
    const time = origin.time + turns * this.#period;
    return clock.after(Math.max(0, (time - now()) / 1000), () => {
      const late = (now() - time) / this.#period;
      this.#cancel = this.#book(late > latest ? this.#next() : turns + 1);
      this.#turn(origin.number + turns, time);
    });
  }
}
