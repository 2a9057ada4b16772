import type { Outline } from '../../scene/surfaces.js';
import type { BeamFan } from '../beam-poses.js';
import { despiteRounding, type LineOnRays, type Meetings, type Rays, touching } from '../rays.js';

/**
 * Number of lines from which this sweep is used. Below it, a scanner that drives and streams gains less than a third of the
 * processor time of a scan.
 */
export const fewestLines = 2000;

/** Steps of distance by which groups are sorted. */
const steps = 64;

/** The nearest surfaces so far: NearestSurfaces of ray-caster.ts. */
interface Nearest {
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
  readonly #numbered: NumberedLines;
  readonly #groups: LineGroups;
  /** By group: no ray meets it nearer than this, in m. */
  readonly #distance: Float64Array;
  /** The groups, sorted by distance. */
  readonly #order: Uint32Array;
  readonly #stepOf: Uint8Array;
  /** By step: index of its next group in `#order`. After sorting: index of the end of the step. */
  readonly #next = new Uint32Array(steps + 1);

  constructor(outline: Outline, fan: BeamFan) {
    this.#outline = outline;
    this.#numbered = new NumberedLines(outline, fan);
    this.#groups = groupsOf(outline);
    const { count } = this.#groups;
    this.#distance = new Float64Array(count);
    this.#order = new Uint32Array(count);
    this.#stepOf = new Uint8Array(count);
  }

  /** Casts the lines with the selected rays. `nearest` has no surfaces for them yet. */
  over(rays: Rays, nearest: Nearest): void {
    const metresPerStep = this.#sort(this.#locateGroups(rays));
    const order = this.#order;
    this.#numbered.nearest = nearest;
    let at = 0;
    for (let step = 0; step < steps && at < order.length; step++) {
      const end = this.#next[step] ?? 0;
      if (at === end) continue;
      // Everything from here on is hidden.
      if (haveMet(rays, nearest.nearness, step * metresPerStep)) return;
      for (; at < end; at++) {
        const group = order[at] ?? 0;
        if (!this.#isHidden(group, rays, nearest.nearness)) this.#overGroup(group, rays);
      }
    }
  }

  #overGroup(group: number, rays: Rays): void {
    const { begin, lines } = this.#groups;
    const end = begin[group + 1] ?? 0;
    for (let place = begin[group] ?? 0; place < end; place++) {
      const number = lines[place] ?? 0;
      rays.meetLine(this.#outline, number, number, this.#numbered);
    }
  }

  /** Finds the distances of the groups. Returns the distance of the farthest one. */
  #locateGroups(rays: Rays): number {
    const { count, x, y, radius } = this.#groups;
    let farthest = 0;
    for (let group = 0; group < count; group++) {
      const distance = rays.leastDistance(x[group] ?? 0, y[group] ?? 0, radius[group] ?? 0);
      this.#distance[group] = distance;
      if (distance > farthest) farthest = distance;
    }
    return farthest;
  }

  /** Sorts the groups by distance, in steps (counting sort). Returns the length of a step in m. */
  #sort(farthest: number): number {
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
    return stepsPerMetre > 0 ? 1 / stepsPerMetre : 0;
  }

  /** True if each ray that could meet a group has met something nearer. */
  #isHidden(group: number, rays: Rays, nearness: Float64Array): boolean {
    const distance = this.#distance[group] ?? 0;
    if (distance <= 0) return false;
    const { x, y, radius } = this.#groups;
    const toward = rays.toward(x[group] ?? 0, y[group] ?? 0, radius[group] ?? 0);
    const limit = (1 + clearlyNearer) / distance;
    return (
      areAbove(nearness, limit, toward.begin, toward.end) &&
      areAbove(nearness, limit, toward.otherBegin, toward.otherEnd)
    );
  }
}

/**
 * Meets lines like NearestSurfaces, but they come in any order, and with their numbers. Of lines that are equally near, the
 * one with the lowest number counts, as in the order of numbers.
 */
class NumberedLines implements Meetings {
  readonly least = touching;
  readonly bothAtCorners = true;
  nearest: Nearest | undefined;
  /** By beam: number of its line. */
  readonly #line: Uint32Array;
  readonly #outline: Outline;

  constructor(outline: Outline, { beams }: BeamFan) {
    this.#outline = outline;
    this.#line = new Uint32Array(beams);
  }

  line(
    { x, y, dx, dy }: Rays,
    { ex, ey, offset, length }: LineOnRays,
    begin: number,
    end: number,
    number: number,
  ): void {
    if (this.nearest === undefined) return;
    const { nearness: nearnesses, cosine: cosines, material: materials } = this.nearest;
    const numbers = this.#line;
    const material = this.#outline.ofLine[number] ?? 0;
    const side = offset - (x[begin] ?? 0) * ey + (y[begin] ?? 0) * ex > 0 ? 1 : -1;
    const sideX = side * ex;
    const sideY = side * ey;
    const sideOffset = side * offset;
    for (let beam = begin; beam <= end; beam++) {
      const across = (dx[beam] ?? 0) * sideY - (dy[beam] ?? 0) * sideX;
      const height = sideOffset - (x[beam] ?? 0) * sideY + (y[beam] ?? 0) * sideX;
      const before = nearnesses[beam] ?? 0;
      if (across * despiteRounding < before * height) continue;
      const nearness = across / height;
      if (nearness > before || (nearness === before && number < (numbers[beam] ?? 0))) {
        nearnesses[beam] = nearness;
        cosines[beam] = across / length;
        materials[beam] = material;
        numbers[beam] = number;
      }
    }
  }

