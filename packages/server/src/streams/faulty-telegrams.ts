/** @packageDocumentation @internal */

import type { Clock } from '@azimuth/device';
import type { TelegramFault } from '@azimuth/device/faults';
import { longestReordering, mostDelayedTelegrams } from './limits.js';

/** Part of a route that is used here. */
interface Route {
  readonly sending: { failed(loss: 'congested'): void };
  buffer(bytes: number): Uint8Array | undefined;
  send(telegram: Uint8Array): void;
}

/** Telegram that others overtake. */
interface Overtaken {
  readonly bytes: Uint8Array;
  readonly times: number;
  readonly route: Route;
  remaining: number;
  readonly cancel: () => void;
}

/** Sends the telegrams of one stream with their planned faults: late, repeated, or in another order. */
export class FaultyTelegrams {
  readonly #clock: Clock;
  /** Route in force; a telegram that was delayed for another one is dropped. */
  readonly #route: () => Route | undefined;
  readonly #overtaken: Overtaken[] = [];
  /** Each ends the wait of a telegram that is late. */
  readonly #late = new Set<() => void>();

  constructor(clock: Clock, route: () => Route | undefined) {
    this.#clock = clock;
    this.#route = route;
  }

  /** Sends a telegram that was written into the buffer that the route returned last. */
  send(telegram: Uint8Array, fault: TelegramFault | undefined, route: Route): void {
    if (fault === undefined) {
      route.send(telegram);
      this.#passed(route);
      return;
    }
    const { copies, behind, delay, damage } = fault;
    damage?.(telegram);
    const bytes = Uint8Array.from(telegram);
    const times = 1 + copies;
    if (behind > 0) this.#overtake(bytes, times, behind, route);
    else if (delay > 0) this.#later(bytes, times, delay, route);
    else {
      this.#repeat(bytes, times, route);
      this.#passed(route);
    }
  }

  /** Drops what waits. */
  close(): void {
    for (const cancel of this.#late) cancel();
    this.#late.clear();
    for (const { cancel } of this.#overtaken.splice(0)) cancel();
  }

  #later(bytes: Uint8Array, times: number, delay: number, route: Route): void {
    if (this.#isFull(route)) return;
    const cancel = this.#clock.after(delay, () => {
      this.#late.delete(cancel);
      this.#repeat(bytes, times, route);
    });
    this.#late.add(cancel);
  }

  #overtake(bytes: Uint8Array, times: number, remaining: number, route: Route): void {
    if (this.#isFull(route)) return;
    // Limits the wait for telegrams that would overtake it.
    const cancel = this.#clock.after(longestReordering, () => this.#release(entry));
    const entry: Overtaken = { bytes, times, route, remaining, cancel };
    this.#overtaken.push(entry);
  }

  #isFull(route: Route): boolean {
    const isFull = this.#late.size + this.#overtaken.length >= mostDelayedTelegrams;
    if (isFull) route.sending.failed('congested');
    return isFull;
  }

  /** Counts a telegram that has overtaken the waiting ones. */
  #passed(route: Route): void {
    for (const entry of [...this.#overtaken]) {
      if (entry.route !== route) continue;
      entry.remaining -= 1;
      if (entry.remaining === 0) this.#release(entry);
    }
  }

  #release(entry: Overtaken): void {
    entry.cancel();
    const place = this.#overtaken.indexOf(entry);
    if (place >= 0) this.#overtaken.splice(place, 1);
    this.#repeat(entry.bytes, entry.times, entry.route);
  }

  #repeat(bytes: Uint8Array, times: number, route: Route): void {
    for (let time = 0; time < times && route === this.#route(); time++) {
      const buffer = route.buffer(bytes.length);
      if (buffer === undefined) return;
      buffer.set(bytes);
      route.send(buffer.subarray(0, bytes.length));
    }
  }
}
