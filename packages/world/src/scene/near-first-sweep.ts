import { type BeamFan, ProjectedLine } from './beam-fan.js';
import { LineGroups } from './line-groups.js';
import type { NearestSurfaces } from './nearest-surfaces.js';
import type { Frame } from './pose.js';
import type { Outline } from './surfaces.js';

/** Below this number of lines, a sweep over all of them takes as long. */
export const fewestLines = 256;

/** Steps of distance by which groups are sorted. */
const steps = 64;

/** Relative difference above which one surface is nearer than another despite all rounding. */
const clearlyNearer = 1e-6;

/**
 * Finds the nearest line of each beam, group by group, the nearest groups first. A group is left out if each beam that could
 * meet it has met something nearer. The result is the same as that of a sweep over all lines in their order.
 */
export class NearFirstSweep {
  readonly #outline: Outline;
  readonly #fan: BeamFan;
  readonly #line: ProjectedLine;
  readonly #groups: LineGroups;
  /** By group: the centre of its circle in the coordinates of the scanner, and the distance of the circle, in m. */
  readonly #x: Float64Array;
  readonly #y: Float64Array;
  readonly #distance: Float64Array;
  /** The groups, sorted by distance. */
  readonly #order: Uint32Array;
  readonly #stepOf: Uint8Array;
  /** By step: the place of its next group in `#order`. */
  readonly #next = new Uint32Array(steps + 1);

  constructor(outline: Outline, fan: BeamFan) {
    this.#outline = outline;
    this.#fan = fan;
    this.#line = new ProjectedLine(fan);
    this.#groups = new LineGroups(outline);
    const { count } = this.#groups;
    this.#x = new Float64Array(count);
    this.#y = new Float64Array(count);
    this.#distance = new Float64Array(count);
    this.#order = new Uint32Array(count);
    this.#stepOf = new Uint8Array(count);
  }

  /** Casts the lines, with their place and direction in this frame. `nearest` has no surfaces yet. */
  over(frame: Frame, nearest: NearestSurfaces): void {
    this.#sort(this.#see(frame));
    const order = this.#order;
    for (let at = 0; at < order.length; at++) {
      const group = order[at] ?? 0;
      if (!this.#isHidden(group, nearest.nearness)) this.#overGroup(group, frame, nearest);
    }
  }

  #overGroup(group: number, frame: Frame, nearest: NearestSurfaces): void {
    const fan = this.#fan;
    const projected = this.#line;
    const outline = this.#outline;
    const { begin, lines } = this.#groups;
    const end = begin[group + 1] ?? 0;
    for (let place = begin[group] ?? 0; place < end; place++) {
      const line = lines[place] ?? 0;
      if (!projected.project(outline, line, frame, nearest.least)) continue;
      fan.cover(projected.from, projected.to);
      const of = outline.ofLine[line] ?? 0;
      nearest.lineInAnyOrder(projected, fan.begin, fan.end, of, line);
      if (fan.otherEnd >= 0) nearest.lineInAnyOrder(projected, fan.otherBegin, fan.otherEnd, of, line);
    }
  }

  /** Finds where the groups are. Returns the distance of the farthest one. */
  #see({ cosine, sine, x, y }: Frame): number {
    const groups = this.#groups;
    let farthest = 0;
    for (let group = 0; group < groups.count; group++) {
      const ownX = groups.x[group] ?? 0;
      const ownY = groups.y[group] ?? 0;
      const seenX = cosine * ownX - sine * ownY + x;
      const seenY = sine * ownX + cosine * ownY + y;
      const distance = Math.sqrt(seenX * seenX + seenY * seenY) - (groups.radius[group] ?? 0);
      this.#x[group] = seenX;
      this.#y[group] = seenY;
      this.#distance[group] = distance;
      if (distance > farthest) farthest = distance;
    }
    return farthest;
  }

  /** Sorts the groups by distance, in steps (counting sort). */
  #sort(farthest: number): void {
    const stepOf = this.#stepOf;
    const next = this.#next.fill(0);
    const stepsPerMetre = farthest > 0 ? (steps - 1) / farthest : 0;
    for (let group = 0; group < stepOf.length; group++) {
      const step = (Math.max(0, this.#distance[group] ?? 0) * stepsPerMetre) | 0;
      stepOf[group] = step;
      next[step + 1] = (next[step + 1] ?? 0) + 1;
    }
    for (let step = 1; step <= steps; step++) next[step] = (next[step] ?? 0) + (next[step - 1] ?? 0);
    for (let group = 0; group < stepOf.length; group++) {
      const step = stepOf[group] ?? 0;
      const place = next[step] ?? 0;
      next[step] = place + 1;
      this.#order[place] = group;
    }
  }

  /** Whether each beam that could meet a group has met something nearer. */
  #isHidden(group: number, nearness: Float64Array): boolean {
    const distance = this.#distance[group] ?? 0;
    if (distance <= 0) return false;
    const radius = this.#groups.radius[group] ?? 0;
    // The group spans twice the angle whose tangent is this. The angle itself is smaller.
    const tangent = radius / Math.sqrt(distance * (distance + 2 * radius));
    const half = this.#fan.beamsOf(tangent) + 1;
    const middle = this.#fan.nearPositionOf(this.#x[group] ?? 0, this.#y[group] ?? 0);
    return this.#fan.areAllAbove(nearness, (1 + clearlyNearer) / distance, middle - half, middle + half);
  }
}
