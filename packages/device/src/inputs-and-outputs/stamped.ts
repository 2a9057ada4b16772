import { isDeepStrictEqual } from 'node:util';
import type { DateTime } from '@azimuth/model';
import type { DeviceTime } from '../date-and-system-time/device-time.js';
import type { Uptime } from '../measuring/telegram-time.js';

/** What a state of the ports says beside its items. */
interface Stamp {
  readonly uiVersionNumber: number;
  readonly udiSystCount: number;
  readonly aTimeBlock: readonly DateTime[];
}

/**
 * Items with the time at which they became what they are: `udiSystCount` in µs since the scanner came up (32 bits, so
 * that it wraps after 71.6 minutes), and the device's clock in `aTimeBlock`.
 */
export class Stamped<T> {
  readonly #time: DeviceTime;
  readonly #uptime: Uptime;
  #items: readonly T[] = [];
  #stamp: Stamp = { uiVersionNumber: 1, udiSystCount: 0, aTimeBlock: [] };

  constructor(time: DeviceTime, uptime: Uptime) {
    this.#time = time;
    this.#uptime = uptime;
  }

  get items(): readonly T[] {
    return this.#items;
  }

  get stamp(): Stamp {
    return this.#stamp;
  }

  /** Takes items over. False where they are what they were: then nothing changes. */
  take(items: readonly T[]): boolean {
    if (isDeepStrictEqual(items, this.#items)) return false;
    this.put(items);
    return true;
  }

  /** Takes items over as new ones, whatever they are. */
  put(items: readonly T[]): void {
    this.#items = items;
    this.#stamp = {
      uiVersionNumber: 1,
      udiSystCount: Math.round(this.#uptime.microseconds) % 2 ** 32,
      aTimeBlock: [this.#time.now()],
    };
  }
}
