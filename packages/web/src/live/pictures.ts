import { csvText } from '@azimuth/client';
import { localDateTimeMs } from '../parts/texts.js';
import { colourOfScanner, type PlanColours, scaleColour } from '../plan/colours.js';
import { areasOf, fieldText, isInfringed, isWatched } from '../plan/field-areas.js';
import { gridLabel, gridSteps, roundAtLeast } from '../plan/grid-layer.js';
import { labelRoom } from '../plan/labels.js';
import { placed } from '../plan/placement.js';
import { type PlanPoint, toScreen, type Viewport, visibleBounds } from '../plan/plan.js';
import { beamReading, degrees, type EchoReading } from './beam-reading.js';
import type { LiveState } from './live-state.js';
import type { StoredScan } from './scan-history.js';
import type { ScanSource } from './scan-source.js';

/** CSS pixels of the line of text below a picture. */
const captionHeight = 28;
/** Least length of the scale bar in CSS pixels. */
const leastBar = 60;

/**
 * Draws the view as it is on the screen, with a line below it: scanner, time, and a bar that shows the scale.
 * @param stage the element with the canvases
 */
export async function pngOf(
  stage: HTMLElement,
  state: LiveState,
  colours: PlanColours,
): Promise<Blob | undefined> {
  const layers = [...stage.querySelectorAll<HTMLCanvasElement>('canvas[data-layer]:not([hidden])')];
  const [first] = layers;
  const picture = document.createElement('canvas');
  const context = picture.getContext('2d');
  if (first === undefined || context === null) return undefined;
  const viewport = state.plan.viewport.peek();
  const pixelRatio = first.width / viewport.width;
  picture.width = first.width;
  picture.height = first.height + Math.round(captionHeight * pixelRatio);
  context.fillStyle = colours.view;
  context.fillRect(0, 0, picture.width, picture.height);
  for (const layer of layers) context.drawImage(layer, 0, 0, first.width, first.height);
  context.scale(pixelRatio, pixelRatio);
  context.fillStyle = colours.paper;
  context.fillRect(0, viewport.height, viewport.width, captionHeight);
  drawCaption(context, viewport, colours.ink, captionOf(state));
  return new Promise((resolve) => picture.toBlob((blob) => resolve(blob ?? undefined), 'image/png'));
}

function drawCaption(
  context: CanvasRenderingContext2D,
  { width, height, scale }: Viewport,
  colour: string,
  text: string,
): void {
  const middle = height + captionHeight / 2;
  const metres = roundAtLeast(leastBar / scale);
  const [from, to] = [width - 12 - metres * scale, width - 12];
  context.font = '12px system-ui, sans-serif';
  context.textBaseline = 'middle';
  context.fillStyle = colour;
  context.strokeStyle = colour;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(from, middle - 5);
  context.lineTo(from, middle + 5);
  context.moveTo(from, middle);
  context.lineTo(to, middle);
  context.moveTo(to, middle - 5);
  context.lineTo(to, middle + 5);
  context.stroke();
  context.textAlign = 'right';
  const label = `${gridLabel(metres, metres)} m`;
  context.fillText(label, from - 8, middle);
  context.textAlign = 'left';
  const room = from - 8 - context.measureText(label).width - 24;
  context.fillText(text, 12, middle, Math.max(1, room));
}

/** Names of the scanners in sight, each with its scan and the time of arrival by the clock of this computer. */
function captionOf(state: LiveState): string {
  const shownAt = state.shownAt.peek();
  return state.sources
    .flatMap((source) => {
      const scan = source.scanAt(shownAt);
      if (scan === undefined) return [];
      const time = localDateTimeMs(new Date(performance.timeOrigin + scan.at));
      return [`${source.link.title.peek()}, ${time}, frame ${scan.number}`];
    })
    .join('; ');
}

/** The view as a drawing that can be scaled. */
export function drawingOf(state: LiveState, colours: PlanColours, strongest: number): string {
  const scans = scansInSight(state);
  const colouring = state.colouring.peek();
  const colourOf = ({ rssi, echo }: PointInSight, source: ScanSource) => {
    if (colouring === 'scanner') return colourOfScanner(colours, state.sources.indexOf(source));
    if (colouring === 'strength' && rssi !== undefined) {
      return `rgb(${scaleColour(rssi / strongest, colours.isDark).join(' ')})`.replaceAll(' ', ',');
    }
    if (colouring !== 'echo' || echo === 1) return colours.accent;
    return echo === 2 ? colours.warn : colours.good;
  };
  const drawing: Drawing = {
    viewport: state.plan.viewport.peek(),
    background: colours.view,
    grid: colours['grid-strong'],
    text: colours.soft,
    points: scans.flatMap(({ source, points }) =>
      points.map((point) => ({
        point: point.point,
        colour: colourOf(point, source),
        shape: colouring === 'echo' ? point.echo : 1,
        isReflector: point.isReflector && state.showsReflectors.peek(),
      })),
    ),
    areas: (state.showsFields.peek() ? state.sources : []).flatMap(({ link, placement }) =>
      areasOf(link).map((area) => ({
        name: fieldText(area.id, area.name),
        points: area.points.map((point) => placed(placement.peek(), point)),
        colour: isInfringed(area.state) ? colours.bad : isWatched(area) ? colours.good : colours.soft,
        isHatched: isInfringed(area.state),
        isIdle: !isWatched(area),
      })),
    ),
    caption: captionOf(state),
  };
  return svgOf(drawing);
}

/** An echo of a scan that is in sight. */
interface PointInSight extends EchoReading {
  readonly beam: number;
  /** rad */
  readonly azimuth: number;
}

/** A scan that is in sight, with all its echoes. */
interface ScanInSight {
  readonly source: ScanSource;
  readonly scan: StoredScan;
  readonly points: readonly PointInSight[];
}

/** The scans in sight, one of each scanner that has one. */
export function scansInSight(state: LiveState): readonly ScanInSight[] {
  return state.sources.flatMap((source) => {
    const scan = source.scanAt(state.shownAt.peek());
    if (scan === undefined) return [];
    const placement = source.placement.peek();
    const points: PointInSight[] = [];
    for (let beam = 0; beam < scan.beams; beam++) {
      const { azimuth, echoes } = beamReading(source.history, scan, placement, beam);
      for (const echo of echoes) points.push({ ...echo, beam, azimuth });
    }
    return [{ source, scan, points }];
  });
}

/** A scan as it is written to a table. */
interface ScanTable {
  /** Name of the scanner. */
  readonly scanner: string;
  readonly number: number;
  /** µs on the clock of the scanner. */
  readonly time: number;
  readonly points: readonly PointInSight[];
}

const head = [
  ...['scanner', 'frame', 'time_us', 'beam', 'azimuth_deg', 'echo', 'distance_m', 'rssi'],
  ...['reflector', 'blooming', 'x_m', 'y_m'],
];

/** The echoes of scans as comma-separated values: a line each. Points are in the coordinates of the machine. */
export function csvOfScans(scans: readonly ScanTable[]): string {
  return csvText(
    head,
    scans.flatMap(({ scanner, number, time, points }) =>
      points.map((point) => [
        ...[scanner, number, time, point.beam, degrees(point.azimuth), point.echo],
        ...[point.distance.toFixed(4), point.rssi ?? '', Number(point.isReflector), Number(point.isBlooming)],
        ...[point.point.x.toFixed(4), point.point.y.toFixed(4)],
      ]),
    ),
  );
}

/** Content of a drawing of the plan. Colours are CSS. */
interface Drawing {
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
    /** True if the scanner does not evaluate the field now. Its edge is then dashed. */
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
