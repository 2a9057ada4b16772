import { AsyncResource } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import { types } from 'node:util';
import { isObject } from '@azimuth/model';

/** Timers of the program that is tested, which `advance` moves in step with the scanner. */
export interface ProductTimers {
  /** Lets these whole ms pass, and calls each timer that is due. */
  readonly advance: (milliseconds: number) => unknown;
  /**
   * ms until the next timer is due; undefined without one. If this is left out, `advance` moves the timers ms by ms, so
   * that each is called in its ms.
   */
  readonly next?: (() => number | undefined) | undefined;
  /**
   * Moves to the next timer, and calls it alone. With it, what waits for settled promises runs between two timers that
   * are due at the same time.
   */
  readonly runNext?: (() => unknown) | undefined;
}

/** The fake timers of vitest (`vi`) or jest (`jest`), by the members that are used. */
export interface RunnerTimers {
  readonly advanceTimersByTime: (milliseconds: number) => unknown;
  readonly advanceTimersToNextTimer: () => unknown;
}

/** `mock.timers` of node:test, by the member that is used. */
export interface MockTimers {
  readonly tick: (milliseconds: number) => unknown;
}

/** What the option `timers` accepts. */
export type TimersOption = ProductTimers | RunnerTimers | MockTimers;

/** True for an object that has the members of one of them. */
export function isTimers(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const has = (name: string) => typeof Reflect.get(value, name) === 'function';
  return has('advance') || has('tick') || (has('advanceTimersByTime') && has('advanceTimersToNextTimer'));
}

/** Most timers that are called at one time. More never end. */
const mostTimersAtOnce = 100_000;

/** Timers that are moved in step with the time of scanners. */
export class TimersInStep {
  readonly #timers: ProductTimers;
  /** The time (ms of the scanners' clock) at which they began, and the whole ms that have passed for them since. */
  readonly #begin: number;
  #passed = 0;

  /** @param now ms of the scanners' clock */
  constructor(option: TimersOption, now: number) {
    this.#timers = timersOf(option);
    this.#begin = now;
  }

  /** The time (ms of the scanners' clock) of the next timer, or of the next ms if nobody knows; Infinity without one. */
  get next(): number {
    const { next = () => 1 } = this.#timers;
    return this.#begin + this.#passed + Math.max(0, next() ?? Number.POSITIVE_INFINITY);
  }

  /**
   * Moves them to a time of the scanners' clock, in whole ms. After each timer, everything runs that waits for settled
   * promises only.
   * @returns true if a timer has begun more than that, for example a request
   */
  async moveTo(now: number): Promise<boolean> {
    // Due to the tolerance, a ms counts as passed despite rounding.
    const target = Math.floor(now - this.#begin + 1e-6);
    const begun = newAsyncId();
    let turns = 0;
    const move = async (milliseconds: number, pass: () => unknown) => {
      this.#passed += milliseconds;
      await pass();
      await setImmediate();
      turns += 1;
    };
    const { next, runNext, advance } = this.#timers;
    for (let left = next?.(); left !== undefined && this.#passed + left <= target; left = next?.()) {
      if (turns >= mostTimersAtOnce) throw new Error(`${turns} timers were due at one time: they never end`);
      const milliseconds = Math.max(0, left);
      await move(milliseconds, runNext ?? (() => advance(milliseconds)));
    }
    const rest = target - this.#passed;
    if (rest > 0) await move(rest, () => advance(rest));
    // A turn of the event loop takes a number, and so does the last question.
    return newAsyncId() - begun > turns + 1;
  }
}

/** Node numbers everything that it has to do. If the number has grown by more than our own, something has begun. */
function newAsyncId(): number {
  return new AsyncResource('AzimuthTimers').asyncId();
}

function timersOf(option: TimersOption): ProductTimers {
  if ('advance' in option) return option;
  if ('tick' in option) return { advance: (milliseconds) => option.tick(milliseconds) };
  return {
    next: untilNextFakeTimer,
    runNext: () => runNextFakeTimer(() => option.advanceTimersToNextTimer()),
    advance: (milliseconds) =>
      fakeClock() === undefined ? undefined : option.advanceTimersByTime(milliseconds),
  };
}

/** The clock behind the fake timers of vitest and jest, which both take from @sinonjs/fake-timers. Undefined for real timers. */
function fakeClock(): Readonly<Record<string, unknown>> | undefined {
  const clock: unknown = Reflect.get(globalThis.setTimeout, 'clock');
  return isObject(clock) ? clock : undefined;
}

/** @param otherwise calls all timers that are due at the time of the next one */
function runNextFakeTimer(otherwise: () => unknown): unknown {
  const { next } = fakeClock() ?? {};
  return typeof next === 'function' ? next() : otherwise();
}

function untilNextFakeTimer(): number | undefined {
  const { now, timers } = fakeClock() ?? {};
  if (typeof now !== 'number' || timers === undefined) return undefined;
  // A Map, of jest's own realm, or an object in older versions. If nobody can tell what is due next, time passes ms by ms.
  if (!isObject(timers)) return 1;
  const due = types.isMap(timers) ? timers.values() : Object.values(timers);
  let next = Number.POSITIVE_INFINITY;
  for (const timer of due)
    if (isObject(timer) && typeof timer.callAt === 'number') next = Math.min(next, timer.callAt);
  return next === Number.POSITIVE_INFINITY ? undefined : next - now;
}
