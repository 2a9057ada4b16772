import { PNG } from 'pngjs';
import type { Colour, Drawing, Piece } from './drawing.js';

/** Encodes a drawing as a PNG file. */
export function encodePng(drawing: Drawing): Uint8Array {
  const { width, height, pixels } = rasterize(drawing);
  const png = new PNG({ width, height });
  png.data = Buffer.from(pixels.buffer, pixels.byteOffset, pixels.byteLength);
  return PNG.sync.write(png, { colorType: 2 });
}

type PieceOf<K extends Piece['kind']> = Extract<Piece, { kind: K }>;

/** Paints a drawing, piece by piece. */
function rasterize({ width, height, ground, pieces }: Drawing): Raster {
  const raster = new Raster(width, height, ground);
  for (const piece of pieces) paint(raster, piece);
  return raster;
}

function paint(raster: Raster, piece: Piece): void {
  const { x, y, colour } = piece;
  switch (piece.kind) {
    case 'sector':
      raster.paint(around(piece, piece.radius), colour, 1, (px, py) =>
        isInSector(piece, angleFromUp(piece, px, py)) ? piece.radius - length(px - x, py - y) : -1,
      );
      break;
    case 'arc':
      raster.paint(around(piece, piece.radius + piece.width), colour, 1, (px, py) => {
        const depth = piece.width / 2 - Math.abs(length(px - x, py - y) - piece.radius);
        return depth > -1 && isInSector(piece, angleFromUp(piece, px, py)) ? depth : -1;
      });
      break;
    case 'area':
      paintArea(raster, piece);
      break;
    case 'line':
      stroke(raster, piece, piece.toX, piece.toY, piece.width, piece);
      break;
    case 'dot':
      raster.paint(
        around(piece, piece.radius),
        colour,
        piece.opacity,
        (px, py) => piece.radius - length(px - x, py - y),
      );
      break;
    case 'box':
      raster.paint([x, y, x + piece.width, y + piece.height], colour, 1, (px, py) =>
        Math.min(px - x, x + piece.width - px, py - y, y + piece.height - py),
      );
      break;
    case 'text':
      write(raster, piece);
  }
}

/** Number of angle steps: a step is less than a pixel. */
const angleSteps = 8192;

/** Limit for the steps of all beams of an area: many revolutions, but not one for each beam. */
const maxSteps = 64 * angleSteps;

function paintArea(raster: Raster, area: PieceOf<'area'>): void {
  const reach = new Float32Array(angleSteps);
  let left = maxSteps;
  area.angles.forEach((angle, i) => {
    const next = area.angles[i + 1];
    const half = Math.min(Math.PI, next === undefined ? halfStep(area.angles) : Math.abs(next - angle) / 2);
    // Within one revolution: the steps of very large angles would be lost to rounding.
    const turned = angle % (2 * Math.PI);
    const from = angleStep(turned - half);
    const to = Math.min(angleStep(turned + half), from + left);
    if (Number.isNaN(to)) return;
    left -= to - from;
    for (let step = from; step <= to; step++) reach[wrapped(step)] = area.radii[i] ?? 0;
  });
  const farthest = area.radii.reduce((most, value) => Math.max(most, value), 0);
  raster.paint(around(area, farthest), area.colour, 1, (px, py) => {
    const step = wrapped(angleStep(angleFromUp(area, px, py)));
    return (reach[step] ?? 0) - length(px - area.x, py - area.y);
  });
}

function halfStep(angles: readonly number[]): number {
  const [first = 0, second = first] = angles;
  return Math.abs(second - first) / 2;
}

function angleStep(angle: number): number {
  return Math.round((angle / (2 * Math.PI)) * angleSteps);
}

function wrapped(step: number): number {
  return ((step % angleSteps) + angleSteps) % angleSteps;
}

