import { type PtpAnnounce, PtpFlag } from '@azimuth/telegrams/ptp';
import { shortestOffset } from './limits.js';

/** s that TAI has been ahead of UTC since 2017: for masters that do not know it. */
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
      /** When it happens: ms since 1970 by UTC as it was before. */
      readonly at: number;
      /** s by which the offset changes: 1 or -1. */
      readonly change: number;
      /** The offset before. */
      readonly before: number;
    };

/** The offset that a master has announced the last time. */
interface Announced {
  readonly seconds: number;
  /** ms of the monotonic clock when the present offset was taken. */
  readonly takenAt: number;
}

const noLeap: Leap = { state: 'none' };

/**
 * What the time of a master is ahead of UTC. A leap second is applied at midnight, whenever the master changes its offset.
 * An inserted second repeats 23:59:59. Masters without the PTP time scale give UTC.
 */
export class UtcOffset {
  /** s. */
  seconds = 0;
  /** Undefined before the first one of a master. */
  #announced: Announced | undefined;
  #leap: Leap = noLeap;

  /** s by which the last minute of the day is longer: 1, 0 or -1. */
  get leap(): number {
    return this.#leap.state === 'due' ? this.#leap.change : 0;
  }

  /** When a leap second is due (ms since 1970 UTC); undefined if none is. */
  get nextAt(): number | undefined {
    return this.#leap.state === 'due' ? this.#leap.at : undefined;
  }

  /**
   * Takes what the master announces. Another offset counts when it is announced twice in succession.
   * @param utc ms since 1970 by the device clock; undefined while it is not synchronised: then there is no leap second
   * @param now ms of the monotonic clock
   */
  take({ flags, utcOffset }: PtpAnnounce, utc: number | undefined, now: number): void {
    const isTai = (flags & PtpFlag.ptpTimescale) !== 0;
    const isKnown = (flags & PtpFlag.utcOffsetValid) !== 0;
    const seconds = !isTai ? 0 : isKnown ? utcOffset : knownOffset;
    if (utc !== undefined) {
      this.pass(utc);
      if (this.#isMistimed(seconds, utc)) return;
    }
    if (!this.#settles(seconds, now)) return;
    this.seconds = seconds;
    const change = isTai ? changeOf(flags) : 0;
    const next = change === 0 || utc === undefined ? undefined : this.#leapAfter(utc, change);
    this.#leap = next ?? (this.#leap.state === 'past' ? this.#leap : noLeap);
  }

  /** The device clock has come to this time (ms since 1970 UTC): a leap second that is due is applied. */
  pass(utc: number): void {
    const leap = this.#leap;
    if (leap.state !== 'due' || utc < leap.at) return;
    this.seconds = leap.before + leap.change;
    this.#leap = { ...leap, state: 'past' };
  }

  /** Another master: what the last one has announced does not count. */
  clear(): void {
    this.#leap = noLeap;
    this.#announced = undefined;
  }

  /** Is it the present offset, or one that may replace it? */
  #settles(seconds: number, now: number): boolean {
    const last = this.#announced;
    const isPresent = last !== undefined && seconds === this.seconds;
    const replaces = last === undefined || (seconds === last.seconds && now - last.takenAt >= shortestOffset);
    this.#announced = { seconds, takenAt: isPresent || !replaces ? (last?.takenAt ?? now) : now };
    return isPresent || replaces;
  }

  /** The leap second at the end of this day; undefined if there is none. */
  #leapAfter(utc: number, change: number): Leap | undefined {
    // The flags can stay for a while, and the last second of the day comes twice.
    if (this.#leap.state === 'past' && utc < this.#leap.at + tolerance) return undefined;
    const midnight = (Math.floor(utc / day) + 1) * day;
    // There are leap seconds at the end of a month only.
    if (new Date(midnight).getUTCDate() !== 1) return undefined;
    // A second is inserted at midnight, and 23:59:59 is left out.
    return { state: 'due', at: change > 0 ? midnight : midnight - 1000, change, before: this.seconds };
  }

  /** Does the master still announce the offset from before the leap second, or already the one from after it? */
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
