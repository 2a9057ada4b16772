import { echoesPerBeam, type Scan } from '../scan/scan.js';

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
  if (isExact && areAllPossible(distance, rssi, furthest)) return undefined;
  let words: string | undefined;
  for (let first = 0, beam = 0; first < distance.length; first += echoesPerBeam, beam++) {
    const d0 = distance[first] ?? 0;
    const d1 = distance[first + 1] ?? 0;
    const d2 = distance[first + 2] ?? 0;
    const isPossible =
      // Each comparison with NaN is false.
      [d0, d1, d2].every((mm) => mm >= 0 && mm <= furthest) &&
      (d0 !== 0 || (d1 === 0 && rssi[first] === 0)) &&
      (d1 !== 0 || (d2 === 0 && rssi[first + 1] === 0)) &&
      (d2 !== 0 || rssi[first + 2] === 0) &&
      (isExact || (areNumbers(given, first) && are16BitNumbers(givenRssi, first)));
    if (isPossible) continue;
    words ??= `beam ${beam}: distances ${wordsOf(given, first)} mm, RSSI ${wordsOf(givenRssi, first)}; expected 0 to ${furthest} mm and 0 to ${mostIn16Bits}, no RSSI without a distance, no gap`;
    scan.invalidate(beam);
  }
  return words;
}

/**
 * Whether all beams are valid, for whole scans: it takes a quarter of the time of looking at each beam. Distances are compared
 * by their bits, in whole numbers: those of 0 to `furthest` mm are in order, those of others are above or negative. A number
 * with a sign marks what is not allowed. A negative zero counts as wrong: then each beam is looked at.
 */
function areAllPossible(distance: Float32Array, rssi: Uint16Array, furthest: number): boolean {
  const bits = new Int32Array(distance.buffer, distance.byteOffset, distance.length);
  const [most = 0] = new Int32Array(Float32Array.of(furthest).buffer);
  let sign = 0;
  for (let first = 0; first < bits.length; first += echoesPerBeam) {
    const d0 = bits[first] ?? 0;
    const d1 = bits[first + 1] ?? 0;
    const d2 = bits[first + 2] ?? 0;
    sign |= d0 | d1 | d2 | (most - d0) | (most - d1) | (most - d2);
    // x - 1 is negative for 0, and -x for more than 0.
    sign |= (d0 - 1) & (-d1 | -(rssi[first] ?? 0));
    sign |= (d1 - 1) & (-d2 | -(rssi[first + 1] ?? 0));
    sign |= (d2 - 1) & -(rssi[first + 2] ?? 0);
  }
  return sign >= 0;
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

function wordsOf(values: ArrayLike<unknown>, first: number): string {
  return Array.from({ length: echoesPerBeam }, (_, echo) => String(values[first + echo])).join(', ');
}
