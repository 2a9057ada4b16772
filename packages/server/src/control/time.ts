import type { Device, MovableClock } from '@azimuth/device';
import type { Commands } from './command.js';
import { numberIn } from './given.js';

/** A scanner does all that falls due on the way: what is further off would keep it from answering for seconds. */
const furthestDays = 400;
const furthest = furthestDays * 24 * 3_600_000;

/** Time travel. */
export function timeCommands(device: Device, clock: MovableClock): Commands {
  return {
    'clock/advance': {
      takes: ['ms'],
      act: (given) => {
        const ms = numberIn(given, 'ms', 0, furthest, `${furthestDays} days`);
        device.skipTime(() => clock.advance(ms));
      },
    },
  };
}
