import type { ComputerLateness } from './lateness.js';
import { ScanClock } from './scan-clock.js';
import type { Stamped } from './stamped.js';
import { median, Recent } from './statistics.js';

/** Segments of a scan whose times are kept: more than any profile has. */
const mostSegments = 64;

/** A scan while its telegrams come, in ms. */
interface OpenScan {
  readonly number: number;
  readonly segments: Map<number, number>;
  readonly arrival: number;
  telegrams: number;
  first: number;
  last: number;
  /** Begin of the telegram that was sent last, and by how much stamps have gone back. */
  newest: number;
  back: number;
  /** Of the telegram that came first and of the one that came last: end of its beams, transmission, arrival. */
  readonly begun: Moments;
  ended: Moments;
  delay: number;
}

interface Moments {
  readonly last: number;
  readonly sent: number;
  readonly arrival: number;
}

/** A scan that is over. */
export interface EndedScan {
  /** Arrival of its last telegram. */
  readonly time: number;
  /** Delay of this telegram: arrival − sent. */
  readonly delay: number;
  /** ms from its first beam until this telegram was sent. */
  readonly age: number;
}

/** Telegrams of a scan that come within this share of the time of its measurement came together. */
const together = 0.25;
/** Fewer telegrams of a scan say nothing about how they come. */
const leastTelegrams = 3;

/** Puts scans together from the times in their telegrams. */
export class Scans {
  readonly clock = new ScanClock();
  /** Scans that came, and those whose beams reach back into the scan before. */
  count = 0;
  overlapping = 0;
  /** Scans whose stamps go back in the middle, and by how much at most (ms). */
  back = 0;
  furthestBack = 0;
  /** Scans whose telegrams are spread enough to tell how they came, those that came together, and those sent together. */
  spread = 0;
  cameTogether = 0;
  sentTogether = 0;
  readonly #telegrams = new Recent(15);
  readonly #lateness: ComputerLateness;
  #open: OpenScan | undefined;
  #lastBeam: number | undefined;

  constructor(lateness: ComputerLateness) {
    this.#lateness = lateness;
  }

  /** Usual number of telegrams of a scan. */
  get segments(): number {
    const usual = median(this.#telegrams.values);
    return Number.isNaN(usual) ? 1 : usual;
  }

  /** Begins with the next scan, because stamps count from another moment. */
  beginAgain(): void {
    this.#open = undefined;
    this.#lastBeam = undefined;
    this.clock.beginAgain();
  }

  /** Adds a telegram. Returns the scan that it ends by beginning another one, if it is whole. */
  add(stamped: Stamped, arrival: number, isLate: boolean): EndedScan | undefined {
    const open = this.#open;
    if (open?.number === stamped.scan) {
      if (!isLate) follow(open, stamped);
      join(open, stamped, arrival);
      return undefined;
    }
    if (isLate) return undefined;
    const ended = this.#end();
    const moments = { last: stamped.last, sent: stamped.sent, arrival };
    this.#open = {
      number: stamped.scan,
      segments: new Map([[stamped.segment, stamped.first]]),
      arrival,
      telegrams: 1,
      first: stamped.first,
      last: stamped.last,
      newest: stamped.first,
      back: Math.max(0, stamped.first - stamped.last),
      begun: moments,
      ended: moments,
      delay: arrival - stamped.sent,
    };
    return ended;
  }

  #end(): EndedScan | undefined {
    const scan = this.#open;
    if (scan === undefined) return undefined;
    this.count += 1;
    if (scan.back > 0) {
      this.back += 1;
      this.furthestBack = Math.max(this.furthestBack, scan.back);
    }
    this.#telegrams.add(scan.telegrams);
    const steps = this.clock.steps.count;
    this.clock.follow(scan);
    const before = this.#lastBeam;
    if (before !== undefined && scan.first < before && steps === this.clock.steps.count)
      this.overlapping += 1;
    this.#lastBeam = scan.last;
    this.#judgeSpread(scan);
    const { ended, first } = scan;
    // What is missing of a scan would make it younger.
    if (scan.telegrams < this.segments) return undefined;
    return { time: ended.arrival, delay: ended.arrival - ended.sent, age: ended.sent - first };
  }

  #judgeSpread({ telegrams, begun, ended }: OpenScan): void {
    const measured = ended.last - begun.last;
    if (telegrams < leastTelegrams || !(measured > 0) || this.#lateness.covers(ended.arrival, 20)) return;
    this.spread += 1;
    if (ended.arrival - begun.arrival < together * measured) this.cameTogether += 1;
    if (ended.sent - begun.sent < together * measured) this.sentTogether += 1;
  }
}

/** Notes whether stamps go back: from the telegram before, or from first to last beam. */
function follow(scan: OpenScan, { first, last }: Stamped): void {
  scan.back = Math.max(scan.back, scan.newest - first, first - last);
  scan.newest = first;
}

function join(scan: OpenScan, { segment, first, last, sent }: Stamped, arrival: number): void {
  scan.telegrams += 1;
  if (scan.segments.size < mostSegments && !scan.segments.has(segment)) scan.segments.set(segment, first);
  scan.first = Math.min(scan.first, first);
  scan.last = Math.max(scan.last, last);
  scan.ended = { last, sent, arrival };
  scan.delay = Math.min(scan.delay, arrival - sent);
}
