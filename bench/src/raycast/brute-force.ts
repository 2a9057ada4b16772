import type { ScanGeometry } from '@azimuth/device';
import type { Pose } from './scene.js';

const radiansPerDegree = Math.PI / 180;

/**
 * Tests each beam against each line: the straightforward way to cast a scan. Arrays are allocated once; what all
 * beams share about a line is computed once a scan; a line behind the nearest one so far costs two
 * multiplications.
 */
export class BruteForce {
  /** By beam: 1 / distance to the line that it hits, in 1/m; 0 if it hits none. */
  readonly nearness: Float64Array;
  /** By beam: cosine of the angle of incidence there. */
  readonly cosine: Float64Array;
  /** By beam: the line that it hits. */
  readonly line: Int32Array;
  readonly #lines: Float64Array;
  readonly #directionX: Float64Array;
  readonly #directionY: Float64Array;
  readonly #ax: Float64Array;
  readonly #ay: Float64Array;
  readonly #bx: Float64Array;
  readonly #by: Float64Array;
  readonly #p: Float64Array;
  readonly #q: Float64Array;
  readonly #height: Float64Array;

  /** @param lines x and y of both ends in m: 4 numbers a line. */
  constructor({ beams, firstAngle, step }: ScanGeometry, lines: Float64Array) {
    const count = lines.length / 4;
    this.nearness = new Float64Array(beams);
    this.cosine = new Float64Array(beams);
    this.line = new Int32Array(beams);
    this.#lines = lines;
    const angle = (beam: number) => (firstAngle + beam * step) * radiansPerDegree;
    this.#directionX = Float64Array.from({ length: beams }, (_, beam) => Math.cos(angle(beam)));
    this.#directionY = Float64Array.from({ length: beams }, (_, beam) => Math.sin(angle(beam)));
    this.#ax = new Float64Array(count);
    this.#ay = new Float64Array(count);
    this.#bx = new Float64Array(count);
    this.#by = new Float64Array(count);
    this.#p = new Float64Array(count);
    this.#q = new Float64Array(count);
    this.#height = new Float64Array(count);
  }

  cast(scanner: Pose): void {
    this.#see(scanner);
    const { nearness, cosine, line } = this;
    const [ax, ay, bx, by] = [this.#ax, this.#ay, this.#bx, this.#by];
    const [p, q] = [this.#p, this.#q];
    const count = p.length;
    for (let beam = 0; beam < nearness.length; beam++) {
      const c = this.#directionX[beam] ?? 0;
      const s = this.#directionY[beam] ?? 0;
      let best = 0;
      let met = -1;
      for (let at = 0; at < count; at++) {
        const near = c * (p[at] ?? 0) - s * (q[at] ?? 0);
        if (near <= best) continue;
        const a = (ax[at] ?? 0) * s - (ay[at] ?? 0) * c;
        const b = (bx[at] ?? 0) * s - (by[at] ?? 0) * c;
        if (a * b > 0) continue;
        best = near;
        met = at;
      }
      nearness[beam] = best;
      cosine[beam] = met < 0 ? 0 : best * (this.#height[met] ?? 0);
      line[beam] = met;
    }
  }

  /** The lines as the scanner sees them. Along a beam (c, s) a line is 1 / (c * p - s * q) away. */
  #see({ x, y, heading }: Pose): void {
    const lines = this.#lines;
    const [c, s] = [Math.cos(heading), Math.sin(heading)];
    for (let at = 0; at < this.#p.length; at++) {
      const x1 = (lines[4 * at] ?? 0) - x;
      const y1 = (lines[4 * at + 1] ?? 0) - y;
      const x2 = (lines[4 * at + 2] ?? 0) - x;
      const y2 = (lines[4 * at + 3] ?? 0) - y;
      const ax = c * x1 + s * y1;
      const ay = c * y1 - s * x1;
      const bx = c * x2 + s * y2;
      const by = c * y2 - s * x2;
      const cross = ax * by - ay * bx;
      const [dx, dy] = [bx - ax, by - ay];
      this.#ax[at] = ax;
      this.#ay[at] = ay;
      this.#bx[at] = bx;
      this.#by[at] = by;
      this.#p[at] = dy / cross;
      this.#q[at] = dx / cross;
      this.#height[at] = Math.abs(cross) / Math.sqrt(dx * dx + dy * dy);
    }
  }
}
