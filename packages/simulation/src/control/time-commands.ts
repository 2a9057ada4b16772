import { setImmediate } from 'node:timers/promises';
import { Mutex, pause } from '@azimuth/async';
import type { Device, MovableClock } from '@azimuth/device';
import type { ControlCommands, Given } from '@azimuth/device/control';
import { PacedClock } from '@azimuth/device/paced-clock';
import { booleanIn, numberIn } from './command-members.js';

/**
 * Days of the longest step. The scanner runs all timers up to the new time; during a longer step it would not respond for
 * seconds.
 */
const mostDays = 400;
const mostMilliseconds = mostDays * 24 * 3_600_000;
/** Minutes of the longest step with measuring. Every scan of this time is measured and sent. */
const mostMinutesMeasured = 10;
const mostMeasured = mostMinutesMeasured * 60_000;

/** ms of the scanner after which the sockets of this process are served. */
const step = 5;
/** ms of the scanner in each ms of real time: receivers in other processes must keep up. */
const fastest = 50;

/**
 * Returns the commands of time travel: without measuring, or with all scans measured and sent.
 * @param together all scanners with this clock
 */
export function timeCommands(together: ReadonlySet<Device>, clock: MovableClock): ControlCommands {
  const turns = new Mutex();
  return {
    'clock/advance': {
      text: 'Lets time pass at once. With "measure", everything that falls due is measured and sent; else nothing is measured.',
      accepts: ['ms', 'measure'],
      schema: {
        type: 'object',
        properties: {
          ms: { type: 'number', minimum: 0, maximum: mostMilliseconds },
          measure: { type: 'boolean', default: false },
        },
        required: ['ms'],
        additionalProperties: false,
      },
      act: (given) => {
        if (isMeasured(given)) {
          const ms = numberIn(given, 'ms', 0, mostMeasured, `${mostMinutesMeasured} minutes, if measured`);
          return turns.run(() => passMeasuring(together, clock, ms));
        }
        const ms = numberIn(given, 'ms', 0, mostMilliseconds, `${mostDays} days`);
        skipTime([...together], () => clock.advance(ms));
        return undefined;
      },
    },
  };
}

function isMeasured(given: Given): boolean {
  return given.measure !== undefined && booleanIn(given, 'measure');
}

/** Lets time pass at once, while no scanner measures. */
function skipTime([device, ...others]: readonly Device[], pass: () => void): void {
  if (device === undefined) pass();
  else device.lifecycle.skipTime(() => skipTime(others, pass));
}

/** Lets time pass in small steps. After each step, telegrams leave and clients are served. */
async function passMeasuring(
  together: ReadonlySet<Device>,
  clock: MovableClock,
  milliseconds: number,
): Promise<void> {
  const isStarting = () => [...together].some(({ lifecycle }) => lifecycle.phase === 'starting');
  for (const { announcements } of together) await announcements.pendingEffects;
  const begin = performance.now();
  for (let passed = 0; passed < milliseconds; passed += step) {
    clock.advance(Math.min(step, milliseconds - passed));
    await setImmediate();
    // A boot reads the storage, which takes no time of the scanner.
    while (isStarting()) await setImmediate();
    const ahead = passed / fastest - (performance.now() - begin);
    if (ahead >= 1) await pause(ahead);
  }
  await setImmediate();
}

/** Returns the pace of the clock of a simulated scanner, as far as it differs from real time. */
export function paceOf(clock: MovableClock): object {
  return clock instanceof PacedClock ? { factor: clock.factor, lost: clock.lost / 1000 } : {};
}
