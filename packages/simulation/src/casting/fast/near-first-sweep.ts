import type { Outline } from '../../scene/surfaces.js';
import { type BeamFan, type Frame, type ProjectedLine, projectedLine } from '../beam-fan.js';

/**
 * Number of lines from which this sweep is used. Below it, a scanner that drives and streams gains less than a third of the
 * processor time of a scan.
 */
export const fewestLines = 2000;

/** Steps of distance by which groups are sorted. */
const steps = 64;

/** The nearest surfaces so far: NearestSurfaces of ray-caster.ts. */
interface Nearest {
  readonly least: number;
  readonly nearness: Float64Array;
  readonly cosine: Float64Array;
  readonly material: Uint32Array;
}

/** Relative difference above which one surface is nearer than another despite all rounding. */
const clearlyNearer = 1e-6;

/**
 * Finds the nearest line of each beam, group by group, the nearest groups first. A group is skipped if all beams that could
 * meet it have met something nearer. The result is equal to the result of a sweep over all lines in their order. For scenes
 * of fewer lines, ray-caster.ts does such a sweep.
 *
 * A scan of a scanner that drives and streams uses 34 % less processor time among 2000 lines, 61 % less among 5000, and 74 %
 * less among 19,000.
 */
export class NearFirstSweep {
  readonly #outline: Outline;
  readonly #fan: BeamFan;
  /** By beam: number of its line. */
  readonly #line: Uint32Array;
  readonly #groups: LineGroups;
  /** By group: the centre of its circle in the coordinates of the scanner, and the distance of the circle, in m. */
  readonly #x: Float64Array;
  readonly #y: Float64Array;
  readonly #distance: Float64Array;
  /** The groups, sorted by distance. */
  readonly #order: Uint32Array;
  readonly #stepOf: Uint8Array;
  /** By step: index of its next group in `#order`. */
  readonly #next = new Uint32Array(steps + 1);

  constructor(outline: Outline, fan: BeamFan) {
    this.#outline = outline;
    this.#fan = fan;
    this.#line = new Uint32Array(fan.beams);
    this.#groups = new LineGroups(outline);
    const { count } = this.#groups;
    this.#x = new Float64Array(count);
    this.#y = new Float64Array(count);
    this.#distance = new Float64Array(count);
    this.#order = new Uint32Array(count);
    this.#stepOf = new Uint8Array(count);
  }

  /** Casts the lines, at their position and direction in this frame. `nearest` has no surfaces yet. */
  over(frame: Frame, nearest: Nearest): void {
    this.#sort(this.#locateGroups(frame));
    const order = this.#order;
    for (let at = 0; at < order.length; at++) {
      const group = order[at] ?? 0;
      if (!this.#isHidden(group, nearest.nearness)) this.#overGroup(group, frame, nearest);
    }
  }

  #overGroup(group: number, frame: Frame, nearest: Nearest): void {
    const fan = this.#fan;
    const outline = this.#outline;
    const { begin, lines } = this.#groups;
    const end = begin[group + 1] ?? 0;
    for (let place = begin[group] ?? 0; place < end; place++) {
      const number = lines[place] ?? 0;
      const line = projectedLine(fan, outline, number, frame, nearest.least);
      if (line === undefined) continue;
      const covers = fan.covered(line.from, line.to);
      this.#meet(line, covers.begin, covers.end, number, nearest);
      if (covers.otherEnd >= 0) this.#meet(line, 0, covers.otherEnd, number, nearest);
    }
  }

  /**
   * Meets a line like NearestSurfaces.line, but the lines come in any order. Of lines that are equally near, the one with the
   * lowest number counts, as in the order of numbers.
   */
  #meet({ p, q, height }: ProjectedLine, begin: number, end: number, number: number, nearest: Nearest): void {
    const { cosine, sine } = this.#fan;
    const { nearness: nearnesses, cosine: cosines, material: materials } = nearest;
    const numbers = this.#line;
    const material = this.#outline.ofLine[number] ?? 0;
    for (let beam = begin; beam <= end; beam++) {
      const nearness = (cosine[beam] ?? 0) * p - (sine[beam] ?? 0) * q;
      const before = nearnesses[beam] ?? 0;
      if (nearness > before || (nearness === before && number < (numbers[beam] ?? 0))) {
        nearnesses[beam] = nearness;
        cosines[beam] = nearness * height;
        materials[beam] = material;
        numbers[beam] = number;
      }
    }
  }

  /** Finds the positions of the groups. Returns the distance of the farthest one. */
  #locateGroups({ cosine, sine, x, y }: Frame): number {
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

  /** True if each beam that could meet a group has met something nearer. */
  #isHidden(group: number, nearness: Float64Array): boolean {
    const distance = this.#distance[group] ?? 0;
    if (distance <= 0) return false;
    const radius = this.#groups.radius[group] ?? 0;
    // Tangent of half the angle that the group spans. It replaces this angle, because it is larger.
    const tangent = radius / Math.sqrt(distance * (distance + 2 * radius));
    const half = this.#fan.beamsOf(tangent) + 1;
    const middle = this.#fan.positionOf(this.#x[group] ?? 0, this.#y[group] ?? 0);
    return areAllAbove(nearness, (1 + clearlyNearer) / distance, middle - half, middle + half, this.#fan);
  }
}

