import { atRest, type Motion } from '@azimuth/device';
import type { ImuTelegram } from '@azimuth/telegrams';

/** Numbers of a motion as it is kept: the time at which it came, and ten of the motion. */
const numbers = 11;

/** Memory that a motion takes, in bytes. */
export const motionBytes = 8 * numbers;

/** The motions of a recording, in the order in which they came. */
export class RecordedMotion {
  readonly #kept: number[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Takes the next one: `received` in µs; one that came before the last is left out. */
  add(received: number, { acceleration, angularVelocity, orientation }: ImuTelegram): void {
    if (this.#count > 0 && received < this.#timeOf(this.#count - 1)) return;
    this.#kept.push(received, ...acceleration, ...angularVelocity, ...orientation);
    this.#count++;
  }

  /** The last motion that had come at this time, the first one before that; at rest where there is none. */
  at(received: number): Motion {
    if (this.#count === 0) return atRest;
    let low = 0;
    let high = this.#count - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#timeOf(middle) <= received) low = middle;
      else high = middle - 1;
    }
    const number = (index: number) => this.#kept[low * numbers + index] ?? 0;
    return {
      acceleration: [number(1), number(2), number(3)],
      angularVelocity: [number(4), number(5), number(6)],
      orientation: [number(7), number(8), number(9), number(10)],
    };
  }

  #timeOf(index: number): number {
    return this.#kept[index * numbers] ?? 0;
  }
}
