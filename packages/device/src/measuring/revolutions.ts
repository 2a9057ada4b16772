import type { MeasuringOrder } from '../interfaces/measuring-core.js';

/** Maximum number of late revolutions that are still measured. If more are late, they are skipped. */
const mostLate = 3;

/** µs by which a revolution may be late that begins right now: the clock's zero is the whole µs before the boot. */
const rounding = 2;

/**
 * The timer of a core without a rotating mirror: calls back at the beginning of every revolution. Each time is computed
 * from the origin of the order, so errors do not add up.
 */
export class RevolutionTimer {
  readonly #order: MeasuringOrder;
  readonly #period: number;
  readonly #begin: (number: number, time: number) => void;
  /** Number of revolutions from the origin to the scheduled one. */
  #revolutions = 0;
  readonly #due = () => this.#beginScheduled();
  #cancel: () => void;

  /**
   * Begins to call back.
   * @param begin called with the number of the revolution and the time of its first beam (µs of the scanner's clock)
   * @param frequency revolutions per second; by default, those of the order
   */
  constructor(
    order: MeasuringOrder,
    begin: (number: number, time: number) => void,
    frequency: number = order.geometry.frequency,
  ) {
    this.#order = order;
    this.#period = 1_000_000 / frequency;
    this.#begin = begin;
    this.#cancel = this.#schedule(this.#next());
  }

  /** Ends the calls. */
  end(): void {
    this.#cancel();
  }

  /** Number of revolutions from the origin to the next one. */
  #next(): number {
    const { origin, now } = this.#order;
    // Due to the tolerance, a revolution that begins right now counts as the next one despite rounding.
    return Math.max(0, Math.ceil((now() - rounding - origin.time) / this.#period));
  }

  #schedule(revolutions: number): () => void {
    this.#revolutions = revolutions;
    return this.#order.clock.after(Math.max(0, (this.#time - this.#order.now()) / 1000), this.#due);
  }

  /** Start of the scheduled revolution in µs. */
  get #time(): number {
    return this.#order.origin.time + this.#revolutions * this.#period;
  }

  #beginScheduled(): void {
    const { origin, now } = this.#order;
    const number = origin.number + this.#revolutions;
    const time = this.#time;
    const late = (now() - time) / this.#period;
    this.#cancel = this.#schedule(late > mostLate ? this.#next() : this.#revolutions + 1);
    this.#begin(number, time);
  }
}

/** A revolution of the mirror: its number, and its start (µs of the scanner's clock). */
interface Revolution {
  readonly number: number;
  readonly time: number;
}

/** Counts the revolutions of the mirror, measured or not: from the last known revolution on, at its frequency. */
export class RevolutionCount {
  #known = { number: 1, time: 0 };
  /** µs. */
  #period = 0;

  /** Begins with the first revolution, at this frequency (Hz). */
  restart(frequency: number): void {
    this.#known = { number: 1, time: 0 };
    this.#period = 1_000_000 / frequency;
  }

  /** Records the start of a revolution. */
  began(revolution: Revolution, frequency: number): void {
    // A new object for each scan would outlive garbage collections.
    this.#known.number = revolution.number;
    this.#known.time = revolution.time;
    this.#period = 1_000_000 / frequency;
  }

  /** The last known revolution. */
  get known(): Revolution {
    return { ...this.#known };
  }

  /** Start of the next revolution after `now`. */
  nextAfter(now: number): number {
    if (this.#period === 0) return now;
    // Due to the tolerance, a revolution that begins right now counts as begun despite rounding.
    return this.#known.time + this.#revolutionsUntil(now + 1e-6 * this.#period) * this.#period;
  }

  /** Changes the frequency from the next revolution on. */
  changeFrequency(now: number, frequency: number): void {
    if (this.#period === 0) return;
    const revolutions = this.#revolutionsUntil(now);
    this.#known = {
      number: this.#known.number + revolutions,
      time: this.#known.time + revolutions * this.#period,
    };
    this.#period = 1_000_000 / frequency;
  }

  /** Restarts the mirror: the next revolution begins now. */
  start(now: number, frequency: number): void {
    const revolutions = Math.max(0, Math.ceil((now - rounding - this.#known.time) / this.#period));
    this.#known = { number: this.#known.number + revolutions, time: now };
    this.#period = 1_000_000 / frequency;
  }

  /**
   * Number of revolutions from the known one to the next. 0 if the known one has not begun yet: this happens after a
   * second change in one revolution.
   */
  #revolutionsUntil(now: number): number {
    return Math.max(0, Math.floor((now - this.#known.time) / this.#period) + 1);
  }
}
