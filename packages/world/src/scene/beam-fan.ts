import type { ScanGeometry } from '@azimuth/device';
import { radiansPerDegree } from './pose.js';

/**
 * How far from a beam, in beams, the end of a surface counts as on it: far above the rounding of angles, far below
 * what could be seen. So no light leaks where two walls meet.
 */
const onBeam = 1e-9;

/**
 * The directions of the beams of a scan, and which beams a surface covers: one or two runs of beams, as it may
 * reach over the seam where the count begins anew. A run is empty where its end lies before its begin.
 */
export class BeamFan {
  readonly beams: number;
  readonly cosine: Float64Array;
  readonly sine: Float64Array;
  begin = 0;
  end = -1;
  otherBegin = 0;
  otherEnd = -1;
  readonly #first: number;
  readonly #beamsPerRadian: number;
  /** Beams of a whole turn, the blind sector included. */
  readonly #turn: number;

  constructor({ firstAngle, step, beams }: ScanGeometry) {
    this.beams = beams;
    this.cosine = new Float64Array(beams);
    this.sine = new Float64Array(beams);
    for (let beam = 0; beam < beams; beam++) {
      const angle = (firstAngle + beam * step) * radiansPerDegree;
      this.cosine[beam] = Math.cos(angle);
      this.sine[beam] = Math.sin(angle);
    }
    this.#first = (firstAngle - 360 * Math.floor((firstAngle + 180) / 360)) * radiansPerDegree;
    this.#beamsPerRadian = 1 / (step * radiansPerDegree);
    this.#turn = 360 / step;
  }

  /** Where among the beams a point stands: beams from the first one, from 0 up to below a turn. */
  placeOf(x: number, y: number): number {
    const place = (Math.atan2(y, x) - this.#first) * this.#beamsPerRadian;
    if (place < 0) return place + this.#turn;
    return place >= this.#turn ? place - this.#turn : place;
  }

  /** A place that has been moved by less than a turn, brought back among the beams. */
  wrapped(place: number): number {
    if (place < 0) return place + this.#turn;
    return place >= this.#turn ? place - this.#turn : place;
  }

  /** Beams of an angle in radians. */
  beamsOf(angle: number): number {
    return angle * this.#beamsPerRadian;
  }

  /**
   * Covers from one place counter-clockwise to another, less than half a turn on, both included. Sets the runs.
   */
  cover(from: number, to: number): void {
    const last = this.beams - 1;
    const beyond = this.#reaches(from, to);
    this.begin = Math.ceil(from - onBeam);
    this.end = beyond ? last : Math.min(last, Math.floor(to + onBeam));
    this.otherBegin = 0;
    if (beyond) this.otherEnd = Math.min(last, Math.floor(to + onBeam));
    else this.otherEnd = to + onBeam >= this.#turn ? 0 : -1;
  }

  /**
   * Covers from one place, included, up to another, excluded: of two surfaces that share a corner each beam
   * meets one. Sets the runs.
   */
  coverBefore(from: number, to: number): void {
    const last = this.beams - 1;
    const beyond = this.#reaches(from, to);
    this.begin = Math.ceil(from);
    this.end = beyond ? last : Math.min(last, Math.ceil(to) - 1);
    this.otherBegin = 0;
    this.otherEnd = beyond ? Math.min(last, Math.ceil(to) - 1) : -1;
  }

  /** Whether it reaches over the seam; a hair's breadth backwards is rounding. */
  #reaches(from: number, to: number): boolean {
    return from - to > this.#turn / 2;
  }
}
