import { type PtpAnnounce, PtpFlag } from '@azimuth/telegrams/ptp';
import { shortestOffset } from './limits.js';

/** Lead of TAI over UTC since 2017, in s. Used for masters that do not know the offset. */
const knownOffset = 37;

const day = 86_400_000;

/** ms around a leap second in which a master may announce the new offset too early, or the old one too late. */
const tolerance = 3_600_000;

/**
 * The leap second that the master announces, or the last one.
 *
 * | from | by | to |
 * |---|---|---|
 * | none, past | the master announces one for the end of this day, and the last one is over | due |
 * | due | the master does not announce it any more | none |
 * | due | its time has come | past |
 * | any | another master | none |
 */
type Leap =
  | { readonly state: 'none' }
  | {
      readonly state: 'due' | 'past';
      /** Time of the leap second: ms since 1970 by the old UTC. */
      readonly at: number;
      /** s by which the offset changes: 1 or -1. */
      readonly change: number;
      /** The offset before. */
      readonly before: number;
    };

/** The last offset that a master has announced. */
interface Announced {
  readonly seconds: number;
  /** Time of the last change of the offset: ms of the monotonic clock. */
  readonly changedAt: number;
}

const noLeap: Leap = { state: 'none' };

/**
 * Offset of the time of a master from UTC. A leap second takes effect at midnight, regardless of when the master
 * changes its offset. An inserted second repeats 23:59:59. Masters without the PTP time scale send UTC.
 */
export class UtcOffset {
  /** s. */
  seconds = 0;
  /** Undefined before the first offset of a master. */
  #announced: Announced | undefined;
  #leap: Leap = noLeap;

  /** s added to the last minute of the day: 1, 0 or -1. */
  get leap(): number {
    return this.#leap.state === 'due' ? this.#leap.change : 0;
  }

  /** Time of the pending leap second (ms since 1970 UTC). Undefined if none is pending. */
  get nextAt(): number | undefined {
    return this.#leap.state === 'due' ? this.#leap.at : undefined;
  }

  /**
   * Updates the offset from an Announce. A new offset counts after two announcements in succession.
   * @param utc ms since 1970 by the device clock; undefined while it is not synchronised: then there is no leap second
   * @param now ms of the monotonic clock
   */
  update({ flags, utcOffset }: PtpAnnounce, utc: number | undefined, now: number): void {
    const isTai = (flags & PtpFlag.ptpTimescale) !== 0;
    const isKnown = (flags & PtpFlag.utcOffsetValid) !== 0;
    const seconds = !isTai ? 0 : isKnown ? utcOffset : knownOffset;
    if (utc !== undefined) {
      this.pass(utc);
      if (this.#isMistimed(seconds, utc)) return;
    }
    if (!this.#accepts(seconds, now)) return;
    this.seconds = seconds;
    const change = isTai ? changeOf(flags) : 0;
    const next = change === 0 || utc === undefined ? undefined : this.#leapAfter(utc, change);
    this.#leap = next ?? (this.#leap.state === 'past' ? this.#leap : noLeap);
  }

  /** Applies a leap second that is due. The device clock has reached this time (ms since 1970 UTC). */
  pass(utc: number): void {
    const leap = this.#leap;
    if (leap.state !== 'due' || utc < leap.at) return;
    this.seconds = leap.before + leap.change;
    this.#leap = { ...leap, state: 'past' };
  }

  /** Forgets all announcements of the last master. */
  clear(): void {
    this.#leap = noLeap;
    this.#announced = undefined;
  }

  /** True if it is the present offset, or may replace it. */
  #accepts(seconds: number, now: number): boolean {
    const last = this.#announced;
    const isPresent = last !== undefined && seconds === this.seconds;
    const replaces =
      last === undefined || (seconds === last.seconds && now - last.changedAt >= shortestOffset);
    this.#announced = { seconds, changedAt: isPresent || !replaces ? (last?.changedAt ?? now) : now };
    return isPresent || replaces;
  }

  /** The leap second at the end of this day. Undefined without one. */
  #leapAfter(utc: number, change: number): Leap | undefined {
    // The flags can stay for a while, and the last second of the day comes twice.
    if (this.#leap.state === 'past' && utc < this.#leap.at + tolerance) return undefined;
    const midnight = (Math.floor(utc / day) + 1) * day;
    // Leap seconds occur only at the end of a month.
    if (new Date(midnight).getUTCDate() !== 1) return undefined;
    // A second is inserted at midnight, and 23:59:59 is left out.
    return { state: 'due', at: change > 0 ? midnight : midnight - 1000, change, before: this.seconds };
  }

  /** True if the master announces the offset of the other side of a leap second. */
  #isMistimed(seconds: number, utc: number): boolean {
    const leap = this.#leap;
    if (leap.state === 'none') return false;
    if (leap.state === 'past') return seconds === leap.before && utc < leap.at + tolerance;
    return seconds === leap.before + leap.change && utc > leap.at - tolerance;
  }
}

function changeOf(flags: number): number {
  const isLonger = (flags & PtpFlag.leap61) !== 0;
  const isShorter = (flags & PtpFlag.leap59) !== 0;
  if (isLonger === isShorter) return 0;
  return isLonger ? 1 : -1;
}
