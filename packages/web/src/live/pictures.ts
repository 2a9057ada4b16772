import { scaleColour } from './colour-scale.js';
import { colourOfScanner, type PlanColours } from './colours.js';
import { areasOf, isInfringed } from './fields-layer.js';
import { type PointInSight, scansInSight } from './frame-points.js';
import type { LiveState } from './live-state.js';
import type { ScanSource } from './scan-source.js';
import { type Drawing, svgOf } from './svg.js';

/** The view as it is on the screen. @param stage what holds the canvases */
export async function pngOf(stage: HTMLElement): Promise<Blob | undefined> {
  const layers = [...stage.querySelectorAll<HTMLCanvasElement>('canvas[data-layer]:not([hidden])')];
  const [first] = layers;
  const picture = document.createElement('canvas');
  const context = picture.getContext('2d');
  if (first === undefined || context === null) return undefined;
  picture.width = first.width;
  picture.height = first.height;
  context.fillStyle = getComputedStyle(first.parentElement ?? first).backgroundColor;
  context.fillRect(0, 0, picture.width, picture.height);
  for (const layer of layers) context.drawImage(layer, 0, 0, picture.width, picture.height);
  return new Promise((resolve) => picture.toBlob((blob) => resolve(blob ?? undefined), 'image/png'));
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
    areas: state.sources.flatMap(({ link }) =>
      areasOf(link).map((area) => ({
        name: area.name,
        points: area.points.map(({ x, y }) => ({ x: x / 1000, y: y / 1000 })),
        colour: isInfringed(area.state) ? colours.bad : colours.good,
        isHatched: isInfringed(area.state),
      })),
    ),
    caption: scans.map(({ source, scan }) => `${source.link.title.peek()}, frame ${scan.number}`).join('; '),
  };
  return svgOf(drawing);
}
