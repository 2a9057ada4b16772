import type { PortIdentity, PtpAnnounce } from '@azimuth/telegrams/ptp';
import { intervalOf, mostForeignMasters } from './limits.js';

/** A master qualifies if two Announce messages arrive within this many of its announce intervals. */
const qualificationIntervals = 4;

/** A master is lost after this many announce intervals without an Announce. */
const receiptTimeoutIntervals = 3;

/** ms, if an Announce states no interval. */
const usualInterval = 2000;

/** Number of steps from which on a master is too far from its grandmaster. */
const tooManySteps = 255;

/** Origin of a message. */
export interface Sender {
  readonly source: PortIdentity;
  /** IPv4 address. */
  readonly from: string;
}

/** A master that announces itself. */
export interface ForeignMaster extends Sender {
  /** Its last Announce. */
  readonly announce: PtpAnnounce;
  /** True if it sends to the scanner alone, and not to the group. */
  readonly isUnicast: boolean;
  /** Arrival of its last Announce: ms of the monotonic clock. */
  readonly heardAt: number;
  /** Time at which it counts as lost without another Announce. */
  readonly lostAt: number;
  /** True if it has sent enough Announce messages to be selected. */
  readonly isQualified: boolean;
}

/**
 * The masters that announce themselves (IEEE 1588-2019, 9.3.2.4). Only a few are stored. A new master replaces an
 * unqualified one, but never a qualified one. Times are ms of the monotonic clock.
 */
export class ForeignMasters {
  #masters: readonly ForeignMaster[] = [];

  /** Adds an Announce of another clock. */
  addAnnounce(announce: PtpAnnounce, from: string, isUnicast: boolean, now: number): void {
    if (announce.stepsRemoved >= tooManySteps) return;
    const interval = intervalOf(announce.logInterval, usualInterval);
    const sender = { source: announce.source, from };
    const known = this.#masters.find((master) => isSame(master, sender));
    const isQualified =
      known !== undefined && (known.isQualified || now - known.heardAt <= qualificationIntervals * interval);
    const lostAt = now + (isQualified ? receiptTimeoutIntervals : qualificationIntervals) * interval;
    const master = { ...sender, announce, isUnicast, heardAt: now, lostAt, isQualified };
    const others = this.#masters.filter((one) => one !== known);
    const remaining = others.length < mostForeignMasters ? others : withoutOldest(others);
    if (remaining.length < mostForeignMasters) this.#masters = [...remaining, master];
  }

  /** The best qualified master. Among equal ones, the `preferred` one. Undefined if none is qualified. */
  best(preferred: Sender | undefined): ForeignMaster | undefined {
    const rank = (master: ForeignMaster) => (preferred !== undefined && isSame(master, preferred) ? 0 : 1);
    const [best] = this.#masters
      .filter(({ isQualified }) => isQualified)
      .sort((one, other) => compareMasters(one.announce, other.announce) || rank(one) - rank(other));
    return best;
  }

  /** The master with this address and port, with its last Announce. Undefined if it is lost. */
  of(sender: Sender): ForeignMaster | undefined {
    return this.#masters.find((master) => isSame(master, sender));
  }

  /** Removes the masters that are lost at this moment. */
  forgetLost(now: number): void {
    this.#masters = this.#masters.filter(({ lostAt }) => lostAt > now);
  }

  /** Time at which the next master is lost without another Announce. Undefined without a master. */
  get nextLostAt(): number | undefined {
    if (this.#masters.length === 0) return undefined;
    return Math.min(...this.#masters.map(({ lostAt }) => lostAt));
  }

  clear(): void {
    this.#masters = [];
  }
}

/** True if it is the same port of the same clock, at the same address. */
export function isSame(one: Sender, other: Sender): boolean {
  return (
    one.from === other.from &&
    one.source.clock === other.source.clock &&
    one.source.port === other.source.port
  );
}

/** Removes the unqualified master with the oldest Announce. Returns all masters if all are qualified. */
function withoutOldest(masters: readonly ForeignMaster[]): readonly ForeignMaster[] {
  const unqualified = masters.filter(({ isQualified }) => !isQualified);
  const oldest = unqualified.reduce<ForeignMaster | undefined>(
    (old, master) => (old === undefined || master.heardAt < old.heardAt ? master : old),
    undefined,
  );
  return masters.filter((master) => master !== oldest);
}

/**
 * Compares the masters of two Announce messages (IEEE 1588-2019, 9.3.4, for a clock that is never a master itself):
 * negative if the first is better, positive if the second is. Different grandmasters are compared by their properties,
 * the same grandmaster by the path to it.
 */
export function compareMasters(one: PtpAnnounce, other: PtpAnnounce): number {
  if (one.grandmaster !== other.grandmaster) {
    return (
      one.priority1 - other.priority1 ||
      one.clockClass - other.clockClass ||
      one.clockAccuracy - other.clockAccuracy ||
      one.variance - other.variance ||
      one.priority2 - other.priority2 ||
      order(one.grandmaster, other.grandmaster)
    );
  }
  return (
    one.stepsRemoved - other.stepsRemoved ||
    order(one.source.clock, other.source.clock) ||
    one.source.port - other.source.port
  );
}

/** Compares numbers as hex digits of the same length: negative if the first is smaller, positive if the second is. */
function order(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
