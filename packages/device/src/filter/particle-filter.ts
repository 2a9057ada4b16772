import { echoesPerBeam, type Scan, type ScanGeometry } from '../scan/scan.js';
import { copyBeams, removeEchoes, type ScanFilter } from './scan-filter.js';

/** The distance of a missing echo. */
const none = Number.POSITIVE_INFINITY;

/**
 * LFPparticle: compares successive scans. An echo is a particle if its distance differs by more than the threshold from
 * all echoes of the neighbouring beams in this scan, and from all echoes of its own beam in the scan before. The last
 * valid echo at its place of the beam replaces it, unless the beam has an echo within the threshold of that one, or
 * never had one there.
 *
 * Unknown values make no particle. The first scan, and the first one after a gap in the numbers, pass unchanged. So do
 * echoes beside an invalid beam, and echoes of a beam that was invalid in the scan before. The first and the last beam
 * have one neighbour. A scan is compared as it was measured, so what only one beam hits is seen from its second scan
 * on.
 */
export class ParticleFilter implements ScanFilter {
  /** mm. */
  readonly threshold: number;
  /** The distances of this scan and of the last one, as measured. The two arrays swap with each scan. */
  #measured: Float32Array;
  #before: Float32Array;
  readonly #invalidBefore: Uint8Array;
  /** The last scan after this filter. */
  readonly #valid: Pick<Scan, 'distance' | 'rssi' | 'flags'>;
  #number = Number.NaN;
  /** True if the scan follows the last one without a gap. */
  #isNext = false;

  /** @param threshold mm. */
  constructor({ beams }: ScanGeometry, threshold: number) {
    const places = beams * echoesPerBeam;
    this.threshold = threshold;
    this.#measured = new Float32Array(places);
    this.#before = new Float32Array(places);
    this.#invalidBefore = new Uint8Array(beams);
    this.#valid = {
      distance: new Float32Array(places),
      rssi: new Uint16Array(places),
      flags: new Uint8Array(places),
    };
  }

  begin({ number }: Scan): boolean {
    this.#isNext = number === this.#number + 1;
    this.#number = number;
    return true;
  }

  /** A beam is done when its neighbour on the other side is known. */
  apply(scan: Scan, first: number, end: number): number {
    const isComplete = end === scan.geometry.beams;
    const done = isComplete ? end : Math.max(first, end - 1);
    copyBeams(scan.distance, this.#measured, first, end);
    if (this.#isNext) this.#replaceParticles(scan, first, done);
    copyBeams(scan.distance, this.#valid.distance, first, done);
    copyBeams(scan.rssi, this.#valid.rssi, first, done);
    copyBeams(scan.flags, this.#valid.flags, first, done);
    if (isComplete) this.#remember(scan);
    return done;
  }

  #remember({ invalid }: Scan): void {
    const measured = this.#measured;
    this.#measured = this.#before;
    this.#before = measured;
    this.#invalidBefore.set(invalid);
  }

  #replaceParticles(scan: Scan, from: number, to: number): void {
    const { threshold } = this;
    const distance = this.#measured;
    const before = this.#before;
    const last = distance.length - echoesPerBeam;
    const begin = from * echoesPerBeam;
    const end = to * echoesPerBeam;
    // The echoes of three beams move through variables, so that each place is read once. A missing echo is near to none.
    let left0 = begin === 0 ? none : distance[begin - 3] || none;
    let left1 = begin === 0 ? none : distance[begin - 2] || none;
    let left2 = begin === 0 ? none : distance[begin - 1] || none;
    let d0 = distance[begin] || none;
    let d1 = distance[begin + 1] || none;
    let d2 = distance[begin + 2] || none;
    for (let first = begin; first < end; first += echoesPerBeam) {
      const next = first + echoesPerBeam;
      const right0 = first === last ? none : distance[next] || none;
      const right1 = first === last ? none : distance[next + 1] || none;
      const right2 = first === last ? none : distance[next + 2] || none;
      let particles = 0;
      for (let echo = 0; echo < echoesPerBeam; echo++) {
        const d = echo === 0 ? d0 : echo === 1 ? d1 : d2;
        if (d === none) break;
        const isBacked =
          Math.abs(d - left0) <= threshold ||
          Math.abs(d - right0) <= threshold ||
          Math.abs(d - left1) <= threshold ||
          Math.abs(d - right1) <= threshold ||
          Math.abs(d - left2) <= threshold ||
          Math.abs(d - right2) <= threshold ||
          isNear(d, before, first, threshold);
        if (!isBacked) particles |= 1 << echo;
      }
      if (particles !== 0 && this.#isCertain(scan, first / echoesPerBeam)) {
        this.#replace(scan, first / echoesPerBeam, particles);
      }
      left0 = d0;
      left1 = d1;
      left2 = d2;
      d0 = right0;
      d1 = right1;
      d2 = right2;
    }
  }

  /** True if all echoes for the comparison of a beam are known. */
  #isCertain({ invalid, invalidBeams }: Scan, beam: number): boolean {
    if (this.#invalidBefore[beam] === 1) return false;
    return invalidBeams === 0 || (invalid[beam - 1] !== 1 && invalid[beam + 1] !== 1);
  }

  /** @param particles bits 0 to 2: the echoes of the beam that are particles */
  #replace(scan: Scan, beam: number, particles: number): void {
    const { distance, rssi, flags } = this.#valid;
    const first = beam * echoesPerBeam;
    removeEchoes(scan, beam, particles);
    for (let echo = 0; echo < echoesPerBeam; echo++) {
      const d = distance[first + echo] ?? 0;
      if ((particles & (1 << echo)) === 0 || d === 0) continue;
      if (isNear(d, scan.distance, first, this.threshold)) continue;
      insertEcho(scan, beam, d, rssi[first + echo] ?? 0, flags[first + echo] ?? 0);
    }
  }
}

/** True if one of the echoes of the beam at this place differs from a distance by at most the threshold. */
function isNear(d: number, distances: Float32Array, first: number, threshold: number): boolean {
  return (
    Math.abs(d - (distances[first] || none)) <= threshold ||
    Math.abs(d - (distances[first + 1] || none)) <= threshold ||
    Math.abs(d - (distances[first + 2] || none)) <= threshold
  );
}

/** Adds an echo to a beam that has a free place, the nearest first. */
function insertEcho(
  { distance, rssi, flags }: Scan,
  beam: number,
  d: number,
  strength: number,
  flag: number,
): void {
  const first = beam * echoesPerBeam;
  let place = first + echoesPerBeam - 1;
  for (; place > first; place--) {
    const nearer = distance[place - 1] ?? 0;
    if (nearer !== 0 && nearer < d) break;
    distance[place] = nearer;
    rssi[place] = rssi[place - 1] ?? 0;
    flags[place] = flags[place - 1] ?? 0;
  }
  distance[place] = d;
  rssi[place] = strength;
  flags[place] = flag;
}
