import type { Frame } from '@azimuth/client';

/** ms for which scans are stored. */
export const historyTime = 60_000;

/** Room for 60 s of any performance profile with three echoes per beam. The system gives memory as it is written. */
const usualRoom = { beams: 5_600_000, echoes: 15_000_000 } as const;

/** Echoes of a beam that are stored: each has one bit of a byte. */
const mostEchoes = 8;

/** A scan in the history. It lies in the arrays of the history from `firstBeam` and `firstEcho` on. */
export interface StoredScan {
  /** ms, by the clock of the caller of `add`. */
  readonly at: number;
  readonly number: number;
  /** Time of its first beam, µs on the clock of the scanner. */
  readonly time: number;
  readonly directions: Directions;
  readonly beams: number;
  readonly firstBeam: number;
  /** Echoes of all its beams. */
  readonly echoes: number;
  readonly firstEcho: number;
  readonly complete: boolean;
  readonly hasRssi: boolean;
  /** The first beam of each segment, as they were sent. */
  readonly segmentBeams: readonly number[];
}

/**
 * The scans of the last 60 s of one scanner, in typed arrays that are written in a circle. So the memory has a limit,
 * and a scan leaves only a small object for the garbage collector. If the room is too small, the stored time is
 * shorter.
 */
export class ScanHistory {
  /** One byte per beam: bit `n` is set if echo `n` is there. Only echoes that are there are stored, without gaps. */
  readonly masks: Uint8Array;
  /** One byte per beam, as in a frame. */
  readonly properties: Uint8Array;
  /** Distances in m, one per stored echo. */
  readonly distance: Float32Array;
  readonly rssi: Uint16Array;
  readonly #scans: StoredScan[] = [];
  #nextBeam = 0;
  #nextEcho = 0;

  constructor(room: { readonly beams: number; readonly echoes: number } = usualRoom) {
    this.masks = new Uint8Array(room.beams);
    this.properties = new Uint8Array(room.beams);
    this.distance = new Float32Array(room.echoes);
    this.rssi = new Uint16Array(room.echoes);
  }

  /** The oldest first. */
  get scans(): readonly StoredScan[] {
    return this.#scans;
  }

  get newest(): StoredScan | undefined {
    return this.#scans.at(-1);
  }

  /**
   * Adds a scan, and removes those that are too old.
   * @param at ms; not before that of the last one
   * @returns undefined if the frame does not fit in at all
   */
  add(frame: Frame, at: number): StoredScan | undefined {
    const { number, time, beams, complete, segmentBeams = [] } = frame;
    const echoes = echoesIn(frame);
    if (beams === 0 || beams > this.masks.length || echoes > this.distance.length) return undefined;
    while ((this.#scans[0]?.at ?? at) < at - historyTime) this.#scans.shift();
    const firstBeam = this.#roomFor('beams', 'firstBeam', this.#nextBeam, beams, this.masks.length);
    const firstEcho = this.#roomFor('echoes', 'firstEcho', this.#nextEcho, echoes, this.distance.length);
    this.#write(frame, firstBeam, firstEcho);
    this.#nextBeam = firstBeam + beams;
    this.#nextEcho = firstEcho + echoes;
    const before = this.newest?.directions;
    const isKnown = before !== undefined && areSame(before.azimuth, frame.azimuth);
    const directions = isKnown ? before : directionsOf(frame.azimuth);
    const hasRssi = frame.rssi !== undefined;
    const ofHistory = { at, directions, firstBeam, echoes, firstEcho, hasRssi };
    const scan = { number, time, beams, complete, segmentBeams, ...ofHistory };
    this.#scans.push(scan);
    return scan;
  }

  /** The place in `scans` of the last scan that is not newer than a time; -1 if there is none. */
  placeAt(at: number): number {
    let low = 0;
    let high = this.#scans.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#scans[middle]?.at ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** Finds room behind `next`, or at the beginning if it ends too early. Scans in this room are removed. */
  #roomFor(
    size: 'beams' | 'echoes',
    first: 'firstBeam' | 'firstEcho',
    next: number,
    wanted: number,
    all: number,
  ): number {
    const wraps = next + wanted > all;
    const begin = wraps ? 0 : next;
    for (let oldest = this.#scans[0]; oldest !== undefined; oldest = this.#scans[0]) {
      const isSkipped = wraps && oldest[first] >= next;
      const overlaps = oldest[first] < begin + wanted && oldest[first] + oldest[size] > begin;
      if (!isSkipped && !overlaps) break;
      this.#scans.shift();
    }
    return begin;
  }

  #write(frame: Frame, firstBeam: number, firstEcho: number): void {
    const { beams, echoes, distance, rssi, properties } = frame;
    const storedEchoes = Math.min(echoes, mostEchoes);
    let place = firstEcho;
    for (let beam = 0; beam < beams; beam++) {
      let mask = 0;
      for (let echo = 0; echo < storedEchoes; echo++) {
        const from = beam * echoes + echo;
        const range = distance[from] ?? 0;
        if (!(range > 0)) continue;
        mask |= 1 << echo;
        this.distance[place] = range / 1000;
        this.rssi[place] = rssi === undefined ? 0 : (rssi[from] ?? 0);
        place++;
      }
      this.masks[firstBeam + beam] = mask;
      this.properties[firstBeam + beam] = properties === undefined ? 0 : (properties[beam] ?? 0);
    }
  }
}

function echoesIn({ beams, echoes, distance }: Frame): number {
  const storedEchoes = Math.min(echoes, mostEchoes);
  let count = 0;
  for (let beam = 0; beam < beams; beam++) {
    for (let echo = 0; echo < storedEchoes; echo++) if ((distance[beam * echoes + echo] ?? 0) > 0) count++;
  }
  return count;
}

/** Azimuths (rad) that differ by less are the same: a hundredth of the finest resolution. */
const tolerance = 1e-5;

/** The directions of the beams of a scan. Scans whose beams have the same azimuths share one of these. */
interface Directions {
  /** rad, one per beam, counter-clockwise from the axis ahead. */
  readonly azimuth: Float32Array;
  readonly cos: Float32Array;
  readonly sin: Float32Array;
}

function directionsOf(azimuth: Float32Array): Directions {
  return { azimuth, cos: azimuth.map(Math.cos), sin: azimuth.map(Math.sin) };
}

function areSame(one: Float32Array, other: Float32Array): boolean {
  if (one.length !== other.length) return false;
  for (let beam = 0; beam < one.length; beam++) {
    if (Math.abs((one[beam] ?? 0) - (other[beam] ?? 0)) > tolerance) return false;
  }
  return true;
}
