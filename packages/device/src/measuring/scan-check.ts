import { echoesPerBeam, type Scan } from '../scan/scan.js';

/** Most beams and segments of a scan, for all of which memory is allocated. */
const mostBeams = 65_535;
const mostSegments = 1000;

/**
 * The fault of a scan that a core hands over; undefined if it has none. A core may be written by anybody: a wrong scan must
 * not stop the scanner. Whether its number and time follow those of the scan before is the concern of ScanPace.
 */
export function problemOfScan(scan: Scan): string | undefined {
  const { number, time, geometry, distance, rssi, flags } = scan;
  const { beams, beamsPerSegment, frequency, step, firstAngle } = geometry;
  if (!Number.isSafeInteger(number) || number < 0)
    return `its number: expected a whole number, got ${number}`;
  if (!Number.isFinite(time) || time < 0) return `its time: expected µs of the scanner's clock, got ${time}`;
  if (![beams, beamsPerSegment].every((count) => Number.isSafeInteger(count) && count > 0)) {
    return `its geometry: expected whole numbers above 0, got ${beams} beams, ${beamsPerSegment} a segment`;
  }
  if (beams > mostBeams || beams > beamsPerSegment * mostSegments) {
    return `its geometry: expected at most ${mostBeams} beams in ${mostSegments} segments, got ${beams} beams, ${beamsPerSegment} a segment`;
  }
  // In plain JavaScript, they may be texts: sums of angles would be, too.
  const numbers = Object.entries({ firstAngle, step, frequency });
  const text = numbers.find(([, value]) => typeof value !== 'number');
  if (text !== undefined)
    return `its geometry: expected numbers, got ${typeof text[1]} "${text[1]}" as ${text[0]}`;
  const isTurn = Math.abs(firstAngle) <= 360 && (beams - 1) * step <= 360;
  if (!(frequency > 0 && frequency <= 1000 && step > 0 && isTurn)) {
    return `its ${beams} beams begin at ${firstAngle}°, ${step}° apart, at ${frequency} Hz; expected one turn, up to 1000 Hz`;
  }
  const places = beams * echoesPerBeam;
  for (const [name, { length }] of Object.entries({ distance, rssi, flags })) {
    if (length !== places) return `${name}: expected ${places} places for ${beams} beams, got ${length}`;
  }
  return undefined;
}

/** The share by which a rate may differ from the ordered one. */
const rateTolerance = 0.1;
/** Revolutions over which the rate is measured. */
const measuredRevolutions = 10;
/** Revolutions that a number may be ahead of the time: times of single scans are not exact. */
const numberTolerance = 1.5;
/** Scans that have to follow each other after a jump of the number until they count. */
const agreement = 3;
/** µs: times may be so far behind, and longer ones for this time, while a busy process takes scans that have waited. */
const furthestBehind = 5_000_000;
const longestBehind = 1_000_000;

/** A revolution that a core has handed over. */
type Moment = Pick<Scan, 'number' | 'time'>;

/**
 * The numbers of the scans so far.
 *
 * | from | by a scan whose number | to |
 * |---|---|---|
 * | none, steady, jumped | follows the last one that could be used | steady |
 * | steady, jumped | has jumped | jumped |
 * | jumped | is the third that fits the one before it | steady |
 */
type Sequence =
  | { readonly state: 'none' }
  /** @property last the last scan that could be used */
  | { readonly state: 'steady'; readonly last: Moment }
  /** @property agreeing how many scans before `jumped` fit each other */
  | { readonly state: 'jumped'; readonly last: Moment; readonly jumped: Moment; readonly agreeing: number };

/**
 * Checks that the numbers, times and the rate of scans are those of the scanner. A scan that comes late with the right time is
 * no fault: the process may have been busy.
 */
