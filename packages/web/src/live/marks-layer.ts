import { colourOfScanner } from '../plan/colours.js';
import type { Layer, Pen } from '../plan/floor-plan.js';
import { labelHeight, labelTops } from '../plan/labels.js';
import { type PlanPoint, type ScreenPoint, toScreen } from '../plan/plan.js';
import { angleText, distanceText } from './beam-reading.js';
import type { BeamInSight, LiveState } from './live-state.js';
import type { ScanSource } from './scan-source.js';

/** Marks above the points: the scanners, the chosen beam, the echo under the pointer, and the measured distance. */
export function marksLayer(state: LiveState): Layer {
  return {
    name: 'marks',
    draw(pen) {
      const areSeveral = state.sources.length > 1;
      const areColoured = areSeveral && state.colouring.value === 'scanner';
      const colourOf = (index: number) =>
        areColoured ? colourOfScanner(pen.colours, index) : pen.colours.ink;
      for (const [index, source] of state.sources.entries()) drawScanner(pen, source, colourOf(index));
      if (areSeveral) drawNames(pen, state.sources, colourOf);
      const chosen = state.chosen.value;
      const pointer = state.plan.pointer.value;
      // Marks that follow the scans are drawn with each of them; other marks are not.
      if (chosen !== undefined || pointer !== undefined) void state.scans.value;
      const sight = chosen === undefined ? undefined : state.inSight(chosen);
      if (sight !== undefined) drawBeam(pen, sight);
      const point = pointer && state.seenNear(pointer)?.echo.point;
      if (point !== undefined) drawRing(pen, point);
      const [from, to = state.isPicking.value ? pointer : (point ?? pointer)] = state.measured.value ?? [];
      if (from !== undefined) drawMeasurement(pen, from, to);
      if (state.plan.isKeyed.value) drawSight(pen);
    },
  };
}

/** A triangle in the direction of the scanner. */
function drawScanner({ context, viewport, colours }: Pen, { placement }: ScanSource, colour: string): void {
  const { x, y, xu, yu } = placement.value;
  const { left, top } = toScreen(viewport, { x, y });
  const heading = Math.atan2(yu, xu);
  context.save();
  context.translate(left, top);
  context.rotate(-heading);
  context.beginPath();
  context.moveTo(0, -9);
  context.lineTo(7, 7);
  context.lineTo(0, 3);
  context.lineTo(-7, 7);
  context.closePath();
  context.fillStyle = colour;
  context.strokeStyle = colours.view;
  context.lineWidth = 2;
  context.stroke();
  context.fill();
  context.restore();
}

/** Draws the name of each scanner below it, in its colour. Names at one place are below each other. */
function drawNames(pen: Pen, sources: readonly ScanSource[], colourOf: (index: number) => string): void {
  const { viewport } = pen;
  const names = sources.map(({ placement, link }) => {
    const { left, top } = toScreen(viewport, placement.value);
    const text = link.title.value;
    return { text, left, top: top + 12, width: labelWidth(pen, text) };
  });
  for (const [index, top] of labelTops(names).entries()) {
    const name = names[index];
    if (name !== undefined) label(pen, name.text, name.left, top, colourOf(index));
  }
}

function drawBeam(pen: Pen, { chosen, reading }: BeamInSight): void {
  const { context, viewport, colours } = pen;
  const { x, y, xu, xv, yu, yv } = chosen.source.placement.value;
  const [cos, sin] = [Math.cos(reading.azimuth), Math.sin(reading.azimuth)];
  const length = reading.echoes.at(-1)?.distance ?? 200;
  const from = toScreen(viewport, { x, y });
  const to = toScreen(viewport, {
    x: x + length * (xu * cos + xv * sin),
    y: y + length * (yu * cos + yv * sin),
  });
  context.strokeStyle = colours.accent;
  context.lineWidth = 1.5;
  context.setLineDash([6, 4]);
  strokeLines(context, [from, to]);
  context.setLineDash([]);
  for (const { point } of reading.echoes) drawRing(pen, point);
  const shown = reading.echoes.find(({ echo }) => echo === chosen.echo) ?? reading.echoes[0];
  if (shown === undefined) return;
  const { left, top } = toScreen(viewport, shown.point);
  label(pen, `${angleText(reading.azimuth)}°  ${distanceText(shown.distance)}`, left, top + 10);
}

function drawRing({ context, viewport, colours }: Pen, point: PlanPoint): void {
  const { left, top } = toScreen(viewport, point);
  context.strokeStyle = colours.accent;
  context.lineWidth = 2;
  context.beginPath();
  context.arc(left, top, 7, 0, 2 * Math.PI);
  context.stroke();
}

function drawMeasurement(pen: Pen, from: PlanPoint, to: PlanPoint | undefined): void {
  const { context, viewport, colours } = pen;
  const begin = toScreen(viewport, from);
  drawCross(pen, begin);
  if (to === undefined) return;
  const end = toScreen(viewport, to);
  drawCross(pen, end);
  context.strokeStyle = colours.ink;
  context.lineWidth = 1.5;
  strokeLines(context, [begin, end]);
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  label(pen, distanceText(length), (begin.left + end.left) / 2, (begin.top + end.top) / 2 + 8);
}

/** Draws a mark at the middle of the view, where Enter presses. */
function drawSight({ context, viewport: { width, height }, colours }: Pen): void {
  const at = (right: number, down: number) => ({ left: width / 2 + right, top: height / 2 + down });
  context.strokeStyle = colours.accent;
  context.lineWidth = 1.5;
  strokeLines(
    context,
    [at(11, 0), at(20, 0)],
    [at(-11, 0), at(-20, 0)],
    [at(0, 11), at(0, 20)],
    [at(0, -11), at(0, -20)],
  );
}

function drawCross({ context, colours }: Pen, { left, top }: ScreenPoint): void {
  context.strokeStyle = colours.ink;
  context.lineWidth = 1.5;
  strokeLines(
    context,
    [
      { left: left - 6, top },
      { left: left + 6, top },
    ],
    [
      { left, top: top - 6 },
      { left, top: top + 6 },
    ],
  );
}

/** Draws a line from the first point of each pair to the second. */
function strokeLines(
  context: CanvasRenderingContext2D,
  ...lines: readonly (readonly [ScreenPoint, ScreenPoint])[]
): void {
  context.beginPath();
  for (const [from, to] of lines) {
    context.moveTo(from.left, from.top);
    context.lineTo(to.left, to.top);
  }
  context.stroke();
}

const labelFont = '12px system-ui, sans-serif';

function labelWidth({ context }: Pick<Pen, 'context'>, text: string): number {
  context.font = labelFont;
  return context.measureText(text).width + 8;
}

/** A text on the colour of the view, so that it can be read over points. @param mark the colour of a bar in front of it */
function label(
  pen: Pick<Pen, 'context' | 'colours'>,
  text: string,
  left: number,
  top: number,
  mark?: string,
): void {
  const { context, colours } = pen;
  const width = labelWidth(pen, text);
  context.textAlign = 'center';
  context.textBaseline = 'top';
  context.fillStyle = colours.view;
  context.fillRect(left - width / 2, top, width, labelHeight);
  if (mark !== undefined) {
    context.fillStyle = mark;
    context.fillRect(left - width / 2, top, 2, labelHeight);
  }
  context.fillStyle = colours.ink;
  context.fillText(text, left, top + 3);
}
