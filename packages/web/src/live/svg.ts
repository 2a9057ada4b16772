import { labelRoom } from './area-label.js';
import { gridLabel, gridSteps } from './grid.js';
import { type PlanPoint, toScreen, type Viewport, visibleBounds } from './viewport.js';

/** What a drawing of the plan shows. Colours are CSS. */
export interface Drawing {
  readonly viewport: Viewport;
  readonly background: string;
  readonly grid: string;
  readonly text: string;
  readonly points: readonly {
    readonly point: PlanPoint;
    readonly colour: string;
    /** The echo whose shape the point has; 1 for a dot. */
    readonly shape: number;
    readonly isReflector: boolean;
  }[];
  readonly areas: readonly {
    readonly name: string;
    readonly points: readonly PlanPoint[];
    readonly colour: string;
    readonly isHatched: boolean;
    /** Does the scanner not watch it now? Then its edge is dashed. */
    readonly isIdle: boolean;
  }[];
  /** A line at the top: which scanner, which frame, when. */
  readonly caption: string;
}

/** The part of the plan that is in sight as SVG 1.1. Shapes of echoes are as on the screen. */
export function svgOf(drawing: Drawing): string {
  const { viewport, background, caption, text } = drawing;
  const { width, height } = viewport;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    '<defs><pattern id="hatching" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0V9" stroke="currentColor"/></pattern></defs>',
    `<rect width="${width}" height="${height}" fill="${escaped(background)}"/>`,
    ...gridLines(drawing),
    ...drawing.areas.map((area) => areaOf(area, viewport)),
    ...drawing.points.map((point) => pointOf(point, viewport)),
    `<text x="8" y="16" fill="${escaped(text)}">${escaped(caption)}</text>`,
    '</svg>\n',
  ].join('\n');
}

function gridLines({ viewport, grid, text }: Drawing): readonly string[] {
  const { strong } = gridSteps(viewport.scale);
  const { minX, maxX, minY, maxY } = visibleBounds(viewport);
  const { width, height } = viewport;
  const lines: string[] = [];
  for (let line = Math.ceil(minY / strong); line * strong <= maxY; line++) {
    const left = place(toScreen(viewport, { x: 0, y: line * strong }).left);
    lines.push(`<path d="M${left} 0V${height}" stroke="${escaped(grid)}"/>`);
    const label = gridLabel(line * strong, strong);
    lines.push(
      `<text x="${left}" y="${height - 4}" fill="${escaped(text)}" text-anchor="middle">${label} m</text>`,
    );
  }
  for (let line = Math.ceil(minX / strong); line * strong <= maxX; line++) {
    const top = place(toScreen(viewport, { x: line * strong, y: 0 }).top);
    lines.push(`<path d="M0 ${top}H${width}" stroke="${escaped(grid)}"/>`);
    lines.push(`<text x="4" y="${top}" fill="${escaped(text)}">${gridLabel(line * strong, strong)} m</text>`);
  }
  return lines;
}

function areaOf(
  { name, points, colour, isHatched, isIdle }: Drawing['areas'][number],
  viewport: Viewport,
): string {
  const places = points.map((point) => toScreen(viewport, point));
  const path = `M${places.map(({ left, top }) => `${place(left)} ${place(top)}`).join('L')}Z`;
  const hatching = isHatched ? `<path d="${path}" fill="url(#hatching)" opacity="0.5"/>` : '';
  const room = labelRoom(places, viewport);
  const label =
    room === undefined
      ? ''
      : `<text x="${place(room.left)}" y="${place(room.top + 4)}" fill="currentColor" text-anchor="middle">${escaped(name)}</text>`;
  const edge = isIdle ? ' stroke-dasharray="5 4"' : '';
  const opacity = isIdle ? 0.06 : 0.12;
  return `<g color="${escaped(colour)}"><path d="${path}" fill="currentColor" fill-opacity="${opacity}" stroke="currentColor" stroke-width="1.5"${edge}/>${hatching}${label}</g>`;
}

function pointOf(
  { point, colour, shape, isReflector }: Drawing['points'][number],
  viewport: Viewport,
): string {
  const { left, top } = toScreen(viewport, point);
  if (left < 0 || top < 0 || left > viewport.width || top > viewport.height) return '';
  const ring = isReflector
    ? `<circle cx="${place(left)}" cy="${place(top)}" r="6" fill="none" stroke="${escaped(colour)}"/>`
    : '';
  if (shape === 1) {
    return `<circle cx="${place(left)}" cy="${place(top)}" r="1.5" fill="${escaped(colour)}"/>${ring}`;
  }
  const path = shape === 2 ? 'm-3-3 6 6m0-6-6 6' : 'm0-4 4 4-4 4-4-4z';
  return `<path d="M${place(left)} ${place(top)}${path}" fill="none" stroke="${escaped(colour)}"/>${ring}`;
}

function place(pixels: number): string {
  return pixels.toFixed(1);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
