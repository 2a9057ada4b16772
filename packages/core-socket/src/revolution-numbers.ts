import type { MeasuringOrder } from '@azimuth/device';

/** Values of a count with 32 bits. */
const counts = 2 ** 32;

/**
 * Numbers the revolutions of a core as the scanner counts them. A core counts from wherever it likes. The time of its first
 * scan tells the number of that scan, and from there on both count alike.
 */
export class RevolutionNumbers {
  readonly #now: () => number;
  #known: MeasuringOrder['origin'];
  /** µs. */
  readonly #period: number;
  /** Last scan, in both counts. */
  #last: { readonly core: number; readonly scanner: number } | undefined;
  #least = 0;

  constructor({ origin, geometry, now }: MeasuringOrder) {
    this.#now = now;
    this.#known = origin;
    this.#period = 1_000_000 / geometry.frequency;
  }

  /** The last known revolution: that of the last scan, or of the order. */
  get known(): MeasuringOrder['origin'] {
    return this.#known;
  }

  /**
   * Returns the number of a scan; undefined for a scan that does not follow the last one.
   * @param core its number in the count of the core
   * @param time when it began, in µs of the scanner's clock
   */
  numberOf(core: number, time: number): number | undefined {
    const number = this.#last === undefined ? this.#firstNumber(time) : this.#following(core, this.#last);
    if (number !== undefined) {
      this.#last = { core, scanner: number };
      this.#least = number + 1;
      // A time that cannot be right says nothing about the next core.
      if (time > this.#known.time && time <= this.#now()) this.#known = { number, time };
    }
    return number;
  }

  /** The core counts anew: another one is connected. */
  restart(): void {
    this.#last = undefined;
  }

  #firstNumber(time: number): number {
    const revolutions = Math.round((time - this.#known.time) / this.#period);
    return Math.max(this.#least, this.#known.number + Math.max(0, revolutions));
  }

  /** The count of the core begins again with 0 after 2³² revolutions. */
  #following(core: number, last: { readonly core: number; readonly scanner: number }): number | undefined {
    const revolutions = (core - last.core + counts) % counts;
    return revolutions === 0 || revolutions >= counts / 2 ? undefined : last.scanner + revolutions;
  }
}
