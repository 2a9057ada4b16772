import { type PtpAnnounce, PtpFlag } from '@azimuth/telegrams/ptp';
import { shortestOffset } from './limits.js';

/** s that TAI has been ahead of UTC since 2017: for masters that do not know it. */
const knownOffset = 37;

const day = 86_400_000;

/** ms around a leap second in which a master may announce the new offset too early, or the old one too late. */
const tolerance = 3_600_000;

interface Leap {
  /** When it happens: ms since 1970 by UTC as it was before. */
  readonly at: number;
  /** s by which the offset changes: 1 or -1. */
  readonly change: number;
  /** The offset before. */
  readonly before: number;
}

/**
 * What the time of a master is ahead of UTC. A leap second is applied at midnight, whenever the master changes its offset.
 * An inserted second repeats 23:59:59. Masters without the PTP time scale give UTC.
 */
export class UtcOffset {
  /** s. */
  seconds = 0;
  /** ms of the monotonic clock when the offset was taken; undefined before the first one of a master. */
  #takenAt: number | undefined;
  /** The offset that was announced the last time. */
  #proposed: number | undefined;
  #pending: Leap | undefined;
  #done: Leap | undefined;

  /** s by which the last minute of the day is longer: 1, 0 or -1. */
  get leap(): number {
    return this.#pending?.change ?? 0;
  }

  /** When a leap second is due (ms since 1970 UTC); undefined if none is. */
  get nextAt(): number | undefined {
    return this.#pending?.at;
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
    if (utc !== undefined) this.pass(utc);
    if (utc !== undefined && (this.#isLate(seconds, utc) || this.#isEarly(seconds, utc))) return;
    if (!this.#isSettled(seconds, now)) return;
    this.seconds = seconds;
    const change = isTai ? changeOf(flags) : 0;
    this.#pending = change === 0 || utc === undefined ? undefined : this.#leapAfter(utc, change);
  }

  /** The device clock has come to this time (ms since 1970 UTC): a leap second that is due is applied. */
  pass(utc: number): void {
    const leap = this.#pending;
    if (leap === undefined || utc < leap.at) return;
    this.seconds = leap.before + leap.change;
    this.#done = leap;
    this.#pending = undefined;
  }

  /** Another master: what the last one has announced does not count. */
  clear(): void {
    this.#pending = undefined;
    this.#done = undefined;
    this.#takenAt = undefined;
    this.#proposed = undefined;
  }

  /** Is it the present offset, or one that may replace it? */
  #isSettled(seconds: number, now: number): boolean {
    const wasProposed = seconds === this.#proposed;
    this.#proposed = seconds;
    if (this.#takenAt !== undefined && seconds === this.seconds) return true;
    const since = this.#takenAt === undefined ? undefined : now - this.#takenAt;
    if (since !== undefined && (!wasProposed || since < shortestOffset)) return false;
    this.#takenAt = now;
    return true;
  }

  /** The leap second at the end of this day; undefined if there is none. */
  #leapAfter(utc: number, change: number): Leap | undefined {
    // The flags can stay for a while, and the last second of the day comes twice.
    if (this.#done !== undefined && utc < this.#done.at + tolerance) return undefined;
    const midnight = (Math.floor(utc / day) + 1) * day;
    // There are leap seconds at the end of a month only.
    if (new Date(midnight).getUTCDate() !== 1) return undefined;
    // A second is inserted at midnight, and 23:59:59 is left out.
    return { at: change > 0 ? midnight : midnight - 1000, change, before: this.seconds };
  }

  /** Does the master still announce the offset from before the leap second? */
  #isLate(seconds: number, utc: number): boolean {
    const leap = this.#done;
    return leap !== undefined && seconds === leap.before && utc < leap.at + tolerance;
  }

  /** Does it announce the offset from after the leap second already? */
  #isEarly(seconds: number, utc: number): boolean {
    const leap = this.#pending;
    return leap !== undefined && seconds === leap.before + leap.change && utc > leap.at - tolerance;
  }
}

function changeOf(flags: number): number {
  const isLonger = (flags & PtpFlag.leap61) !== 0;
  const isShorter = (flags & PtpFlag.leap59) !== 0;
  if (isLonger === isShorter) return 0;
  return isLonger ? 1 : -1;
}
