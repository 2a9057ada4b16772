import { effect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../parts/states.js';
import { type PlanColours, scaleColour, type ThemeColours, useCanvasDrawing } from './colours.js';
import { followGestures, type PlanEvents } from './gestures.js';
import type { Plan, Viewport } from './plan.js';
import '../style/plan.css';

interface Props extends PlanEvents {
  readonly plan: Plan;
  /** Layers from the bottom to the top. They do not change while the plan is shown. */
  readonly layers: readonly Layer[];
  /** Describes the plan in words for people who do not see it. */
  readonly label: string;
  /** Stands over the layers: SVG that projects by `plan.viewport`, buttons, read-outs. */
  readonly children?: ComponentChildren;
}

/** A floor plan in metres: layers of canvases that zoom and pan together, and children above them. */
export function FloorPlan({ plan, layers, label, onPress, onEnter, onStep, children }: Props) {
  const events = useRef<PlanEvents>({});
  events.current = { onPress, onEnter, onStep };
  const element = useCanvasDrawing(
    (current, theme) => {
      const resized = () => plan.resize(current.clientWidth, current.clientHeight);
      resized();
      const canvases = current.querySelectorAll('canvas');
      const stops = layers.flatMap((layer, index) => {
        const canvas = canvases[index];
        return canvas === undefined ? [] : [redrawOnChange(layer, canvas, plan, theme)];
      });
      stops.push(followGestures(current, plan, () => events.current));
      const end = () => {
        for (const stop of stops) stop();
      };
      return { resized, end };
    },
    [plan, layers],
  );
  return (
    <div class="plan" ref={element} role="application" aria-label={label}>
      {layers.map(({ name }) => (
        <canvas key={name} data-layer={name} />
      ))}
      {children}
    </div>
  );
}

/** Draws a layer now, and after each change of a signal that it reads. */
function redrawOnChange(
  layer: Layer,
  canvas: HTMLCanvasElement,
  plan: Plan,
  theme: ThemeColours,
): () => void {
  const context = canvas.getContext('2d');
  if (context === null) return () => {};
  return effect(() => {
    const isShown = layer.isShown?.() ?? true;
    canvas.hidden = !isShown;
    if (!isShown) return;
    const viewport = plan.viewport.value;
    const pixelRatio = pixelRatioOf(layer, viewport, devicePixelRatio);
    const width = Math.round(viewport.width * pixelRatio);
    const height = Math.round(viewport.height * pixelRatio);
    if (width === 0 || height === 0) return;
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
    context.clearRect(0, 0, viewport.width, viewport.height);
    layer.draw({ context, viewport, colours: theme.colours.value, pixelRatio });
  });
}

/** Canvas, viewport and colours for a layer. */
export interface Pen {
  /** Its coordinates are CSS pixels of the view. It is clear when the layer begins. */
  readonly context: CanvasRenderingContext2D;
  readonly viewport: Viewport;
  readonly colours: PlanColours;
  /** Pixels of the canvas a CSS pixel. */
  readonly pixelRatio: number;
}

/**
 * A picture on the floor plan, on a canvas of its own. It is drawn again when the view or the theme changes, or a signal
 * that `draw` has read. So a layer that changes with each scan leaves the others alone.
 */
export interface Layer {
  /** Name of the layer, for the attribute `data-layer` of its canvas. */
  readonly name: string;
  /**
   * True if the layer is drawn with each scan. Its canvas then has a limit of pixels, as each of them costs time in
   * each drawing.
   */
  readonly isLively?: true;
  /** True if the layer has anything to show. If not, its canvas is hidden and costs nothing. Default: yes. */
  isShown?(): boolean;
  draw(pen: Pen): void;
}

/** Maximum pixels per CSS pixel: more cost time, and are not visible in points. */
const largestRatio = 2;
/** Maximum pixels of a canvas that is drawn with each scan, on screens with more than one pixel per CSS pixel. */
const mostLivelyPixels = 3_000_000;

/**
 * Pixels of a canvas per CSS pixel: those of the screen, up to 2, so that lines are sharp. A lively layer on a large screen
 * has fewer, but at least one.
 * @param ofScreen pixels of the screen per CSS pixel
 */
export function pixelRatioOf(layer: Pick<Layer, 'isLively'>, view: Viewport, ofScreen: number): number {
  const ratio = Math.min(largestRatio, ofScreen);
  if (layer.isLively !== true || ratio <= 1) return ratio;
  return Math.max(1, Math.min(ratio, Math.sqrt(mostLivelyPixels / (view.width * view.height))));
}

/**
 * Zooms by pressing, for those without wheel or second finger.
 * @param fit shows everything
 * @param children further buttons
 */
export function ZoomButtons({
  zoom,
  fit,
  children,
}: {
  zoom: (factor: number) => void;
  fit?: () => void;
  children?: ComponentChildren;
}) {
  return (
    <div class="zoom">
      <button type="button" aria-label="Zoom in" title="Zoom in: +" onClick={() => zoom(1.4)}>
        +
      </button>
      <button type="button" aria-label="Zoom out" title="Zoom out: -" onClick={() => zoom(1 / 1.4)}>
        −
      </button>
      {fit !== undefined && (
        <button type="button" aria-label="Fit" title="Show everything: f" aria-keyshortcuts="f" onClick={fit}>
          <Icon path="M1 4V1h3M8 1h3v3M11 8v3H8M4 11H1V8" />
        </button>
      )}
      {children}
    </div>
  );
}

/** The scale of colours. */
export function ScaleBar({ isDark }: { isDark: boolean }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const { current } = canvas;
    const context = current?.getContext('2d');
    if (!current || !context) return;
    for (let x = 0; x < current.width; x++) {
      const [red, green, blue] = scaleColour(x / (current.width - 1), isDark);
      context.fillStyle = `rgb(${red} ${green} ${blue})`;
      context.fillRect(x, 0, 1, current.height);
    }
  }, [isDark]);
  return <canvas class="scale-bar" ref={canvas} width="96" height="8" />;
}
