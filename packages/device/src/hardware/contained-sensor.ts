import type { Clock, Log } from '../interfaces/environment.js';
import type { Conditions } from '../lifecycle/conditions.js';
import { errorMessage, RecurringError } from '../lifecycle/unexpected-errors.js';

/** What the containment of hardware needs. */
export interface Containment {
  readonly conditions: Conditions;
  /** Its callbacks are contained. */
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * A sensor of the hardware. If a read throws or returns an invalid value, the last good value stays, DeviceStatus is 7
 * until a read succeeds, and the log gets one line.
 */
export class ContainedSensor<T> {
  readonly #measure: () => T;
  readonly #error: RecurringError;
  readonly #text: string;
  readonly #failing: () => void;
  #last: T;
  #isReading = false;

  /**
   * @param quantity what it measures, in words
   * @param initial the value until the first success
   * @param measure reads the hardware, and throws for an invalid value
   * @param failing called when a read fails after one that did not
   */
  constructor(
    containment: Containment,
    quantity: string,
    initial: T,
    measure: () => T,
    failing: () => void = () => undefined,
  ) {
    this.#measure = measure;
    this.#error = new RecurringError(containment, `${quantity} of the hardware`);
    this.#text = `The hardware does not tell its ${quantity}; the last value is used`;
    this.#last = initial;
    this.#failing = failing;
  }

  /** True if the last read failed. */
  get fails(): boolean {
    return this.#error.holds;
  }

  /**
   * The value now, or else the last good one. Never throws. The last good one, too, while it is read: hardware may report
   * a change from inside of a read.
   */
  read(): T {
    if (this.#isReading) return this.#last;
    this.#isReading = true;
    try {
      this.#last = this.#measure();
      this.#error.works();
    } catch (error) {
      const failedBefore = this.fails;
      this.#error.failed(this.#text, errorMessage(error));
      if (!failedBefore) this.#failing();
    } finally {
      this.#isReading = false;
    }
    return this.#last;
  }
}

/** The error of a sensor whose value is not what it should be. */
export function unusable(expected: string, value: unknown): TypeError {
  // The failure of a promise is not an error of the process, and nothing waits for it.
  for (const each of Array.isArray(value) ? value : [value])
    if (each instanceof Promise) each.catch(() => undefined);
  if (value instanceof Promise) return new TypeError(`expected ${expected}, got a promise`);
  return new TypeError(`expected ${expected}, got ${errorMessage(value)}`);
}

/** @throws TypeError for everything except a number in this range */
export function numberIn(value: unknown, least: number, most: number, unit: string): number {
  if (typeof value === 'number' && value >= least && value <= most) return value;
  throw unusable(`a number from ${least} to ${most} ${unit}`, value);
}

/** @throws TypeError for everything except an array of these items. Its length is limited to `most` */
export function arrayIn<T>(
  value: unknown,
  most: number,
  isItem: (item: unknown) => item is T,
  items: string,
): readonly T[] {
  const expected = `an array of up to ${most} ${items}`;
  if (!Array.isArray(value)) throw unusable(expected, value);
  const first: readonly unknown[] = value.slice(0, most);
  if (!first.every(isItem)) throw unusable(expected, first);
  return first;
}
