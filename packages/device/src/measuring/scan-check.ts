import { echoesPerBeam, type Scan } from '../scan/scan.js';

/** Maximum number of beams and segments of a scan. Memory is allocated for all of them. */
const mostBeams = 65_535;
const mostSegments = 1000;

/**
 * Returns the problem of a scan of a core; undefined if it has none. Anybody may write a core, so a wrong scan must not
 * stop the scanner. ScanPace checks whether number and time follow the scan before.
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
  // In plain JavaScript, angles may be texts. Their sums would be texts, too.
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

/** Maximum relative difference between the measured and the ordered rate. */
const rateTolerance = 0.1;
/** Number of revolutions over which the rate is measured. */
const measuredRevolutions = 10;
/** Revolutions by which a number may rise more than the time explains: times of single scans are not exact. */
const numberTolerance = 1.5;
/** Number of consistent scans after a jump of the number before they count. */
const agreement = 3;
/** Maximum delay of times in µs. */
const furthestBehind = 5_000_000;
/** Time in µs for which a longer delay is accepted, while a busy process works off waiting scans. */
const longestBehind = 1_000_000;

/** A revolution that a core has handed over. */
type Moment = Readonly<Pick<Scan, 'number' | 'time'>>;

/**
 * The numbers of the scans so far.
 *
 * | from | by a scan whose number | to |
 * |---|---|---|
 * | none, steady, jumped | follows the last usable one | steady |
 * | steady, jumped | has jumped | jumped |
 * | jumped | is the third that fits the one before it | steady |
 */
type Sequence =
  | { readonly state: 'none' }
  /** @property last the last usable scan */
  | { readonly state: 'steady'; readonly last: Pick<Scan, 'number' | 'time'> }
  /** @property agreeing number of scans before `jumped` that are consistent with each other */
  | { readonly state: 'jumped'; readonly last: Moment; readonly jumped: Moment; readonly agreeing: number };

/**
 * Checks that the numbers, times and the rate of scans are those of the scanner. A late scan with the right time is
 * valid: the process may have been busy.
 */
export class ScanPace {
  /** Hz. */
  readonly #frequency: number;
  /** µs. */
  readonly #period: number;
  #sequence: Sequence = { state: 'none' };
  /** Start of the present measurement of the rate, and the last result. */
  #measuredFrom: Moment | undefined;
  #wrongRate: string | undefined;
  /** Time (µs) since when scans are far behind. */
  #behindSince: number | undefined;

  /** @param frequency Hz, as ordered */
  constructor(frequency: number) {
    this.#frequency = frequency;
    this.#period = 1_000_000 / frequency;
  }

  /**
   * The reason why a scan is unusable. Undefined for a usable scan.
   * @param now µs since the scanner came up
   * @param utc ms since 1970, to find out which clock a core uses
   */
  mismatch(scan: Moment, now: number, utc: number): string | undefined {
    const problem = this.#wrongTime(scan.time, now, utc) ?? this.#doesNotFollow(scan);
    if (problem !== undefined) return problem;
    const before = this.#sequence;
    if (before.state !== 'steady') this.#sequence = { state: 'steady', last: momentOf(scan) };
    else {
      // A new object for each scan would outlive garbage collections.
      before.last.number = scan.number;
      before.last.time = scan.time;
    }
    return undefined;
  }

  /** Returns the problem of the rate of usable scans; undefined if there is none. */
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
    // Tolerance of one period, because a core may hand a scan over at its start; plus rounding.
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

  /** True if the number has risen by more than the time explains. */
  #jumps(from: Moment, to: Moment): boolean {
    const explained = ((to.time - from.time) / this.#period) * (1 + rateTolerance);
    // `wrongRate` covers revolutions of a wrong rate.
    return to.number - from.number > 1 && to.number - from.number > explained + numberTolerance;
  }

  /** True if enough scans after a jump are consistent. The core counts from there on. */
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

/** Copies the values, because a core reuses its scans. */
function momentOf({ number, time }: Moment): Pick<Scan, 'number' | 'time'> {
  return { number, time };
}

/** The clock that fits a time, in words. */
function clockOf(time: number, utc: number): string {
  const day = 86_400_000;
  if (Math.abs(time / 1000 - utc) < day) return ': that is UTC';
  return Math.abs(time - utc) < day ? ': that is UTC in ms' : '';
}

/** Number of values of a distance in 16 bits, and the maximum RSSI of telegrams. */
const mostIn16Bits = 65_535;

/** Number of successive scans with invalid beams after which the core has an error. */
export const toleratedScans = 3;

/** Furthest distance of telegrams in mm. In long range mode, the step is 2 mm. */
export function furthestDistance(longRange: boolean): number {
  return mostIn16Bits * (longRange ? 2 : 1);
}

/**
 * Marks the beams with impossible values, and removes their echoes: of those from `first` up to, but not including,
 * `end`. Impossible are: a distance that is not a
 * number, negative or too far, an RSSI without a distance or outside 0 to 65535, and an echo behind a gap. A beam
 * without echoes is valid.
 * @param scan a copy of the scan of the core
 * @param original the scan of the core: its arrays may be of any type
 * @param furthest mm
 * @returns the values of the first such beam, in words; undefined if all beams are valid
 */
export function invalidateBeams(
  scan: Scan,
  original: Scan,
  furthest: number,
  firstBeam: number,
  end: number,
): string | undefined {
  const { distance, rssi } = scan;
  const { distance: given, rssi: givenRssi } = original;
  // The copy converts other values to 16-bit numbers: null becomes 0, which is not an echo.
  const isExact = ArrayBuffer.isView(given) && givenRssi instanceof Uint16Array;
  let problem: string | undefined;
  const behind = end * echoesPerBeam;
  for (let first = firstBeam * echoesPerBeam; first < behind; first += echoesPerBeam) {
    const d0 = distance[first] ?? 0;
    const d1 = distance[first + 1] ?? 0;
    const d2 = distance[first + 2] ?? 0;
    const hasOneEcho = d0 > 0 && d0 <= furthest && d1 === 0 && d2 === 0;
    // Most beams have one echo: this path is short.
    if (hasOneEcho && isExact && rssi[first + 1] === 0 && rssi[first + 2] === 0) continue;
    const isPossible =
      // NaN makes each comparison false.
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
    const beam = first / echoesPerBeam;
    problem ??= `beam ${beam}: distances ${describeValues(given, first)} mm, RSSI ${describeValues(givenRssi, first)}; expected 0 to ${furthest} mm and 0 to ${mostIn16Bits}, no RSSI without a distance, no gap`;
    scan.invalidate(beam);
  }
  return problem;
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
