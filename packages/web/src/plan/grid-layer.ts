import type { Layer, Pen } from './floor-plan.js';
import { visibleBounds } from './plan.js';

/** Least distance of two lines of the grid, in CSS pixels. */
const leastGap = 14;

/** The distances of the lines of a grid, in m: `fine` lines, and the `strong` ones that carry a label. */
interface GridSteps {
  readonly fine: number;
  readonly strong: number;
}

/** The grid that fits a scale: 1, 2 or 5 of a decimal unit. Every fifth line is strong, or every second or fourth. */
export function gridSteps(scale: number): GridSteps {
  const least = leastGap / scale;
  const decimal = 10 ** Math.floor(Math.log10(least));
  const factor = least / decimal;
  if (factor <= 1) return { fine: decimal, strong: 5 * decimal };
  if (factor <= 2) return { fine: 2 * decimal, strong: 10 * decimal };
  if (factor <= 5) return { fine: 5 * decimal, strong: 20 * decimal };
  return { fine: 10 * decimal, strong: 50 * decimal };
}

/** 1, 2 or 5 of a decimal unit: the least that is not below a value. */
export function roundAtLeast(value: number): number {
  const decimal = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5].find((factor) => factor * decimal >= value * (1 - 1e-9)) ?? 10) * decimal;
}

/** The label of a line: metres with as many digits as its step needs. */
export function gridLabel(metres: number, step: number): string {
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const text = metres.toFixed(digits);
  return Number(text) === 0 ? '0' : text.replace('-', '−');
}

/** Lines at round numbers of metres, with labels at the lower and the left edge. */
export const gridLayer: Layer = {
  name: 'grid',
  draw(pen) {
    const { scale } = pen.viewport;
    const { fine, strong } = gridSteps(scale);
    pen.context.globalAlpha = 0.6;
    drawLines(pen, fine, pen.colours.grid);
    pen.context.globalAlpha = 1;
    drawLines(pen, strong, pen.colours['grid-strong']);
    drawLabels(pen, strong);
  },
};

function drawLines({ context, viewport, pixelRatio }: Pen, step: number, colour: string): void {
  const { x, y, scale, width, height } = viewport;
  const { minX, maxX, minY, maxY } = visibleBounds(viewport);
  // On the middle of a pixel of the canvas: so a line is one pixel wide and sharp.
  const sharp = (position: number) => (Math.round(position * pixelRatio) + 0.5) / pixelRatio;
  context.strokeStyle = colour;
  context.lineWidth = 1 / pixelRatio;
  context.beginPath();
  for (let line = Math.ceil(minY / step); line * step <= maxY; line++) {
    const left = sharp(width / 2 - (line * step - y) * scale);
    context.moveTo(left, 0);
    context.lineTo(left, height);
  }
  for (let line = Math.ceil(minX / step); line * step <= maxX; line++) {
    const top = sharp(height / 2 - (line * step - x) * scale);
    context.moveTo(0, top);
    context.lineTo(width, top);
  }
  context.stroke();
}

function drawLabels(pen: Pen, step: number): void {
  const { x, y, scale, width, height } = pen.viewport;
  const { minX, maxX, minY, maxY } = visibleBounds(pen.viewport);
  pen.context.font = '12px system-ui, sans-serif';
  pen.context.textBaseline = 'middle';
  for (let line = Math.ceil(minY / step); line * step <= maxY; line++) {
    const left = width / 2 - (line * step - y) * scale;
    if (left > 48 && left < width - 24) drawLabel(pen, line * step, step, 'center', left, height - 10);
  }
  for (let line = Math.ceil(minX / step); line * step <= maxX; line++) {
    const top = height / 2 - (line * step - x) * scale;
    if (top > 12 && top < height - 24) drawLabel(pen, line * step, step, 'left', 4, top);
  }
}

/** A label on the colour of the view, so that its line does not strike it through. */
function drawLabel(
  { context, colours }: Pen,
  metres: number,
  step: number,
  align: 'center' | 'left',
  left: number,
  top: number,
): void {
  const text = `${gridLabel(metres, step)} m`;
  const width = context.measureText(text).width;
  context.fillStyle = colours.view;
  context.fillRect((align === 'center' ? left - width / 2 : left) - 3, top - 8, width + 6, 16);
  context.fillStyle = colours.soft;
  context.textAlign = align;
  context.fillText(text, left, top);
}
