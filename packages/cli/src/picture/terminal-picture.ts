import type { Frame } from '@azimuth/client';
import { fieldOfView } from '@azimuth/model';
import { frameEchoes, metres, ringDistances } from './echoes.js';

/** Meaning of a piece of the picture. */
export type Ink = 'ring' | 'label' | 'echo' | 'reflector' | 'scanner';

interface TerminalPicture {
  /** Characters across and down. */
  readonly columns: number;
  readonly rows: number;
  /** mm. */
  readonly range: number;
  /** Colours a piece; no colour by default. */
  readonly paint?: (text: string, ink: Ink) => string;
}

/** Angle from the axis ahead to the end of the field of view in rad. */
export const fieldEnd = (fieldOfView.maximum / 10_000) * (Math.PI / 180);

/** Extent of the field of view behind the scanner, as a share of the range. */
const backward = -Math.cos(fieldEnd);

/** Dots between two dots of a range ring. */
const ringSpacing = 4;

/**
 * Draws a frame from above, as lines of braille: ahead is up, and the field of view ends at its lower left and lower
 * right.
 */
export function terminalPicture(
  frame: Frame,
  { columns, rows, range, paint = plain }: TerminalPicture,
): string[] {
  const canvases = {
    reflector: new BrailleCanvas(columns, rows),
    echo: new BrailleCanvas(columns, rows),
    ring: new BrailleCanvas(columns, rows),
  };
  const { width, height } = canvases.ring;
  const radius = Math.max(1, Math.min((width - 2) / 2, (height - 2) / (1 + backward)));
  const middle = { x: (width - 1) / 2, y: (height - radius * (1 + backward)) / 2 + radius };

  function dot(canvas: BrailleCanvas, azimuth: number, distance: number): void {
    const way = (distance / range) * radius;
    canvas.dot(middle.x - way * Math.sin(azimuth), middle.y - way * Math.cos(azimuth));
  }

  for (const distance of ringDistances(range)) {
    const step = (ringSpacing * range) / (distance * radius);
    for (let azimuth = -fieldEnd; azimuth <= fieldEnd; azimuth += step) dot(canvases.ring, azimuth, distance);
  }
  for (let way = 0; way <= radius; way += ringSpacing) {
    for (const azimuth of [-fieldEnd, fieldEnd]) dot(canvases.ring, azimuth, (way / radius) * range);
  }
  for (const { azimuth, distance, reflector } of frameEchoes(frame)) {
    if (distance <= range) dot(reflector ? canvases.reflector : canvases.echo, azimuth, distance);
  }

  const labels = new Map<number, string>();
  const scanner = { column: Math.floor(middle.x / 2), row: Math.floor(middle.y / 4) };
  for (const distance of ringDistances(range)) {
    labels.set(Math.floor((middle.y - (distance / range) * radius) / 4), metres(distance));
  }

  function cell(column: number, row: number): readonly [text: string, ink: Ink | undefined] {
    const reflector = canvases.reflector.cell(column, row);
    if (reflector !== undefined) return [reflector, 'reflector'];
    const echo = canvases.echo.cell(column, row);
    if (echo !== undefined) return [echo, 'echo'];
    if (column === scanner.column && row === scanner.row) return ['▲', 'scanner'];
    const label = labels.get(row)?.[column - scanner.column - 1];
    if (label !== undefined) return [label, 'label'];
    const ring = canvases.ring.cell(column, row);
    return ring === undefined ? [' ', undefined] : [ring, 'ring'];
  }

  return Array.from({ length: rows }, (_, row) => {
    const line: [text: string, ink: Ink | undefined][] = [];
    for (let column = 0; column < columns; column++) {
      const [text, ink] = cell(column, row);
      const before = line.at(-1);
      if (before !== undefined && before[1] === ink) before[0] += text;
      else line.push([text, ink]);
    }
    if (line.at(-1)?.[1] === undefined) line.pop();
    return line.map(([text, ink]) => (ink === undefined ? text : paint(text, ink))).join('');
  });
}

function plain(text: string): string {
  return text;
}

/** The first of the 256 characters of braille: no dot. */
const blank = 0x2800;
/** The bit of each dot of a cell, row by row. */
const bits = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
] as const;

/** A canvas of dots for a terminal, two across and four down in each character. */
export class BrailleCanvas {
  readonly columns: number;
  readonly rows: number;
  readonly #cells: Uint8Array;

  /** @param columns characters across @param rows characters down */
  constructor(columns: number, rows: number) {
    this.columns = columns;
    this.rows = rows;
    this.#cells = new Uint8Array(columns * rows);
  }

  /** Dots across. */
  get width(): number {
    return this.columns * 2;
  }

  /** Dots down. */
  get height(): number {
    return this.rows * 4;
  }

  /** Sets the dot at a place, from the top left corner. Places outside are ignored. */
  dot(x: number, y: number): void {
    const across = Math.round(x);
    const down = Math.round(y);
    if (!(across >= 0 && across < this.width && down >= 0 && down < this.height)) return;
    const cell = (down >> 2) * this.columns + (across >> 1);
    this.#cells[cell] = (this.#cells[cell] ?? 0) | (bits[down & 3]?.[across & 1] ?? 0);
  }

  /** Returns the character of a cell; undefined if it has no dot. */
  cell(column: number, row: number): string | undefined {
    const dots = this.#cells[row * this.columns + column] ?? 0;
    return dots === 0 ? undefined : String.fromCodePoint(blank + dots);
  }

  /** Returns the canvas line by line, without blanks at the ends. */
  lines(): string[] {
    return Array.from({ length: this.rows }, (_, row) =>
      Array.from({ length: this.columns }, (_, column) => this.cell(column, row) ?? ' ')
        .join('')
        .trimEnd(),
    );
  }
}
