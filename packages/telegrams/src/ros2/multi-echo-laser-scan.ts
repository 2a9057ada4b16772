import { CdrReader, CdrWriter } from './cdr.js';
import { factsBytes, readFacts, type ScanFacts, writeFacts } from './laser-scan.js';

/** All echoes of each beam (sensor_msgs/MultiEchoLaserScan). */
export interface MultiEchoLaserScan extends ScanFacts {
  /** Places for echoes of each beam in the arrays. */
  readonly places: number;
  /** How many of the places are used, for each beam; 0 to `places`. */
  readonly counts: Uint8Array;
  /** m, beams × places. */
  readonly ranges: Float32Array;
  /** beams × places. */
  readonly intensities: Float32Array;
}

/** The most bytes of a message with so many beams, and so many echoes of all beams together. */
export function multiEchoLaserScanBytes(facts: ScanFacts, beams: number, echoes: number): number {
  return factsBytes(facts) + 2 * (4 + 4 * beams + 4 * echoes);
}

/**
 * Writes sensor_msgs/MultiEchoLaserScan: as LaserScan, but each item of `ranges` and `intensities` is a list of its own
 * (u32 count, then f32 for each echo).
 * @param target where to write; a new array if it is left out
 * @returns the part that was written
 * @throws RangeError if `target` is too small
 */
export function encodeMultiEchoLaserScan(scan: MultiEchoLaserScan, target?: Uint8Array): Uint8Array {
  const { counts, places } = scan;
  const beams = counts.length;
  const cdr = new CdrWriter(target ?? new Uint8Array(multiEchoLaserScanBytes(scan, beams, beams * places)));
  writeFacts(cdr, scan);
  for (const values of [scan.ranges, scan.intensities]) {
    cdr.u32(beams);
    for (let beam = 0; beam < beams; beam++) {
      const count = counts[beam] ?? 0;
      cdr.u32(count);
      cdr.floats(values, beam * places, count);
    }
  }
  return cdr.end();
}

/**
 * The places of a decoded scan are as many as its beam with most echoes needs.
 * @throws TelegramError if it is cut off, or encoded in another way than plain CDR
 */
export function decodeMultiEchoLaserScan(payload: Uint8Array): MultiEchoLaserScan {
  const cdr = new CdrReader(payload);
  const facts = readFacts(cdr);
  const lists = () => Array.from({ length: cdr.length(4) }, () => cdr.floats());
  const [ranges, intensities] = [lists(), lists()];
  const places = ranges.reduce((most, { length }) => Math.max(most, length), 0);
  return {
    ...facts,
    places,
    counts: Uint8Array.from(ranges, ({ length }) => length),
    ranges: flat(ranges, places),
    intensities: flat(intensities, places),
  };
}

function flat(lists: readonly Float32Array[], places: number): Float32Array {
  const values = new Float32Array(lists.length * places);
  for (const [beam, list] of lists.entries()) values.set(list.subarray(0, places), beam * places);
  return values;
}