export class ScanPace {
  /** Hz. */
  readonly #frequency: number;
  /** µs. */
  readonly #period: number;
  #sequence: Sequence = { state: 'none' };
  /** Where the present measurement of the rate began, and what the last one has found. */
  #measuredFrom: Moment | undefined;
  #wrongRate: string | undefined;
  /** When (µs) times began to be far behind. */
  #behindSince: number | undefined;

  /** @param frequency Hz, as ordered */
  constructor(frequency: number) {
    this.#frequency = frequency;
    this.#period = 1_000_000 / frequency;
  }

  /**
   * Why a scan cannot be used; undefined if it can be.
   * @param now µs since the scanner came up
   * @param utc ms since 1970, to say which clock a core uses
   */
  misfit(scan: Moment, now: number, utc: number): string | undefined {
    const fault = this.#wrongTime(scan.time, now, utc) ?? this.#doesNotFollow(scan);
    if (fault !== undefined) return fault;
    this.#sequence = { state: 'steady', last: momentOf(scan) };
    return undefined;
  }

  /** What is wrong with the rate of usable scans; undefined if nothing is. */
  wrongRate(scan: Scan): string | undefined {
    const { frequency } = scan.geometry;
    if (Math.abs(frequency / this.#frequency - 1) > rateTolerance) {
      return `its rate: expected ${this.#frequency} Hz, as ordered, got ${frequency} Hz in its geometry`;
    }
    this.#measuredFrom ??= momentOf(scan);
    const { number, time } = this.#measuredFrom;
    const passed = (scan.time - time) / this.#period;
    const counted = scan.number - number;
    if (Math.max(passed, counted) < measuredRevolutions) return this.#wrongRate;
    this.#measuredFrom = momentOf(scan);
    this.#wrongRate =
      Math.abs(passed / counted - 1) > rateTolerance
        ? `its rate: expected ${this.#frequency} Hz, as ordered, got ${counted} revolutions in ${Math.round((scan.time - time) / 1000)} ms`
        : undefined;
    return this.#wrongRate;
  }

  #wrongTime(time: number, now: number, utc: number): string | undefined {
    // One period, because a core may hand a scan over when it begins; rounding aside.
    const latest = now + 1.01 * this.#period;
    if (time > latest) {
      const zero = clockOf(time, utc);
      return `its time: expected µs since the scanner came up, at most ${Math.round(latest)}, got ${time}${zero}`;
    }
    if (time >= now - furthestBehind) {
      this.#behindSince = undefined;
      return undefined;
    }
    this.#behindSince ??= now;
    if (now - this.#behindSince < longestBehind) return undefined;
    return `its time: expected µs since the scanner came up, which are ${Math.round(now)} now, got ${time}: another clock`;
  }

  #doesNotFollow(scan: Moment): string | undefined {
    if (this.#sequence.state === 'none') return undefined;
    const { last } = this.#sequence;
    const { number, time } = scan;
    if (number <= last.number) return `its number: expected more than ${last.number}, got ${number}`;
    if (time === last.time) return `its time stands still at ${time} µs`;
    if (time < last.time) return `its time goes back from ${last.time} to ${time} µs`;
    if (!this.#jumps(last, scan) || this.#isConfirmed(scan, last)) return undefined;
    const milliseconds = Math.round((time - last.time) / 1000);
    return `its number jumps from ${last.number} to ${number} in ${milliseconds} ms, at ${this.#frequency} Hz`;
  }

  /** Whether the number has risen by more than the time explains. */
  #jumps(from: Moment, to: Moment): boolean {
    const explained = ((to.time - from.time) / this.#period) * (1 + rateTolerance);
    // Revolutions of a wrong rate are the concern of `wrongRate`.
    return to.number - from.number > 1 && to.number - from.number > explained + numberTolerance;
  }

  /** Whether so many scans after a jump fit each other that the core counts from there on. */
  #isConfirmed(scan: Moment, last: Moment): boolean {
    const before = this.#sequence;
    const fits =
      before.state === 'jumped' &&
      scan.number > before.jumped.number &&
      scan.time > before.jumped.time &&
      !this.#jumps(before.jumped, scan);
    const agreeing = fits ? before.agreeing + 1 : 0;
    this.#sequence = { state: 'jumped', last, jumped: momentOf(scan), agreeing };
    if (agreeing < agreement) return false;
    this.#measuredFrom = undefined;
    return true;
  }
}

/** A copy: a core reuses its scans. */
function momentOf({ number, time }: Moment): Moment {
  return { number, time };
}

/** The clock that a time looks like, in words. */
function clockOf(time: number, utc: number): string {
  const day = 86_400_000;
  if (Math.abs(time / 1000 - utc) < day) return ': that is UTC';
  return Math.abs(time - utc) < day ? ': that is UTC in ms' : '';
}

/** Counts of a distance, and the largest RSSI, that telegrams carry in 16 bits. */
const mostIn16Bits = 65_535;

/** If so many scans in a row have invalid beams, it is a fault of the core. */
export const toleratedScans = 3;

/** mm: the furthest distance that telegrams carry. In long range mode, they count in steps of 2 mm. */
export function furthestDistance(longRange: boolean): number {
  return mostIn16Bits * (longRange ? 2 : 1);
}

/**
 * Marks the beams of a scan whose values no measurement can have, and removes their echoes: a distance that is not a number,
 * negative or too far, an RSSI without a distance or outside 0 to 65535, and an echo behind a gap. A beam without echoes is
 * valid.
 * @param scan a copy of the scan that the core has handed over
 * @param handedOver that scan: its arrays may be of any type
 * @param furthest mm
 * @returns the values of the first such beam, in words; undefined if all beams are valid
 */
export function invalidateBeams(scan: Scan, handedOver: Scan, furthest: number): string | undefined {
  const { distance, rssi } = scan;
  const { distance: given, rssi: givenRssi } = handedOver;
  // What is no number, or none of 16 bits, has become one in the copy: null is 0 there, which is no echo.
  const isExact = ArrayBuffer.isView(given) && givenRssi instanceof Uint16Array;
  let words: string | undefined;
  for (let first = 0, beam = 0; first < distance.length; first += echoesPerBeam, beam++) {
    const d0 = distance[first] ?? 0;
    const d1 = distance[first + 1] ?? 0;
    const d2 = distance[first + 2] ?? 0;
    const isPossible =
      // Each comparison with NaN is false.
      d0 >= 0 &&
      d0 <= furthest &&
      d1 >= 0 &&
      d1 <= furthest &&
      d2 >= 0 &&
      d2 <= furthest &&
      (d0 !== 0 || (d1 === 0 && rssi[first] === 0)) &&
      (d1 !== 0 || (d2 === 0 && rssi[first + 1] === 0)) &&
      (d2 !== 0 || rssi[first + 2] === 0) &&
      (isExact || (areNumbers(given, first) && are16BitNumbers(givenRssi, first)));
    if (isPossible) continue;
    words ??= `beam ${beam}: distances ${describeValues(given, first)} mm, RSSI ${describeValues(givenRssi, first)}; expected 0 to ${furthest} mm and 0 to ${mostIn16Bits}, no RSSI without a distance, no gap`;
    scan.invalidate(beam);
  }
  return words;
}

function areNumbers(values: ArrayLike<unknown>, first: number): boolean {
  for (let place = first; place < first + echoesPerBeam; place++)
    if (typeof values[place] !== 'number') return false;
  return true;
}

function are16BitNumbers(values: ArrayLike<unknown>, first: number): boolean {
  for (let place = first; place < first + echoesPerBeam; place++) {
    const value = values[place];
    if (!(typeof value === 'number' && value >= 0 && value <= mostIn16Bits)) return false;
  }
  return true;
}

function describeValues(values: ArrayLike<unknown>, first: number): string {
  return Array.from({ length: echoesPerBeam }, (_, echo) => String(values[first + echo])).join(', ');
}
