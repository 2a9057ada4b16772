import type { Outline } from './surfaces.js';

/** Lines of a group, on average. With fewer, there are more groups to look at; with more, fewer of them are hidden. */
const linesOfGroup = 8;

/** Lines that are longer than this many cells of the raster are groups of their own. */
const longLine = 2;

/** m by which the circle of a group is larger than its lines: more than the rounding of coordinates. */
const roundingError = 1e-9;

/** The lines of an outline in groups of neighbours, each with a circle about all its lines. */
export class LineGroups {
  /** Number of groups. */
  readonly count: number;
  /** The numbers of the lines, group by group. */
  readonly lines: Uint32Array;
  /** By group: where its lines begin in `lines`. One more entry is the end of the last group. */
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

/** The numbers of the lines by cell of a raster: a line is in the cell of its middle. */
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
  const alone: number[][] = [];
  for (let line = 0; line < count; line++) {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = endsOf(outline, line);
    if (Math.hypot(x2 - x1, y2 - y1) > longLine * cell) {
      alone.push([line]);
      continue;
    }
    const column = Math.floor(((x1 + x2) / 2 - box.left) / cell);
    const row = Math.floor(((y1 + y2) / 2 - box.bottom) / cell);
    const place = row * columns + column;
    const lines = cells.get(place);
    if (lines === undefined) cells.set(place, [line]);
    else lines.push(line);
  }
  return [...alone, ...cells.values()];
}