/** Returns the pixels of a letter, joined to smooth strokes. */
function write(raster: Raster, piece: PieceOf<'text'>): void {
  const unit = piece.size / 10;
  const characters = [...piece.text];
  const width = (characters.length * letterGrid.advance - 1) * unit;
  const left = piece.x - { start: 0, middle: width / 2, end: width }[piece.anchor];
  const top = piece.y - (letterGrid.above - 0.5) * unit;
  characters.forEach((character, i) => {
    const isBlack = letter(character);
    const from = left + i * letterGrid.advance * unit;
    const centreOf = (column: number, row: number) => ({
      x: from + (column + 0.5) * unit,
      y: top + row * unit,
    });
    for (const [column, row, toColumn, toRow] of letterStrokes(isBlack)) {
      const to = centreOf(toColumn, toRow);
      stroke(raster, centreOf(column, row), to.x, to.y, unit * 0.95, piece);
    }
  });
}

type Stroke = readonly [column: number, row: number, toColumn: number, toRow: number];

/** Joins each black pixel to its black neighbours; diagonally only if no straight way leads around the corner. */
function letterStrokes(isBlack: (column: number, row: number) => boolean): Stroke[] {
  const strokes: Stroke[] = [];
  for (let column = 0; column < letterGrid.columns; column++) {
    for (let row = 0; row < letterGrid.rows; row++) {
      if (!isBlack(column, row)) continue;
      strokes.push([column, row, column, row]);
      if (isBlack(column + 1, row)) strokes.push([column, row, column + 1, row]);
      if (isBlack(column, row + 1)) strokes.push([column, row, column, row + 1]);
      for (const down of [-1, 1]) {
        const corner = isBlack(column + 1, row) || isBlack(column, row + down);
        if (isBlack(column + 1, row + down) && !corner) strokes.push([column, row, column + 1, row + down]);
      }
    }
  }
  return strokes;
}

function stroke(
  raster: Raster,
  from: { readonly x: number; readonly y: number },
  toX: number,
  toY: number,
  width: number,
  { colour }: Pick<Piece, 'colour'>,
): void {
  const [dx, dy] = [toX - from.x, toY - from.y];
  const square = dx * dx + dy * dy;
  const reach = width / 2 + 1;
  const box = [
    Math.min(from.x, toX) - reach,
    Math.min(from.y, toY) - reach,
    Math.max(from.x, toX) + reach,
    Math.max(from.y, toY) + reach,
  ] as const;
  raster.paint(box, colour, 1, (px, py) => {
    const along = square === 0 ? 0 : ((px - from.x) * dx + (py - from.y) * dy) / square;
    const part = Math.min(1, Math.max(0, along));
    return width / 2 - length(px - from.x - part * dx, py - from.y - part * dy);
  });
}

/** Much faster than Math.hypot, which also handles numbers that no picture has. */
function length(x: number, y: number): number {
  return Math.sqrt(x * x + y * y);
}

/** Returns the angle from straight up, counter-clockwise, -π to π. */
function angleFromUp({ x, y }: { readonly x: number; readonly y: number }, px: number, py: number): number {
  return Math.atan2(x - px, y - py);
}

function isInSector({ from, to }: { readonly from: number; readonly to: number }, angle: number): boolean {
  return angle >= from && angle <= to;
}

function around({ x, y }: { readonly x: number; readonly y: number }, radius: number) {
  return [x - radius - 1, y - radius - 1, x + radius + 1, y + radius + 1] as const;
}

/** Pixels with soft edges: the distance to the edge of a shape decides the coverage of a pixel. */
class Raster {
  readonly width: number;
  readonly height: number;
  /** Four bytes for each pixel: red, green, blue and 255. */
  readonly pixels: Uint8Array;

  constructor(width: number, height: number, ground: Colour) {
    this.width = width;
    this.height = height;
    this.pixels = new Uint8Array(width * height * 4);
    for (let at = 0; at < this.pixels.length; at += 4) this.pixels.set([...ground, 255], at);
  }

