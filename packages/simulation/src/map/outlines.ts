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

/**
 * Returns the lines of outlines: x and y of both ends in cells, 4 numbers for each line.
 * @throws SceneError with the position of what is not an outline
 */
export function linesOfOutlines(path: string): Float64Array {
  const reader = new PathReader(path);
  // A line takes at least the two characters of its command.
  const lines = new Float64Array(Math.min(4 * mostMapLines, 2 * path.length));
  let count = 0;
  while (!reader.isAtEnd) {
    const begin = reader.at;
    reader.take('M');
    const beginX = reader.number();
    reader.take(' ');
    const beginY = reader.number();
    let [x, y] = [beginX, beginY];
    for (let command = reader.next('hvz'); ; command = reader.next('hvz')) {
      const [fromX, fromY] = [x, y];
      if (command === 'h') x += reader.number();
      else if (command === 'v') y += reader.number();
      else [x, y] = [beginX, beginY];
      // The lines of a map are along its axes.
      if ((x !== fromX && y !== fromY) || Math.max(Math.abs(x), Math.abs(y)) > farthestCorner)
        throw reader.problemAt(begin);
      if (count === 4 * mostMapLines)
        throw new SceneError(`expected at most ${mostMapLines} lines, got more`);
      lines[count] = fromX;
      lines[count + 1] = fromY;
      lines[count + 2] = x;
      lines[count + 3] = y;
      count += 4;
      if (command === 'z') break;
    }
  }
  return lines.slice(0, count);
}

const zero = 48;
/** Digits of the largest number. */
const mostDigits = 6;

/** Reads an SVG path, character by character: a map may have megabytes of them. */
class PathReader {
  readonly #path: string;
  /** Index of the next character. */
  at = 0;

  constructor(path: string) {
    this.#path = path;
  }

  get isAtEnd(): boolean {
    return this.at === this.#path.length;
  }

  /** Reads one of these characters, and returns it. @throws SceneError */
  next(expected: string): string {
    const found = this.#path.charAt(this.at);
    if (found === '' || !expected.includes(found)) throw this.problemAt(this.at);
    this.at += 1;
    return found;
  }

  /** Reads this character. @throws SceneError */
  take(expected: string): void {
    this.next(expected);
  }

  /** Reads a whole number. @throws SceneError */
  number(): number {
    const isNegative = this.#path.charAt(this.at) === '-';
    if (isNegative) this.at += 1;
    const begin = this.at;
    let number = 0;
    for (; this.at - begin < mostDigits; this.at++) {
      const digit = this.#path.charCodeAt(this.at) - zero;
      if (!(digit >= 0 && digit <= 9)) break;
      number = 10 * number + digit;
    }
    if (this.at === begin) throw this.problemAt(begin);
    return isNegative ? -number : number;
  }

  problemAt(at: number): SceneError {
    const found = at >= this.#path.length ? 'its end' : JSON.stringify(this.#path.slice(at, at + 20));
    return new SceneError(
      `expected closed outlines like "M2 0h3v1h-3z", with corners up to ${farthestCorner} cells, got ${found} at character ${at + 1}`,
    );
  }
}
