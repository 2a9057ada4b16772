import type { Frame } from '@azimuth/client';
import { fieldOfView } from '@azimuth/model';
import { BrailleCanvas } from './braille-canvas.js';
import { echoesOf } from './echoes.js';
import { metres, ringsOf } from './range.js';

/** What a piece of the picture stands for. */
export type Ink = 'ring' | 'label' | 'echo' | 'reflector' | 'scanner';

export interface TerminalPicture {
  /** Characters across and down. */
  readonly columns: number;
  readonly rows: number;
  /** mm. */
  readonly range: number;
  /** Colours a piece; it stays as it is where nothing is stated. */
  readonly paint?: (text: string, ink: Ink) => string;
}

/** rad from the axis ahead to the end of the field. */
export const fieldEnd = (fieldOfView.maximum / 10_000) * (Math.PI / 180);

/** How far the field reaches back of the scanner, as a share of the range. */
export const backward = -Math.cos(fieldEnd);

/** Dots between two dots of a range ring. */
const ringSpacing = 4;

/** A frame from above, as lines of braille: ahead is up, and the field ends at its lower left and lower right. */
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

  for (const distance of ringsOf(range)) {
    const turn = (ringSpacing * range) / (distance * radius);
    for (let azimuth = -fieldEnd; azimuth <= fieldEnd; azimuth += turn) dot(canvases.ring, azimuth, distance);
  }
  for (let way = 0; way <= radius; way += ringSpacing) {
    for (const azimuth of [-fieldEnd, fieldEnd]) dot(canvases.ring, azimuth, (way / radius) * range);
  }
  for (const { azimuth, distance, reflector } of echoesOf(frame)) {
    if (distance <= range) dot(reflector ? canvases.reflector : canvases.echo, azimuth, distance);
  }

  const labels = new Map<number, string>();
  const scanner = { column: Math.floor(middle.x / 2), row: Math.floor(middle.y / 4) };
  for (const distance of ringsOf(range)) {
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
