import { type MovableClock, PacedClock, SystemClock, VirtualClock } from '@azimuth/device';
import { CommandFailure } from '../command-failure.js';
import type { Options } from './service-options.js';

/** ms of the host between two log lines about a machine that is too slow. */
const quiet = 10_000;

type ClockOptions = Pick<Options, 'clock' | 'timeFactor' | 'clockOffset' | 'clockDrift'>;

/**
 * The clock that the options choose.
 * @param warn gets a line for the log while the machine is too slow for the factor, at most every 10 s
 * @throws CommandFailure for options that exclude each other
 */
export function clockOf(
  { clock, timeFactor, clockOffset, clockDrift }: ClockOptions,
  warn: (message: string, fields: Readonly<Record<string, unknown>>) => void,
): MovableClock {
  const offset = clockOffset * 1000;
  if (clock === 'virtual') {
    if (timeFactor !== undefined || offset !== 0 || clockDrift !== 0)
      throw new CommandFailure(
        '--clock virtual cannot be used with --time-factor, --clock-offset or --clock-drift',
      );
    return new VirtualClock();
  }
  if (timeFactor === undefined) return new SystemClock({ offset, drift: clockDrift });
  let told = Number.NEGATIVE_INFINITY;
  return new PacedClock({
    factor: timeFactor * (1 + clockDrift * 1e-6),
    offset,
    lost: (milliseconds) => {
      const now = performance.now();
      if (now - told < quiet) return;
      told = now;
      warn('This computer is too slow for --time-factor: time passes more slowly', {
        lostSeconds: Math.round(milliseconds / 1000),
      });
    },
  });
}