  circle(): void {
    throw new TypeError('circles have no numbers');
  }
}

/** True if all selected rays have met something nearer than a distance in m. */
function haveMet({ begin, end }: Rays, nearness: Float64Array, distance: number): boolean {
  return distance > 0 && areAbove(nearness, (1 + clearlyNearer) / distance, begin, end - 1);
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
    const { cellOf, cells } = rasterOf(outline);
    const linesIn = new Uint32Array(cells);
    for (const cell of cellOf) linesIn[cell] = (linesIn[cell] ?? 0) + 1;
    this.count = linesIn.reduce((groups, lines) => groups + (lines > 0 ? 1 : 0), 0);
    this.lines = new Uint32Array(cellOf.length);
    this.begin = new Uint32Array(this.count + 1);
    this.x = new Float64Array(this.count);
    this.y = new Float64Array(this.count);
    this.radius = new Float64Array(this.count);
    this.#sortLines(cellOf, linesIn);
    for (let group = 0; group < this.count; group++) this.#surround(group, outline);
  }

  /** Sorts the lines by cell (counting sort). A cell with lines is a group. */
  #sortLines(cellOf: Uint32Array, linesIn: Uint32Array): void {
    /** By cell: index of its next line in `lines`. */
    const next = new Uint32Array(linesIn.length);
    let group = 0;
    let begin = 0;
    for (let cell = 0; cell < linesIn.length; cell++) {
      const lines = linesIn[cell] ?? 0;
      if (lines === 0) continue;
      next[cell] = begin;
      begin += lines;
      group += 1;
      this.begin[group] = begin;
    }
    for (let line = 0; line < cellOf.length; line++) {
      const cell = cellOf[line] ?? 0;
      const place = next[cell] ?? 0;
      next[cell] = place + 1;
      this.lines[place] = line;
    }
  }

  #surround(group: number, { lines: ends }: Outline): void {
    const box = new Box();
    const end = this.begin[group + 1] ?? 0;
    for (let place = this.begin[group] ?? 0; place < end; place++) {
      const at = 4 * (this.lines[place] ?? 0);
      box.include(ends[at] ?? 0, ends[at + 1] ?? 0);
      box.include(ends[at + 2] ?? 0, ends[at + 3] ?? 0);
    }
    this.x[group] = (box.left + box.right) / 2;
    this.y[group] = (box.bottom + box.top) / 2;
    this.radius[group] = Math.hypot(box.width, box.height) / 2 + roundingError;
  }
}

/** Scanners that drive in the same scene use the same groups. */
const known = new WeakMap<Outline, LineGroups>();

function groupsOf(outline: Outline): LineGroups {
  const groups = known.get(outline) ?? new LineGroups(outline);
  known.set(outline, groups);
  return groups;
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

/** Returns the cell of a raster by line: that of its middle, or one of its own for a long line. */
function rasterOf({ lines: ends, ofLine }: Outline): {
  readonly cellOf: Uint32Array;
  readonly cells: number;
} {
  const count = ofLine.length;
  const middles = new Float64Array(2 * count);
  const box = new Box();
  for (let line = 0; line < count; line++) {
    const at = 4 * line;
    const x = ((ends[at] ?? 0) + (ends[at + 2] ?? 0)) / 2;
    const y = ((ends[at + 1] ?? 0) + (ends[at + 3] ?? 0)) / 2;
    middles[2 * line] = x;
    middles[2 * line + 1] = y;
    box.include(x, y);
  }
  // If all middles are close to one line along an axis, the raster is a row of cells.
  const cell =
    Math.max(
      Math.sqrt((box.width * box.height * linesOfGroup) / count),
      ((box.width + box.height) * linesOfGroup) / count,
    ) || 1;
  const columns = Math.floor(box.width / cell) + 1;
  const rows = Math.floor(box.height / cell) + 1;
  const cellOf = new Uint32Array(count);
  let cells = columns * rows;
  for (let line = 0; line < count; line++) {
    const at = 4 * line;
    const width = (ends[at + 2] ?? 0) - (ends[at] ?? 0);
    const height = (ends[at + 3] ?? 0) - (ends[at + 1] ?? 0);
    if (Math.sqrt(width * width + height * height) > longLine * cell) {
      cellOf[line] = cells;
      cells += 1;
      continue;
    }
    const column = Math.floor(((middles[2 * line] ?? 0) - box.left) / cell);
    const row = Math.floor(((middles[2 * line + 1] ?? 0) - box.bottom) / cell);
    cellOf[line] = row * columns + column;
  }
  return { cellOf, cells };
}