  /**
   * Paints a shape.
   * @param box the pixels that it may cover: left, top, right, bottom
   * @param depth the depth of a point inside the shape, in pixels; below 0 outside
   */
  paint(
    box: readonly [left: number, top: number, right: number, bottom: number],
    colour: Colour,
    opacity: number,
    depth: (x: number, y: number) => number,
  ): void {
    const [left, top, right, bottom] = box;
    const lastRow = Math.min(this.height - 1, Math.ceil(bottom));
    const lastColumn = Math.min(this.width - 1, Math.ceil(right));
    for (let row = Math.max(0, Math.floor(top)); row <= lastRow; row++) {
      for (let column = Math.max(0, Math.floor(left)); column <= lastColumn; column++) {
        const covered = Math.min(1, Math.max(0, depth(column + 0.5, row + 0.5) + 0.5));
        if (covered > 0) this.#blend((row * this.width + column) * 4, colour, covered * opacity);
      }
    }
  }

  #blend(at: number, colour: Colour, share: number): void {
    for (let channel = 0; channel < 3; channel++) {
      const below = this.pixels[at + channel] ?? 0;
      this.pixels[at + channel] = Math.round(below + ((colour[channel] ?? 0) - below) * share);
    }
  }
}

/**
 * Letters of five columns and seven rows for pictures: each letter as five columns of two hexadecimal digits, from the
 * left, the lowest bit on top. From the blank (32) to the tilde (126), then the degree sign and the middle dot.
 */
const columns = [
  '0000000000 00005f0000 0007000700 147f147f14 242a7f2a12 2313086462 3649562050 0000070000',
  '001c224100 0041221c00 2a1c7f1c2a 08083e0808 0050300000 0808080808 0060600000 2010080402',
  '3e5149453e 00427f4000 4261514946 2141454b31 1814127f10 2745454539 3c4a494930 0171090503',
  '3649494936 064949291e 0036360000 0056360000 0814224100 1414141414 0041221408 0201510906',
  '324979413e 7e1111117e 7f49494936 3e41414122 7f4141221c 7f49494941 7f09090901 3e4149497a',
  '7f0808087f 00417f4100 2040413f01 7f08142241 7f40404040 7f020c027f 7f0408107f 3e4141413e',
  '7f09090906 3e4151215e 7f09192946 4649494931 01017f0101 3f4040403f 1f2040201f 3f4038403f',
  '6314081463 0708700807 6151494543 007f414100 0204081020 0041417f00 0402010204 4040404040',
  '0001020400 2054545478 7f48444438 3844444420 384444487f 3854545418 087e090102 0c5252523e',
  '7f08040478 00447d4000 2040443d00 7f10284400 00417f4000 7c04180478 7c08040478 3844444438',
  '7c14141408 081414187c 7c08040408 4854545420 043f444020 3c4040207c 1c2040201c 3c4030403c',
  '4428102844 0c5050503c 4464544c44 0008364100 00007f0000 0041360800 0804081008 0006090906',
  '0000080000',
]
  .join(' ')
  .split(' ');

/** Letters that extend below the line, of nine rows: three digits for each column. */
const below: Readonly<Record<string, string>> = {
  g: '0381441441440fc',
  j: '0000801000fd000',
  p: '1fc044044044038',
  q: '0380440440441fc',
  y: '03c1401401400fc',
};

const order = `${Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join('')}°·`;

/** Returns the black ones of the 5 × 9 pixels of a letter; an unknown character becomes a question mark. */
export function letter(character: string): (column: number, row: number) => boolean {
  const at = order.indexOf(character);
  const digits = below[character] ?? columns[at === -1 ? order.indexOf('?') : at] ?? '';
  const width = digits.length / 5;
  const bits = [0, 1, 2, 3, 4].map((i) => Number.parseInt(digits.slice(i * width, (i + 1) * width), 16));
  return (column, row) => (((bits[column] ?? 0) >> row) & 1) === 1;
}

/** Columns from one letter to the next, and number of rows above the base line. */
const letterGrid = { columns: 5, advance: 6, rows: 9, above: 7 } as const;
