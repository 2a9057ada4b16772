import { compareClock, dateAndSystemTime } from '@azimuth/model';
import { valueIn } from '../state/derived-values.js';
import type { Look } from './look.js';

const { LSPdatetime, TSCRole, TSCTCtimezone } = dateAndSystemTime.members;

/** Time zones differ by multiples of it (ms). */
const quarter = 900_000;

/** Longest duration (ms) of a request that says something about a clock. */
const longestRequest = 2000;

/** Difference (ms) from one look to the next that no drift makes: somebody set the clock, or summer time began. */
const jump = 300_000;

/** The clock of a scanner, against the clock of the monitor. */
export interface ClockOffset {
  /** Seconds by which the clock is ahead, without the difference of time zones. */
  readonly seconds: number;
  /** Milliseconds of this difference: a multiple of a quarter of an hour. */
  readonly zone: number;
  /** Milliseconds by which the clock is ahead in all. */
  readonly ahead: number;
}

/**
 * Compares the clock of a scanner with the clock of the monitor at the middle of the request. Returns the offset of
 * before if the look did not ask for it, or if the request took so long that it says nothing.
 * @param values the last known values of the scanner
 */
export function clockOffset(
  { times, values: read }: Look,
  values: ReadonlyMap<string, unknown>,
  before: ClockOffset | undefined,
): ClockOffset | undefined {
  const time = times.get(LSPdatetime.name);
  const device = valueIn(read, LSPdatetime);
  if (time === undefined || device === undefined || time.to - time.from > longestRequest) return before;
  const now = new Date((time.from + time.to) / 2);
  const { aheadMs, verdict } = compareClock({
    device,
    now,
    role: valueIn(values, TSCRole),
    zone: valueIn(values, TSCTCtimezone),
    synchronised: undefined,
  });
  // A clock of whole seconds is half a second behind on average.
  const ahead = device.udiUSec === 0 ? aheadMs + 500 : aheadMs;
  return offsetOf(ahead, verdict === 'other zone', before);
}

/**
 * A clock that drifts passes by the differences of time zones, too. So a difference is that of a zone only if the clock
 * had it at first, or if it jumped there.
 */
function offsetOf(ahead: number, isZone: boolean, before: ClockOffset | undefined): ClockOffset {
  const jumped = before === undefined || Math.abs(ahead - before.ahead) > jump;
  const zone = jumped ? (isZone ? Math.round(ahead / quarter) * quarter : 0) : before.zone;
  return { seconds: (ahead - zone) / 1000, zone, ahead };
}
