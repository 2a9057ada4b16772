import { compose, type PoseTrack, relative } from './pose-track.js';
import type { Pose, TrueScan } from './true-scan.js';

/**
 * Frames in which drivers give points: the scanner as it is at the time of each beam (nothing is deskewed), the world,
 * or the scanner as it was at the first or the last beam of the scan.
 */
export const pointFrames = ['scanner', 'world', 'begin', 'end'] as const;

export type PointFrame = (typeof pointFrames)[number];

/** How much of the motion since the anchor of a scan a driver has taken into account: 1 all, 0 nothing, -1 backwards. */
export interface Deskewing {
  readonly way: 1 | 0 | -1;
  readonly turn: 1 | 0 | -1;
}

/** How a driver makes points of what the scanner has measured. */
export interface Placement {
  readonly frame: PointFrame;
  readonly deskewing: Deskewing;
  /** µs by which its poses are too late. */
  readonly delay: number;
  readonly mirrored: boolean;
  /** rad, counter-clockwise. */
  readonly turn: number;
  readonly scale: number;
  /** By what its points are multiplied after all else: not their ranges alone. Another unit, for example. */
  readonly unit: number;
  /** m that each range is too long. */
  readonly offset: number;
  /** m, in the axes of the scanner. */
  readonly x: number;
  readonly y: number;
  /** Number of scans by which its ranges are too old. */
  readonly lag: number;
  /** Whether its poses are those of the older scan, too. */
  readonly lagsPoses: boolean;
}

/** The right placement in a frame. */
export function rightPlacement(frame: PointFrame): Placement {
  return {
    frame,
    deskewing: { way: 1, turn: 1 },
    ...{
      delay: 0,
      mirrored: false,
      turn: 0,
      scale: 1,
      unit: 1,
      offset: 0,
      x: 0,
      y: 0,
      lag: 0,
      lagsPoses: false,
    },
  };
}

/** The points of a scan, and what the beams of this scan and of the ones before it met. */
export interface MeasuredScan {
  readonly truth: TrueScan;
  /** By lag: the scan itself, the one before it, … Scans that are not known are undefined. */
  readonly earlier: readonly (TrueScan | undefined)[];
  /** m, in a frame. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** µs; NaN for points without a time. */
  readonly time: Float64Array;
}

/** A point, taken back to what was measured. The object is reused. */
export interface Located {
  /** The beam; it may lie between two beams, or outside of the scan. */
  beam: number;
  /** m. */
  range: number;
}

/** Steps from a beam to the one that was measured at its pose: each is at least ten times as near. */
const steps = 3;

/** Takes points of one scan back to the beams that have measured them, if they were placed in this way. */
export class PointLocator {
  readonly #placement: Placement;
  readonly #truth: TrueScan;
  readonly #track: PoseTrack;
  readonly #reference: Pose = { x: 0, y: 0, heading: 0 };
  readonly #anchor: Pose = { x: 0, y: 0, heading: 0 };
  readonly #pose: Pose = { x: 0, y: 0, heading: 0 };
  readonly #point: Pose = { x: 0, y: 0, heading: 0 };
  readonly #standing: boolean;

  constructor(placement: Placement, truth: TrueScan, track: PoseTrack) {
    this.#placement = placement;
    this.#truth = truth;
    this.#track = track;
    const { frame, deskewing, delay } = placement;
    if (frame === 'begin') track.pose(truth.begin, this.#reference);
    if (frame === 'end') track.pose(truth.end, this.#reference);
    track.pose((frame === 'end' ? truth.end : truth.begin) + delay, this.#anchor);
    this.#standing = deskewing.way === 0 && deskewing.turn === 0;
    if (this.#standing) Object.assign(this.#pose, this.#anchor);
  }

  /** Finds the beam and the range of a point. */
  locate(x: number, y: number, into: Located): void {
    const point = this.#point;
    if (this.#placement.frame === 'scanner') {
      this.#measure(x, y, into);
      return;
    }
    point.x = x / this.#placement.unit;
    point.y = y / this.#placement.unit;
    compose(this.#reference, point, point);
    const [worldX, worldY] = [point.x, point.y];
    into.beam = (this.#truth.beams.length - 1) / 2;
    for (let step = 0; step < (this.#standing ? 1 : steps); step++) {
      if (!this.#standing) this.#poseOf(into.beam);
      point.x = worldX;
      point.y = worldY;
      point.heading = 0;
      relative(this.#pose, point, point);
      this.#measure(point.x, point.y, into);
    }
  }

  /** Computes the pose that the driver has used for a beam. */
  #poseOf(beam: number): void {
    const { deskewing, delay } = this.#placement;
    this.#track.pose(this.#truth.timeAt(beam) + delay, this.#pose);
    if (deskewing.way === 1 && deskewing.turn === 1) return;
    relative(this.#anchor, this.#pose, this.#pose);
    if (deskewing.way === -1 && deskewing.turn === -1) {
      const origin = { x: 0, y: 0, heading: 0 };
      relative(this.#pose, origin, this.#pose);
    } else {
      this.#pose.x *= deskewing.way;
      this.#pose.y *= deskewing.way;
      this.#pose.heading *= deskewing.turn;
    }
    compose(this.#anchor, this.#pose, this.#pose);
  }

  /** @param x m, in the axes of the scanner */
  #measure(x: number, y: number, into: Located): void {
    const { x: shiftX, y: shiftY, mirrored, turn, scale, offset } = this.#placement;
    const ownX = x - shiftX;
    const ownY = mirrored ? shiftY - y : y - shiftY;
    into.beam = this.#truth.beamAt(Math.atan2(ownY, ownX) - turn);
    into.range = (Math.sqrt(ownX * ownX + ownY * ownY) - offset) / scale;
  }
}
