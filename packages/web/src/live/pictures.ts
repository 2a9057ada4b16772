import { localDateTimeMs } from '../parts/local-time.js';
import { scaleColour } from './colour-scale.js';
import { colourOfScanner, type PlanColours } from './colours.js';
import { isInfringed } from './field-words.js';
import { areasOf, fieldText, isWatched } from './fields-layer.js';
import { type PointInSight, scansInSight } from './frame-points.js';
import { gridLabel, roundAtLeast } from './grid.js';
import type { LiveState } from './live-state.js';
import { placed } from './placement.js';
import type { ScanSource } from './scan-source.js';
import { type Drawing, svgOf } from './svg.js';
import type { Viewport } from './viewport.js';

/** CSS pixels of the line below a picture that says what it shows. */
const captionHeight = 28;
/** CSS pixels that the bar which tells the scale has at least. */
const leastBar = 60;

/**
 * The view as it is on the screen, with a line below it: which scanner, when, and a bar that tells the scale.
 * @param stage what holds the canvases
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

/** Which scanners are in sight, with which scan, and when it came, by the clock of this computer. */
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
        isReflector: point.isReflector,
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
