import { gridLabel, gridSteps } from './grid.js';
import type { Layer, Pen } from './layer.js';
import { visibleBounds } from './viewport.js';

/** Lines every so many metres, with labels at the lower and the left edge. */
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

function drawLabels({ context, viewport, colours }: Pen, step: number): void {
  const { x, y, scale, width, height } = viewport;
  const { minX, maxX, minY, maxY } = visibleBounds(viewport);
  context.fillStyle = colours.soft;
  context.font = '12px system-ui, sans-serif';
  context.textBaseline = 'bottom';
  context.textAlign = 'center';
  for (let line = Math.ceil(minY / step); line * step <= maxY; line++) {
    const left = width / 2 - (line * step - y) * scale;
    if (left > 40 && left < width - 24) {
      context.fillText(`${gridLabel(line * step, step)} m`, left, height - 4);
    }
  }
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  for (let line = Math.ceil(minX / step); line * step <= maxX; line++) {
    const top = height / 2 - (line * step - x) * scale;
    if (top > 12 && top < height - 24) context.fillText(`${gridLabel(line * step, step)} m`, 4, top);
  }
}
