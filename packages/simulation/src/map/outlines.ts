import { SceneError } from '../file-problems.js';
import type { OccupiedCells } from './occupied-cells.js';

/** Largest number of lines of a map. */
export const mostMapLines = 500_000;

/** Largest coordinate of a corner, in cells. */
const farthestCorner = 100_000;

/** Directions of a line: to the right, up, to the left, down. */
type Direction = 0 | 1 | 2 | 3;

/** By direction: its line in an SVG path, without the length. */
const commands = ['h', 'v', 'h-', 'v-'] as const;
const turnedLeft = [1, 2, 3, 0] as const;
const turnedRight = [3, 0, 1, 2] as const;

/**
 * Returns the borders between occupied cells and others as an SVG path. It has closed outlines like `M2 0h3v1h-3z`, in cells,
 * with y upwards. Each line is as long as possible, and has its occupied cells to the left. Where two occupied cells touch
 * only at a corner, each has its own outline.
 * @throws SceneError if there are too many lines
 */
export function outlinesOfCells({ width, height, stride, occupied }: OccupiedCells): string {
  /** By direction: from the index of a cell to that of the next one. */
  const next = [1, stride, -1, -stride] as const;
  /** The cells whose lower border is written. */
  const written = new Uint8Array(occupied.length);
  const outlines: string[] = [];
  let lines = 0;
  /** Follows an outline from the left end of the lower border of a cell, where it has a corner. */
  const follow = (first: number): void => {
    let outline = `M${(first % stride) - 1} ${Math.floor(first / stride) - 1}`;
    let line = '';
    let cell = first;
    let direction: Direction = 0;
    let length = 0;
    do {
      length += 1;
      if (direction === 0) written[cell] = 1;
      const ahead: number = cell + next[direction];
      const right: number = ahead + next[turnedRight[direction]];
      if (occupied[ahead] === 1 && occupied[right] !== 1) {
        cell = ahead;
        continue;
      }
      // Each line is written when the next one ends. So the last one is not: z closes the outline.
      outline += line;
      line = `${commands[direction]}${length}`;
      length = 0;
      lines += 1;
      if (lines > mostMapLines)
        throw new SceneError(
          `expected occupied cells with outlines of at most ${mostMapLines} lines, got more`,
        );
      if (occupied[ahead] !== 1) direction = turnedLeft[direction];
      else {
        cell = right;
        direction = turnedRight[direction];
      }
    } while (cell !== first || direction !== 0 || length !== 0);
    outlines.push(`${outline}z`);
  };
  for (let row = 1; row <= height; row++) {
    for (let cell = row * stride + 1; cell <= row * stride + width; cell++) {
      if (occupied[cell] === 1 && occupied[cell - stride] !== 1 && written[cell] !== 1) follow(cell);
    }
  }
  return outlines.join('');
}

const command = /M(\d+) (\d+)|([hv])(-?\d+)|(z)/y;

/**
 * Returns the lines of outlines: x and y of both ends in cells, 4 numbers for each line.
 * @throws SceneError with the position of what is not an outline
 */
export function linesOfOutlines(path: string): Float64Array {
  const lines: number[] = [];
  let [x, y, beginX, beginY] = [0, 0, 0, 0];
  /** The last command; after z or nothing, an outline has to begin. */
  let last = 'z';
  const lineTo = (toX: number, toY: number): void => {
    lines.push(x, y, toX, toY);
    x = toX;
    y = toY;
  };
  command.lastIndex = 0;
  for (let at = 0; at < path.length; at = command.lastIndex) {
    const [, moveX, moveY, axis, length] = command.exec(path) ?? problemAt(path, at);
    if (moveX !== undefined && moveY !== undefined) {
      if (last !== 'z') problemAt(path, at);
      [x, y, last] = [Number(moveX), Number(moveY), 'M'];
      [beginX, beginY] = [x, y];
    } else if (axis !== undefined && length !== undefined) {
      if (last === 'z') problemAt(path, at);
      if (axis === 'h') lineTo(x + Number(length), y);
      else lineTo(x, y + Number(length));
      last = axis;
    } else {
      if (last === 'z' || (x !== beginX && y !== beginY)) problemAt(path, at);
      lineTo(beginX, beginY);
      last = 'z';
    }
    if (!(Math.max(Math.abs(x), Math.abs(y)) <= farthestCorner)) problemAt(path, at);
    if (lines.length > 4 * mostMapLines)
      throw new SceneError(`expected at most ${mostMapLines} lines, got more`);
  }
  if (last !== 'z') problemAt(path, path.length);
  return Float64Array.from(lines);
}

function problemAt(path: string, at: number): never {
  const found = path.slice(at, at + 20) || 'its end';
  throw new SceneError(
    `expected closed outlines like "M2 0h3v1h-3z", with corners up to ${farthestCorner} cells, got ${JSON.stringify(found)} at character ${at + 1}`,
  );
}
