import type { MovableClock } from '../interfaces/environment.js';

/** A callback and its due time. */
interface Booking {
  readonly at: number;
  readonly callback: () => void;
}

/** Callbacks by due time. Callbacks with the same time stay in the order of their addition. */
export class Timetable {
  /** The next booking is the last element, so that it is added and removed without moving the others. */
  readonly #bookings: Booking[] = [];
  /** The due times of the bookings in one array, so that comparisons need not read the bookings. */
  readonly #times: number[] = [];

  /** Adds a callback. The result is the argument to remove it. */
  add(at: number, callback: () => void): Booking {
    const booking = { at, callback };
    const bookings = this.#bookings;
    const times = this.#times;
    let place = bookings.push(booking) - 1;
    times.push(at);
    for (; place > 0; place--) {
      const time = times[place - 1] ?? 0;
      const earlier = bookings[place - 1];
      if (time > at || earlier === undefined) break;
      times[place] = time;
      bookings[place] = earlier;
    }
    times[place] = at;
    bookings[place] = booking;
    return booking;
  }

  /** Removes a callback. Does nothing if it is no longer there. */
  remove(booking: Booking): void {
    const place = this.#bookings.indexOf(booking);
    if (place === -1) return;
    this.#bookings.splice(place, 1);
    this.#times.splice(place, 1);
  }

  /** Due time of the next callback. Undefined if there is none. */
  get next(): number | undefined {
    return this.#times.at(-1);
  }

  /** Removes and returns the next callback that is due at `now`. Undefined if none is due. */
  removeDue(now: number): Booking | undefined {
    const next = this.next;
    if (next === undefined || next > now) return undefined;
    this.#times.pop();
    return this.#bookings.pop();
  }
}

/** Maximum wait: Node's timers count with 31 bits. A longer wait has several steps. */
export const longestWait = 2 ** 31 - 1;

/** A clock that runs by itself, with that of the host, and can be moved on. */
export abstract class RunningClock implements MovableClock {
  protected readonly timetable = new Timetable();
  /** The time at which the clock stands while callbacks run. */
  protected standing: number | undefined;

  /** The time while it runs by itself. */
  protected abstract get running(): number;
  /** Runs by itself again, from this time on. */
  protected abstract goOnFrom(time: number): void;
  /** Ensures that a timer ends when the next callback is due, or before. */
  protected abstract arm(): void;
  abstract utc(): number;
  abstract catchUp(): void;

  monotonic(): number {
    return this.standing ?? this.running;
  }

  localOffset(utc: number): number {
    return new Date(utc).getTimezoneOffset() * -60_000;
  }

  after(milliseconds: number, callback: () => void): () => void {
    const booking = this.timetable.add(this.monotonic() + milliseconds, callback);
    this.arm();
    return () => {
      this.timetable.remove(booking);
      this.arm();
    };
  }

  advance(milliseconds: number): void {
    const outer = this.standing;
    const end = this.monotonic() + milliseconds;
    this.standing = this.monotonic();
    try {
      while (this.callNext(end));
    } finally {
      const reached = Math.max(this.standing, end);
      if (outer !== undefined) this.standing = reached;
      else {
        this.goOnFrom(reached);
        this.standing = undefined;
        this.arm();
      }
    }
  }

  /** Calls the next callback if it is due by `end`, while the clock stands. */
  protected callNext(end: number): boolean {
    const due = this.timetable.removeDue(end);
    if (due === undefined) return false;
    this.standing = Math.max(this.monotonic(), due.at);
    due.callback();
    return true;
  }
}
