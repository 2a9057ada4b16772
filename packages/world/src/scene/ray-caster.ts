import type { ScanGeometry } from '@azimuth/device';
import { BeamFan, Sweep } from './beam-fan.js';
import { Crossings } from './crossings.js';
import { fewestLines, NearFirstSweep } from './near-first-sweep.js';
import { NearestSurfaces, touching } from './nearest-surfaces.js';
import { Frame, type Pose } from './pose.js';
import type { BodyOutlines } from './surfaces.js';

const origin: Pose = { x: 0, y: 0, heading: 0 };

/**
 * Casts the beams of a scan. For each beam, the nearest opaque surface is kept, and all crossings with glass and outlines of
 * fog are listed. Bodies that do not move are cast again only if the scanner has moved. What is kept of them where bodies
 * move, is kept from the second scan at a pose on: a scanner that drives never uses it. All arrays are made once.
 */
export class RayCaster {
  readonly glass: Crossings;
  readonly fog: Crossings;
  /** Counts the poses at which the bodies that do not move were cast. */
  casts = 0;
  /** Whether a body that moves was cast. */
  hasMoving = false;
  readonly #fan: BeamFan;
  readonly #sweep: Sweep;
  /** For many opaque lines that do not move, from the second pose on. */
  #nearFirst: NearFirstSweep | undefined;
  readonly #frame = new Frame();
  readonly #nearest: NearestSurfaces;
  /** Without the bodies that move, if `#kept`. */
  readonly #nearestStanding: NearestSurfaces;
  #kept = false;
  /** Whether the scan before was cast at the same pose. */
  #repeats = false;
  #standing: BodyOutlines | undefined;
  readonly #scanner: Pose = { x: 0.5, y: 0.5, heading: 0.5 };

  constructor(geometry: ScanGeometry) {
    const fan = new BeamFan(geometry);
    this.#fan = fan;
    this.#sweep = new Sweep(fan);
    this.#nearest = new NearestSurfaces(fan);
    this.#nearestStanding = new NearestSurfaces(fan);
    this.glass = new Crossings(fan, touching);
    this.fog = new Crossings(fan, 0);
  }

  /** By beam: 1 / distance of the nearest opaque surface in 1/m; 0 if there is none. */
  get nearness(): Float64Array {
    return this.#nearest.nearness;
  }

  /** By beam: cosine of the angle of incidence there. */
  get cosine(): Float64Array {
    return this.#nearest.cosine;
  }

  /** By beam: number of its material. */
  get material(): Uint32Array {
    return this.#nearest.material;
  }

  /** `nearness` without the bodies that move. It is not there for the first scan at a pose. */
  get standingNearness(): Float64Array {
    return this.hasMoving ? this.#nearestStanding.nearness : this.#nearest.nearness;
  }

  /** Casts the beams of a scanner at this pose over all bodies that do not move. All bodies that move are forgotten. */
  castStanding(standing: BodyOutlines, scanner: Pose): void {
    this.#repeats = standing === this.#standing && this.#isAt(scanner);
    if (!this.#repeats) this.#castAt(standing, scanner);
    else if (this.hasMoving) this.#castAgain(standing);
    this.hasMoving = false;
  }

  /** Casts the beams over one more body that moves, with its place and direction in this frame. */
  castMoving({ opaque, glass, fog }: BodyOutlines, frame: Frame): void {
    if (!this.hasMoving && this.#repeats) this.#keepStanding();
    this.hasMoving = true;
    this.#sweep.over(opaque, frame, this.#nearest);
    this.#sweep.over(glass, frame, this.glass);
    this.#sweep.over(fog, frame, this.fog);
  }

  #isAt({ x, y, heading }: Pose): boolean {
    return x === this.#scanner.x && y === this.#scanner.y && heading === this.#scanner.heading;
  }

  #castAt(standing: BodyOutlines, scanner: Pose): void {
    this.#prepare(standing);
    this.#scanner.x = scanner.x;
    this.#scanner.y = scanner.y;
    this.#scanner.heading = scanner.heading;
    this.#frame.set(origin, scanner);
    this.#castOpaque(standing);
    this.#castClear(standing);
    this.#kept = false;
    this.casts += 1;
  }

  /** A scanner that never moves casts these bodies once, and needs no groups of lines. */
  #prepare(standing: BodyOutlines): void {
    const { opaque } = standing;
    if (standing !== this.#standing) this.#nearFirst = undefined;
    else if (opaque.ofLine.length >= fewestLines) this.#nearFirst ??= new NearFirstSweep(opaque, this.#fan);
    this.#standing = standing;
  }

  /** Casts once more at the same pose. */
  #castAgain(standing: BodyOutlines): void {
    if (this.#kept) this.#nearest.copy(this.#nearestStanding);
    else this.#castOpaque(standing);
    this.#castClear(standing);
  }

  /** Casts opaque bodies that do not move. */
  #castOpaque({ opaque }: BodyOutlines): void {
    const nearest = this.#nearest;
    nearest.clear();
    if (this.#nearFirst === undefined) this.#sweep.over(opaque, this.#frame, nearest);
    else {
      this.#nearFirst.over(this.#frame, nearest);
      this.#sweep.overCircles(opaque, this.#frame, nearest);
    }
  }

  /** Casts glass and fog that do not move. */
  #castClear({ glass, fog }: BodyOutlines): void {
    this.glass.clear();
    this.fog.clear();
    this.#sweep.over(glass, this.#frame, this.glass);
    this.#sweep.over(fog, this.#frame, this.fog);
  }

  #keepStanding(): void {
    if (this.#kept) return;
    this.#nearestStanding.copy(this.#nearest);
    this.#kept = true;
  }
}