/**
 * True if the values of all beams between two positions are above a limit. The positions may be up to 180° before or behind
 * the range of `positionOf`. Beams up to one beyond each position may count, too.
 * @param values by beam
 */
function areAllAbove(
  values: Float64Array,
  limit: number,
  from: number,
  to: number,
  { beams, fullCircle }: BeamFan,
): boolean {
  const last = beams - 1;
  if (to - from >= fullCircle) return areAbove(values, limit, 0, last);
  return (
    areAbove(values, limit, Math.max(0, Math.floor(from)), Math.min(last, Math.ceil(to))) &&
    areAbove(values, limit, Math.max(0, Math.floor(from + fullCircle)), last) &&
    areAbove(values, limit, 0, Math.min(last, Math.ceil(to - fullCircle)))
  );
}

/** True if all values from one index to another, both included, are above a limit. */
function areAbove(values: Float64Array, limit: number, begin: number, end: number): boolean {
  for (let place = begin; place <= end; place++) if (!((values[place] ?? 0) > limit)) return false;
  return true;
}

/** Average number of lines of a group. With fewer lines, there are more groups to check; with more, fewer groups are hidden. */
const linesOfGroup = 8;

/** Cells of the raster. Longer lines are groups of their own. */
const longLine = 2;

/** m by which the circle of a group is larger than its lines: more than the rounding of coordinates. */
const roundingError = 1e-9;

/** The lines of an outline in groups of neighbours, each with a circle about all its lines. */
class LineGroups {
  /** Number of groups. */
  readonly count: number;
  /** Numbers of the lines, group by group. */
  readonly lines: Uint32Array;
  /** By group: index of its first line in `lines`. One more entry is the end of the last group. */
  readonly begin: Uint32Array;
  /** By group: centre and radius of its circle in m. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly radius: Float64Array;

  /** @param outline with at least one line */
  constructor(outline: Outline) {
    const groups = groupsOf(outline);
    this.count = groups.length;
    this.lines = Uint32Array.from(groups.flat());
    this.begin = new Uint32Array(groups.length + 1);
    this.x = new Float64Array(groups.length);
    this.y = new Float64Array(groups.length);
    this.radius = new Float64Array(groups.length);
    for (const [group, lines] of groups.entries()) {
      const box = new Box();
      for (const line of lines) {
        const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = endsOf(outline, line);
        box.include(x1, y1);
        box.include(x2, y2);
      }
      this.begin[group + 1] = (this.begin[group] ?? 0) + lines.length;
      this.x[group] = (box.left + box.right) / 2;
      this.y[group] = (box.bottom + box.top) / 2;
      this.radius[group] = Math.hypot(box.width, box.height) / 2 + roundingError;
    }
  }
}

/** The smallest rectangle about points. */
class Box {
  left = Number.POSITIVE_INFINITY;
  right = Number.NEGATIVE_INFINITY;
  bottom = Number.POSITIVE_INFINITY;
  top = Number.NEGATIVE_INFINITY;

  include(x: number, y: number): void {
    this.left = Math.min(this.left, x);
    this.right = Math.max(this.right, x);
    this.bottom = Math.min(this.bottom, y);
    this.top = Math.max(this.top, y);
  }

  get width(): number {
    return this.right - this.left;
  }

  get height(): number {
    return this.top - this.bottom;
  }
}

function endsOf({ lines }: Outline, line: number): Float64Array {
  return lines.subarray(4 * line, 4 * line + 4);
}

/** Returns the numbers of the lines by cell of a raster: a line is in the cell of its middle. */
function groupsOf(outline: Outline): number[][] {
  const count = outline.ofLine.length;
  const box = new Box();
  for (let line = 0; line < count; line++) {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = endsOf(outline, line);
    box.include((x1 + x2) / 2, (y1 + y2) / 2);
  }
  // If all middles are on one line along an axis, the raster is a row of cells.
  const cell =
    Math.sqrt((box.width * box.height * linesOfGroup) / count) ||
    ((box.width + box.height) * linesOfGroup) / count ||
    1;
  const columns = Math.floor(box.width / cell) + 1;
  const cells = new Map<number, number[]>();
  const groupsOfOne: number[][] = [];
  for (let line = 0; line < count; line++) {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = endsOf(outline, line);
    if (Math.hypot(x2 - x1, y2 - y1) > longLine * cell) {
      groupsOfOne.push([line]);
      continue;
    }
    const column = Math.floor(((x1 + x2) / 2 - box.left) / cell);
    const row = Math.floor(((y1 + y2) / 2 - box.bottom) / cell);
    const place = row * columns + column;
    const lines = cells.get(place);
    if (lines === undefined) cells.set(place, [line]);
    else lines.push(line);
  }
  return [...groupsOfOne, ...cells.values()];
}
